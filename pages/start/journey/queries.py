"""The journey of a text and what it ends with, kept for all visitors."""

from functools import partial

from core.explorer.journey import guesses, stages, verdict
from core.tracing.run import Run
from pages.compute.cache import cached, class_layer, compute, small_record, tells_hidden

journey = cached(stages.journey)


@small_record
def judged(run: Run) -> verdict.Verdict:
    """A classifier's classes with their chances, the likeliest first; none for any other model."""
    layer = class_layer(run)
    return () if layer is None else compute(partial(verdict.verdict, layer), run)


_guesses = cached(guesses.guesses, small_record)


def guessed(run: Run) -> tuple[guesses.Guesses, ...] | None:
    """What a model that learnt to tell hidden tokens makes of each; None for any other model."""
    return _guesses(run) if tells_hidden(run) else None
