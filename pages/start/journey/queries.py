"""Cached results for the journey of a text and for its end, shared by all visitors."""

from functools import partial

from core.topics.journey import guesses, stages, verdict
from core.tracing.run import Run
from pages.compute.cache import cached, class_layer, compute, small_record, tells_hidden

journey = cached(stages.journey)


@small_record
def judged(run: Run) -> verdict.Verdict:
    """Return a classifier's classes with their probabilities, the likeliest first; none for any other model."""
    layer = class_layer(run)
    return () if layer is None else compute(partial(verdict.verdict, layer), run)


_guesses = cached(guesses.guesses, small_record)


def guessed(run: Run) -> tuple[guesses.Guesses, ...] | None:
    """Return the guesses at each hidden token, of a model trained to predict them; None for any other model."""
    return _guesses(run) if tells_hidden(run) else None
