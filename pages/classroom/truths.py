"""The truth of a lesson's screen, computed from the run that its page would show; without a Streamlit session."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from core.device import choose
from core.faults import MachineFault
from core.lessons.lesson import Lesson, Screen
from core.topics.shared.truth import Truth
from core.tracing.run import Run
from pages.compute import cache
from pages.compute.run_slots import run_slots
from pages.shell import own_text
from pages.shell.model_choice import default_example, effective_model
from pages.shell.page import Page
from pages.shell.prepare import DEFAULTS, make_run, with_own_target
from pages.shell.settings import (
    HEADER_SETTINGS,
    MODEL,
    PAGE_MODEL,
    RANDOM_WEIGHTS,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
)
from pages.shell.url_params import parsed

MOST_TRUTHS = 200


def truth_of(page: Page, screen: Screen, text: str) -> Truth:
    """Return the truth of a screen about a text.

    page: the page that the screen is about.

    Raises ValueError, with a sentence for the learner, if the text does not suit the question.
    """
    with run_slots().turn():
        run = run_of_screen(page, screen.settings, text)
        truth: Truth = cache.compute(partial(screen.function, **screen.arguments), run)
    return truth


def run_of_screen(page: Page, settings: Mapping[str, str], text: str) -> Run:
    """Return the run that a page shows with these settings, as written in the URL, and this text."""
    values = DEFAULTS | {
        setting.key: parsed(setting, [settings[setting.key]]) for setting in HEADER_SETTINGS if setting.key in settings
    }
    name = effective_model(page, settings.get(MODEL.key, PAGE_MODEL), values["kind"])
    trained = None if name == RANDOM_WEIGHTS else cache.trained(name)
    if trained:
        values |= {setting.key: setting.default for setting in SIZE_SETTINGS} | {"kind": trained.config.architecture}
    values["placement"] = choose(values["device"], values["dtype"])
    text, target = _texts(page, settings, values["kind"], name, text)
    if own_text.helps(page, trained):
        text = own_text.as_read(text)
    return with_own_target(make_run(values, text, target, trained))


def _texts(page: Page, settings: Mapping[str, str], architecture: str, model: str, text: str) -> tuple[str, str]:
    """Return the text that a page reads, and that of the decoder."""
    first = default_example(page, model)
    if not page.reads_text:
        return first.text, first.target or TARGET.default
    target = first.target or ""
    if page.asks_target and architecture == "encoder-decoder":
        target = settings.get(TARGET.key, target)
    return settings.get(TEXT.key, text), target


class TruthCache:
    """The truths that classes need, each computed once, in a thread beside the server's.

    compute: returns the truth of a screen about a text, or raises ValueError.
    most: the most truths that are kept.
    """

    def __init__(self, compute: Callable[[Screen, str], Truth], most: int = MOST_TRUTHS) -> None:
        self._compute, self._most = compute, most
        self._pool = ThreadPoolExecutor(1, "class-truths")
        self._futures: OrderedDict[Any, Future[Truth]] = OrderedDict()

    def ready(self, lesson: Lesson, number: int, text: str) -> bool:
        """Return whether a truth is there, or is known not to be."""
        future = self._futures.get((lesson.name, number, text))
        return future is not None and future.done()

    async def get(self, lesson: Lesson, number: int, text: str) -> Truth:
        """Return the truth of a screen of a lesson.

        number: of the screen, from 1.

        Raises ValueError, with a sentence for the learner, if the text does not suit the question.
        """
        key = lesson.name, number, text
        future = self._futures.get(key)
        if future is None:
            future = self._futures[key] = self._pool.submit(self._compute, lesson.screens[number - 1], text)
            if len(self._futures) > self._most:
                self._futures.popitem(last=False)
        self._futures.move_to_end(key)
        try:
            return await asyncio.shield(asyncio.wrap_future(future))
        except MachineFault:  # the next attempt may succeed
            self._futures.pop(key, None)
            raise
