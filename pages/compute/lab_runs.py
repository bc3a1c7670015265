"""The runs of the lab that visitors train, shared by all who look at the same recipe, and their steps as models."""

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from core.device import Placement
from core.lab.live import LiveRun, LiveRuns
from core.lab.opened import LAB, read_address
from core.lab.recipe import Recipe
from core.lab.run import Diverged

STEP_SECONDS = 0.01  # of a step of a run that has taken none yet


@st.cache_resource(show_spinner=False)
def _runs() -> LiveRuns:
    return LiveRuns()


def live_run(recipe: Recipe) -> LiveRun:
    """Return the run of a recipe: one object for everybody."""
    return _runs().run(recipe)


def training(run: LiveRun, target: int, before: int | None = None, keeps: bool = False) -> Iterator[int]:
    """Train a run to a step, and yield the last measured step after each step: the work of a `Job`.

    before: the result of the job so far, which is not needed.
    keeps: whether the weights have to be there at the end; otherwise the measurements are enough.
    """
    while run.advance(target, keeps):
        yield run.nearest(target).step


def to_train(name: str) -> tuple[LiveRun, int] | None:
    """Return the run and the step that have to be trained before a step of the lab can be opened; None if none.

    Raises ValueError for a name that `core.lab.opened.read_address` refuses.
    """
    recipe, step = read_address(name)
    if not name.startswith(LAB):
        return None
    run = live_run(recipe)
    return None if step <= run.last and run.weights(step) is not None else (run, step)


def training_seconds(name: str) -> float:
    """Return about how long a step of the lab is trained before it can be opened, in seconds; 0 if it need not be.

    Raises ValueError for a name that `core.lab.opened.read_address` refuses.
    """
    missing = to_train(name)
    if missing is None or missing[1] > missing[0].last:  # a run that has diverged is not trained again
        return 0.0
    run, step = missing
    return step * (run.seconds or STEP_SECONDS)


def load_lab_step(name: str, placement: Placement, check: Callable[[], None] | None = None) -> Any:
    """Return the model at a step of the lab, as `core.lab.live.LiveRuns.load` does.

    Raises ValueError, with a sentence, also for a step that the run does not reach because it diverges.
    """
    try:
        return _runs().load(name, placement, check)
    except Diverged as diverged:
        raise ValueError(str(diverged)) from diverged
