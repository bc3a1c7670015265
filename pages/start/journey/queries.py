"""The journey of a text, kept for all visitors."""

from core.explorer.journey import stages
from core.explorer.journey.records import Journey
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.queries.models import compute, record


@record
def journey(run: Run, place: Place) -> Journey:
    return compute(stages.journey, run, place)
