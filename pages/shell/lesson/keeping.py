"""Keeps a learner's answers in the browser, and takes those of former visits from it."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from core.lessons.inventory import HALVES
from core.lessons.lesson import lessons
from core.limits import TEXT_CHARACTERS
from pages.canvas import keep_progress
from pages.shell.lesson.going import chosen_screen
from pages.shell.lesson.progress import Answered, progress, take_half
from pages.widgets import Part

MOST_ANSWERS = 200
INVENTORY = "inventory/"  # before the name of a half


@dataclass(frozen=True)
class KeepProgress(Part):
    """An invisible part that stores the answers of this visit in the browser.

    During a lesson the lesson's panel does so on every page.
    """

    def draw(self) -> None:
        if chosen_screen() is None:
            keep_answers()


def keep_answers() -> None:
    """Keep the answers of this visit in the browser. Call at most once in each run of a page."""
    own = progress()
    answers = {f"{name}/{number}": asdict(answered) for (name, number), answered in own.answers.items()}
    halves = {f"{INVENTORY}{half}": list(chosen) for half, chosen in own.halves.items()}
    keep_progress(answers | halves, restore)


def restore(held: Any) -> None:
    """Restore answers of former visits that the browser holds; answers of this visit take precedence.

    Entries that are not valid answers are ignored.
    held: by "lesson/screen" and "inventory/half", as `KeepProgress` wrote them, if nobody changed them since.
    """
    if not isinstance(held, Mapping):
        return
    for half in HALVES:
        chosen = held.get(f"{INVENTORY}{half}")
        if isinstance(chosen, list) and half not in progress().halves:
            with suppress(ValueError):
                take_half(half, chosen)
    known = lessons()
    for key, value in list(held.items())[:MOST_ANSWERS]:
        match = re.fullmatch(r"([a-z0-9-]{1,60})/([1-9]\d?)", str(key))
        if match is None or match[1] not in known or int(match[2]) > len(known[match[1]].screens):
            continue
        if answered := _answered(value):
            progress().answers.setdefault((match[1], int(match[2])), answered)


def _answered(value: Any) -> Answered | None:
    """Return an answer from its plain values; None if they are not of the right form."""
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        return None
    right, share = value.get("right"), value.get("share")
    if not isinstance(right, bool) or not isinstance(share, int | float):
        return None
    answer = value.get("answer")
    return Answered(
        tuple(answer) if isinstance(answer, list) else answer, value["text"][:TEXT_CHARACTERS], right, share
    )
