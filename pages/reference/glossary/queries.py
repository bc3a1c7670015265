"""Cached values of the terms in the present model, shared by all visitors."""

from core.topics.glossary import live
from pages.compute.cache import cached, small_record

in_model = cached(live.in_model, small_record)
