"""What terms are in the present model, kept for all visitors."""

from core.explorer.glossary import live
from pages.compute.cache import cached, small_record

in_model = cached(live.in_model, small_record)
