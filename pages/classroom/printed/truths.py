"""The right answers to the lessons' questions about the lessons' opening sentences, for the worksheet and its key."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from core.faults import MachineFault
from core.lessons.lesson import Lesson, Screen
from core.topics.shared.truth import Truth
from pages.classroom.truths import MOST_TRUTHS


class LessonTruths:
    """The right answer to each screen's question about its lesson's opening sentence, computed when first needed.

    compute: returns the right answer to a screen's question about a text, or raises ValueError.
    """

    def __init__(self, compute: Callable[[Screen, str], Truth]) -> None:
        self._compute, self._lock = compute, Lock()
        self._known: OrderedDict[tuple[str, int], Truth | None] = OrderedDict()

    def get(self, lesson: Lesson, number: int) -> Truth | None:
        """Return the right answer to a screen's question; None if it cannot be computed.

        number: the number of the screen, from 1.
        """
        key = lesson.name, number
        with self._lock:
            if key not in self._known:
                try:
                    self._known[key] = self._compute(lesson.screens[number - 1], lesson.words)
                except MachineFault:  # the next attempt may succeed
                    return None
                except ValueError:
                    self._known[key] = None
            if len(self._known) > MOST_TRUTHS:
                self._known.popitem(last=False)
            return self._known.get(key)
