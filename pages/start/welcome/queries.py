"""What the first page shows of a translation, kept for all visitors."""

from dataclasses import replace

from core.explorer.generation.records import Attentions
from core.tracing.run import Run
from pages.queries import generation
from pages.queries.models import check

MOST = 80  # tokens that are written; a model that has learnt nothing would never end


def translated(run: Run) -> Attentions:
    """Every pattern over the sentence and the model's own translation of it."""
    run = replace(run, pads=0, target=run.text)
    begun = generation.start(run)
    written = generation.written(run, count=min(MOST, 2 * len(check(run)["encoder"].pieces) + 10))
    return generation.attentions(run, (*begun, *(each.chosen for each in written)))
