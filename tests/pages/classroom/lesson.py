"""A lesson with every kind of question, its truths, and answers; no model is run."""

from pathlib import Path
from typing import Any

import numpy as np

from core.lessons.lesson import Lesson, Screen, load_lesson
from core.topics.shared.truth import Truth

LESSON: Lesson = load_lesson(Path(__file__).parent / "lessons/every-kind.toml")
WORDS = ("the", "cat", "sat", "because", "it")
# Texts and numbers that occur nowhere else, so that a truth can be found in whatever the server sends.
ONLY_IN_TRUTHS = ("0.4321", "Qxq", "L7H7", "77123", "43%", "Each of the", "A key may get", "The weights of a query")
TRUTHS: dict[str, Truth] = {
    "choice": Truth("rows", {"queries": 77123}, WORDS),
    "token": Truth(1, {"weight": 0.4321, "word": "Qxq"}, WORDS),
    "cell": Truth((4, 1), {"weight": 0.4321}, WORDS, WORDS),
    "row": Truth(
        (0.0, 0.4321, 0.1679, 0.2, 0.2), {"word": "Qxq"}, WORDS, alternatives={"L7H7": np.array([0, 1, 0, 0, 0])}
    ),
    "order": Truth((1, 4, 3, 2, 0), {"word": "Qxq"}, WORDS),
    "number": Truth(77123.0, {"tokens": 77123}, WORDS),
    "formula": Truth(("root", "values"), {}, ()),
}
RIGHT: dict[str, Any] = {
    "choice": "rows",
    "token": 1,
    "cell": [4, 1],
    "row": [0, 43, 17, 20, 20],
    "order": [1, 4, 3, 2, 0],
    "number": 77123,
    "formula": ["root", "values"],
}
WRONG: dict[str, Any] = {
    "choice": "columns",
    "token": 0,
    "cell": [0, 0],
    "row": [1, 0, 0, 0, 0],
    "order": [0, 1, 2, 3, 4],
    "number": 6,
    "formula": ["values", "root"],
}


def truth_for(screen: Screen, text: str) -> Truth:
    """The truth of a screen; a text without “cat” suits only the first."""
    if "cat" not in text and screen.kind != "choice":
        raise ValueError("This question needs a text with a cat.")
    return TRUTHS[screen.kind]


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds
