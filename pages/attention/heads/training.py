"""The steps of a model's training: the run with the weights as they were on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.checkpoints.shipped import Shipped
from core.tracing.run import Run
from pages.attention.heads.settings import STEP
from pages.queries import models
from pages.widgets import Caption, Control, Part, Values, control


def training_controls(run: Run, values: Values) -> Iterator[Control]:
    found = _kept(run)
    if found is not None:
        yield control(STEP, options=[*map(str, found.steps), STEP.default], width=420)


def at_step(run: Run, values: Values) -> Run:
    """The same run with the weights of the chosen step of training, where the model has kept any."""
    found, chosen = _kept(run), values[STEP]
    if found is None or chosen not in map(str, found.steps):
        return run
    return replace(run, checkpoint=found.at(int(chosen)))


def step_words(run: Run, values: Values) -> Sequence[Part]:
    """Which step's weights these are."""
    found = _kept(run)
    if found is None:
        return ()
    last, chosen = found.card.steps, values[STEP]
    if chosen not in map(str, found.steps):
        return [Caption(f"The weights at the end of training, after {last:,} steps.")]
    step = int(chosen)
    said = f"The weights after {step:,} of {last:,} steps." if step else "The random weights before training."
    return [Caption(said)]


def _kept(run: Run) -> Shipped | None:
    """The trained model of a run, where weights on the way through its training are kept."""
    found = models.trained(run.checkpoint.partition("/")[0]) if run.checkpoint else None
    return found if found is not None and found.steps else None
