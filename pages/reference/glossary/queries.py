"""What terms are in the present model, kept for all visitors."""

from core.explorer.glossary import live
from pages.queries.models import kept, small_record

in_model = kept(live.in_model, small_record)
