"""The drawings that a projector shows beside the right answers, each a page that answers by itself."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from core.lessons.lesson import Screen
from pages.classroom.plans import PlanQuestion

MOST_DRAWINGS = 40  # at most 200 kB each, and the scripts


class DrawingCache:
    """A cache of drawings as HTML, made in one background thread.

    draw: returns the drawing of a screen about a text, "" if it has none; raises ValueError if the text does not suit.
    max_drawings: the largest number of drawings kept; the least recently used is dropped.
    """

    def __init__(self, draw: Callable[[Screen, str], str], max_drawings: int = MOST_DRAWINGS) -> None:
        self._draw, self._max_drawings = draw, max_drawings
        self._pool = ThreadPoolExecutor(1, "class-drawings")
        self._futures: OrderedDict[tuple[str, int, str], Future[str]] = OrderedDict()

    def ready(self, question: PlanQuestion, text: str) -> str:
        """Return the drawing of a question; "" if there is none, or none yet."""
        future = self._futures.get(_key(question, text))
        return future.result() if future is not None and future.done() and not future.cancelled() else ""

    def begin(self, question: PlanQuestion, text: str, when_done: Callable[[], None]) -> None:
        """Start to make the drawing of a question unless that has been started.

        when_done: is called then, in another thread.
        """
        key = _key(question, text)
        if key in self._futures:
            self._futures.move_to_end(key)
            return
        future = self._futures[key] = self._pool.submit(self._made, question.screen, key[2])
        if len(self._futures) > self._max_drawings:
            self._futures.popitem(last=False)
        future.add_done_callback(lambda _: when_done())

    def _made(self, screen: Screen, text: str) -> str:
        try:
            return self._draw(screen, text)
        except ValueError:
            return ""
        except Exception:  # the projector goes on without it
            logging.getLogger(__name__).exception("The drawing of “%s” could not be made.", screen.question)
            return ""


def _key(question: PlanQuestion, text: str) -> tuple[str, int, str]:
    return question.lesson.name if question.lesson else "", question.number, question.sentence(text)
