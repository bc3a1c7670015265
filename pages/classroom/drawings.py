"""The drawings that a class sees beside the right answers, each a page that answers by itself."""

import gzip
import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from core.lessons.lesson import Screen
from pages.classroom.plans import PlanQuestion
from pages.shell.compressed import HEADERS, takes_gzip
from pages.shell.security_headers import POLICY, policy_of

MOST_DRAWINGS = 40  # at most 200 kB each, and the scripts
MOST_PICKS, KEY_CHARACTERS, VALUE_CHARACTERS = 16, 60, 120  # of what is chosen in a drawing
MOST_STEPS, MOST_SIBLINGS = 24, 10_000  # the depth of the clicked element, and its place among its siblings
DRAWING_POLICY = {
    "sandbox": "allow-scripts",
    "default-src": "'none'",
    "script-src": "'unsafe-inline' data:",
    "style-src": "'unsafe-inline'",
    "img-src": "data: blob:",
    "frame-ancestors": "'self'",
}


@dataclass(frozen=True)
class Drawing:
    """A drawing as the HTML of a page, also compressed by gzip, which nearly every browser accepts."""

    html: bytes
    compressed: bytes

    @property
    def kilobytes(self) -> int:
        """What a phone loads, in thousands of bytes."""
        return math.ceil(len(self.compressed) / 1000)

    def answer(self, request: Request, caching: str) -> Response:
        """Answer with the page, which has scripts of its own and so a policy of its own: no origin, no network.

        caching: what browsers may keep, as in Cache-Control.
        """
        headers = {"Cache-Control": caching, POLICY: policy_of(DRAWING_POLICY)}
        if takes_gzip(request.scope):
            return HTMLResponse(self.compressed, headers=headers | HEADERS)
        return HTMLResponse(self.html, headers=headers)


def checked_choice(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is chosen in a drawing as a browser sent it; the drawing takes only the settings that it has.

    Its "picks" are values of settings by their keys, its "spot" the way to the element that was clicked.

    Raises ValueError if something is no plain value, too long, or too much.
    """
    picks, spot = content.get("picks"), content.get("spot")
    if not isinstance(picks, dict) or len(picks) > MOST_PICKS or any(len(key) > KEY_CHARACTERS for key in picks):
        raise ValueError("No picture has such settings.")
    for value in picks.values():
        is_short = isinstance(value, str) and len(value) <= VALUE_CHARACTERS
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if not (is_short or is_number or value is None):
            raise ValueError("A picture's settings are short texts and numbers.")
    if not isinstance(spot, list) or len(spot) > MOST_STEPS or not all(map(_is_place, spot)):
        raise ValueError("No picture has such a spot.")
    return {"picks": picks, "spot": spot}


def _is_place(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_SIBLINGS


class DrawingCache:
    """A cache of drawings as HTML, made in one background thread.

    draw: returns the drawing of a screen about a text, "" if it has none; raises ValueError if the text does not suit.
    max_drawings: the largest number of drawings kept; the least recently used is dropped.
    """

    def __init__(self, draw: Callable[[Screen, str], str], max_drawings: int = MOST_DRAWINGS) -> None:
        self._draw, self._max_drawings = draw, max_drawings
        self._pool = ThreadPoolExecutor(1, "class-drawings")
        self._futures: OrderedDict[tuple[str, int, str], Future[Drawing | None]] = OrderedDict()

    def ready(self, question: PlanQuestion, text: str) -> Drawing | None:
        """Return the drawing of a question; None if there is none, or none yet."""
        future = self._futures.get(_key(question, text))
        return future.result() if future is not None and future.done() and not future.cancelled() else None

    def lacks(self, question: PlanQuestion, text: str) -> bool:
        """Return whether it is known that a question has no drawing."""
        future = self._futures.get(_key(question, text))
        return future is not None and future.done() and not future.cancelled() and future.result() is None

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

    def _made(self, screen: Screen, text: str) -> Drawing | None:
        try:
            html = self._draw(screen, text).encode()
            return Drawing(html, gzip.compress(html, mtime=0)) if html else None
        except ValueError:
            return None
        except Exception:  # the class goes on without it
            logging.getLogger(__name__).exception("The drawing of “%s” could not be made.", screen.question)
            return None


def _key(question: PlanQuestion, text: str) -> tuple[str, int, str]:
    return question.lesson.name if question.lesson else "", question.number, question.sentence(text)
