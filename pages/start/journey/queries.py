"""The journey of a text, kept for all visitors."""

from core.explorer.journey import stages
from pages.queries.models import kept

journey = kept(stages.journey)
