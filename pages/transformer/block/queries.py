"""What the page keeps: one token's stream."""

from core.explorer.block import stream as streams
from pages.queries.models import kept, small_record

stream = kept(streams.stream, small_record)
