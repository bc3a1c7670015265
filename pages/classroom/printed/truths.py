"""The right answers to the lessons' questions about their opening sentences, and the tables of their pictures."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from core.explore import Matrix
from core.faults import MachineFault
from core.lessons.lesson import Lesson, Screen
from core.topics.shared.truth import Truth
from pages.classroom.truths import MOST_TRUTHS

Made = TypeVar("Made")


def no_tables(screen: Screen, text: str) -> tuple[Matrix, ...]:
    """Return that a question has no picture to print."""
    return ()


class LessonTruths:
    """What is printed of each screen's question about its lesson's opening sentence, computed when first needed.

    compute: returns the right answer to a screen's question about a text, or raises ValueError.
    draw: returns the tables in the picture of a screen about a text, or raises ValueError.
    """

    def __init__(
        self,
        compute: Callable[[Screen, str], Truth],
        draw: Callable[[Screen, str], tuple[Matrix, ...]] = no_tables,
    ) -> None:
        self._truths, self._tables = _Kept(compute), _Kept(draw)

    def get(self, lesson: Lesson, number: int) -> Truth | None:
        """Return the right answer to a screen's question; None if it cannot be computed.

        number: the number of the screen, from 1.
        """
        return self._truths.get(lesson, number)

    def tables(self, lesson: Lesson, number: int) -> tuple[Matrix, ...]:
        """Return the tables in the picture of a screen; () if it has none.

        number: the number of the screen, from 1.
        """
        return self._tables.get(lesson, number) or ()


class _Kept(Generic[Made]):
    """What a function makes of screens and their lessons' opening sentences, each made once.

    make: raises ValueError if it cannot be made.
    """

    def __init__(self, make: Callable[[Screen, str], Made]) -> None:
        self._make, self._lock = make, Lock()
        self._known: OrderedDict[tuple[str, int], Made | None] = OrderedDict()

    def get(self, lesson: Lesson, number: int) -> Made | None:
        """Return what is made of a screen, by its number from 1; None if that cannot be made."""
        key = lesson.name, number
        with self._lock:
            if key not in self._known:
                try:
                    self._known[key] = self._make(lesson.screens[number - 1], lesson.words)
                except MachineFault:  # the next attempt may succeed
                    return None
                except ValueError:
                    self._known[key] = None
            if len(self._known) > MOST_TRUTHS:
                self._known.popitem(last=False)
            return self._known.get(key)
