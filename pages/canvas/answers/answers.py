"""A lesson's question with a way to answer it."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from core.lessons.lesson import KINDS, Option
from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("answers")


@dataclass(frozen=True)
class AnswerForm(CanvasDrawing):
    """A question, a way to answer it, and a button that sends the answer.

    kind: the way of answering, one of `core.lessons.lesson.KINDS`.
    options, labels, rows, formula, unit: what the kind needs, as in `Screen` and `Truth`.
    value: an answer that was given before.
    locked: shows `value` and takes no answer.
    send: the words on the button.
    name: the name of the form for screen readers.
    answered: returns the settings that an answer changes. The answer is what the browser sent: give it to
        `checked_answer` first.

    Raises ValueError for an unknown kind.
    """

    kind: str
    question: str
    _: KW_ONLY
    key: str
    name: str = "Your answer"
    options: Sequence[Option] = ()
    labels: Sequence[str] = ()
    rows: Sequence[str] = ()
    formula: str = ""
    unit: str = ""
    value: Any = None
    locked: bool = False
    send: str = "Answer"
    answered: Callable[[Any], Settings] | None = None
    clicks: ClassVar[tuple[str, ...]] = ("answered",)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of question: {', '.join(KINDS)}")

    def packed(self) -> bytes:
        """Return the question as bytes for answers.js, without what is said after the answer."""
        meta = {
            "kind": self.kind,
            "question": self.question,
            "options": [{"name": option.name, "text": option.text} for option in self.options],
            "labels": list(self.labels),
            "rows": list(self.rows),
            "formula": self.formula,
            "unit": self.unit,
            "value": _plain(self.value),
            "locked": self._is_locked(),
            "send": self.send,
            "name": self.name,
        }
        return pack(meta, {})

    def draw(self) -> None:
        """Put the question on the page."""
        _component(data=self.data(), key=self.key, on_answer_change=self._sent)

    def _is_locked(self) -> bool:
        return self.locked or self.answered is None

    def _sent(self) -> None:
        answer = sent(self.key, "answer")
        if answer is not None and self.answered and not self.locked:
            store(self.answered(answer))


def _plain(value: Any) -> Any:
    """Return an answer, which may hold NumPy's numbers, as JSON has it."""
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value
