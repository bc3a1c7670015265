"""What the first page shows of a translation, kept for all visitors."""

from dataclasses import replace

from core.explorer.generation.records import Attentions
from core.tracing.run import Run
from pages.queries import generation


def translated(run: Run) -> Attentions:
    """Every pattern over the sentence and the model's own translation of it."""
    run = replace(run, pads=0, target=run.text)
    ids = (each.chosen for each in generation.own_tokens(run))
    return generation.attentions(run, (*generation.start(run), *ids))
