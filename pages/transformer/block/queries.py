"""What the page keeps: one token's stream, and its norms."""

from core.explorer.block import norms
from core.explorer.block import stream as streams
from pages.queries.models import kept, small_record

stream = kept(streams.stream, small_record)
norm = kept(norms.norm, small_record)
