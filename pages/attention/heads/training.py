"""The steps of a model's training: the same run with the weights of an earlier step."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.checkpoints.source import Shipped
from core.readings.heads import read_training_step
from core.tracing.run import Run
from pages.attention.heads.settings import STEP
from pages.compute import cache
from pages.widgets import Caption, Control, Part, Values, control


def training_controls(run: Run, values: Values) -> Iterator[Control]:
    if shipped := _with_steps(run):
        yield control(STEP, options=[*map(str, shipped.steps), STEP.default], width=420)


def at_step(run: Run, values: Values) -> Run:
    """Return the run with the weights of the chosen training step; unchanged if the model has kept no such weights."""
    shipped = _with_steps(run)
    step = _step(shipped, values) if shipped else None
    return replace(run, source=shipped.source.at(step)) if shipped and step is not None else run


def step_words(run: Run, values: Values) -> Sequence[Part]:
    """Return a caption that says from which training step the weights are."""
    shipped = _with_steps(run)
    return [Caption(read_training_step(_step(shipped, values), shipped.card.steps))] if shipped else ()


def _with_steps(run: Run) -> Shipped | None:
    """Return the trained model of a run if it has kept weights from steps of its training, otherwise None."""
    shipped = cache.opened(run.source) if run.source else None
    return shipped if shipped is not None and shipped.steps else None


def _step(shipped: Shipped, values: Values) -> int | None:
    """Return the chosen step; None for the end of training."""
    return int(values[STEP]) if values[STEP] in map(str, shipped.steps) else None
