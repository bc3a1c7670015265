"""The runs of the lab that visitors train, shared by all who look at the same recipe."""

from collections.abc import Iterator

import streamlit as st

from core.lab.live import LiveRun, LiveRuns
from core.lab.recipe import Recipe


@st.cache_resource(show_spinner=False)
def _live_runs() -> LiveRuns:
    return LiveRuns()


def live_runs() -> LiveRuns:
    """Return the runs of all visitors.

    A plain function, so that a source which holds it can be stored with cached results.
    """
    return _live_runs()


def live_run(recipe: Recipe) -> LiveRun:
    """Return the live training run of a recipe, one object shared by all visitors."""
    return live_runs().run(recipe)


def training(run: LiveRun, target: int, before: int | None = None) -> Iterator[int]:
    """Train a run until it comes to a step, and yield how far it is after each step: the work of a `Job`.

    before: the result of the job so far, which is not needed.
    """
    while run.advance(target):
        yield run.reached
