"""The steps of a model's training: the run with the weights as they were on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.checkpoints.shipped import Shipped
from core.readings.heads import read_training_step
from core.tracing.run import Run
from pages.attention.heads.settings import STEP
from pages.compute import cache
from pages.widgets import Caption, Control, Part, Values, control


def training_controls(run: Run, values: Values) -> Iterator[Control]:
    if found := _with_steps(run):
        yield control(STEP, options=[*map(str, found.steps), STEP.default], width=420)


def at_step(run: Run, values: Values) -> Run:
    """The same run with the weights of the chosen step of training, where the model has kept any."""
    found = _with_steps(run)
    return replace(run, checkpoint=found.at(_step(found, values))) if found else run


def step_words(run: Run, values: Values) -> Sequence[Part]:
    """Which step's weights these are."""
    found = _with_steps(run)
    return [Caption(read_training_step(_step(found, values), found.card.steps))] if found else ()


def _with_steps(run: Run) -> Shipped | None:
    """The trained model of a run, where weights on the way through its training are kept."""
    found = cache.trained(run.model_name) if run.checkpoint else None
    return found if found is not None and found.steps else None


def _step(found: Shipped, values: Values) -> int | None:
    """The chosen step; None for the end."""
    return int(values[STEP]) if values[STEP] in map(str, found.steps) else None
