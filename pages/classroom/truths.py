"""The right answer to a lesson's question, computed from the run that its page would show, without a session."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from core.faults import MachineFault
from core.lessons.lesson import Lesson, Screen
from core.topics.shared.truth import Truth
from pages.compute import cache
from pages.compute.run_slots import run_slots
from pages.shell.page import Page
from pages.shell.run_plan import run_of_screen

MOST_TRUTHS = 200


def truth_of(page: Page, screen: Screen, text: str) -> Truth:
    """Return the right answer to a screen's question about a text.

    page: the page that the screen is about.

    Raises ValueError, with a sentence for the learner, if the text does not suit the question.
    """
    with run_slots().turn():
        run = run_of_screen(page, screen.settings, text)
        truth: Truth = cache.compute(partial(screen.function, **screen.arguments), run)
    return truth


class TruthCache:
    """A cache of the right answers to the lessons' questions, computed in one background thread.

    compute: returns the right answer on a screen about a text, or raises ValueError.
    max_truths: the largest number of answers kept; the least recently used is dropped.
    """

    def __init__(self, compute: Callable[[Screen, str], Truth], max_truths: int = MOST_TRUTHS) -> None:
        self._compute, self._max_truths = compute, max_truths
        self._pool = ThreadPoolExecutor(1, "class-truths")
        self._futures: OrderedDict[Any, Future[Truth]] = OrderedDict()

    def ready(self, lesson: Lesson, number: int, text: str) -> bool:
        """Return whether an answer is computed, or known to be impossible."""
        future = self._futures.get(_key(lesson, number, text))
        return future is not None and future.done()

    async def get(self, lesson: Lesson, number: int, text: str) -> Truth:
        """Return the right answer on a screen of a lesson.

        number: the number of the screen, from 1.

        Raises ValueError, with a sentence for the learner, if the text does not suit the question.
        """
        key = _key(lesson, number, text)
        future = self._futures.get(key)
        if future is None:
            future = self._futures[key] = self._pool.submit(self._compute, lesson.screens[number - 1], key[2])
            if len(self._futures) > self._max_truths:
                self._futures.popitem(last=False)
        self._futures.move_to_end(key)
        try:
            return await asyncio.shield(asyncio.wrap_future(future))
        except MachineFault:  # the next attempt may succeed
            self._futures.pop(key, None)
            raise


def _key(lesson: Lesson, number: int, text: str) -> tuple[str, int, str]:
    """Return the key of an answer: with the lesson's own words if the question is not about the text."""
    return lesson.name, number, text if lesson.screens[number - 1].is_about_text else lesson.words
