"""The answers of a learner, kept in the browser from one visit to the next."""

from collections.abc import Callable, Mapping
from typing import Any

from pages.canvas.runtime.clicks import sent
from pages.canvas.runtime.modules import component

KEY = "lesson-progress"

_component = component("lesson_progress", html="<span hidden></span>")


def keep_progress(answers: Mapping[str, Any], restored: Callable[[Any], object]) -> None:
    """Store the answers of this visit in the browser; once per visit, read those of former visits first.

    answers: the answers to store, as plain values.
    restored: called once with what the browser holds, which is not to be trusted.
    """
    _component(data={"answers": dict(answers)}, key=KEY, on_held_change=lambda: restored(sent(KEY, "held")))
