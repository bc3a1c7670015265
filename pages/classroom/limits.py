"""Limits on the requests of one participant, of one address, and of somebody who guesses codes.

A whole school may share one address. So the requests of a participant who has joined count for this participant alone;
only the requests of strangers count for their address.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NoReturn

from pages.classroom.requests import Rejected

PHONE_LIMIT = 5.0, 20  # requests in a second for long, and at once
ADDRESS_LIMIT = 30.0, 600
CODES_LIMIT = 0.5, 40  # wrong codes of one address
ROOMS_LIMIT = 1 / 300, 24  # rooms opened from one address: a course for teachers, who all open one at once


class RateLimit:
    """A rate limit by name (a token bucket, refilled at a steady rate); names used least recently are forgotten.

    per_second: how many requests are allowed for long.
    burst: how many are allowed at once.
    max_names: the most names that are remembered.
    clock: returns the time in seconds.
    """

    def __init__(
        self, per_second: float, burst: int, max_names: int = 4096, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second, self._burst, self._max_names, self._clock = per_second, burst, max_names, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when

    def allows(self, name: str) -> bool:
        """Take a token from the bucket of this name; return whether there was one."""
        now = self._clock()
        left, then = self._buckets.pop(name, (float(self._burst), now))
        left = min(float(self._burst), left + (now - then) * self._per_second)
        self._buckets[name] = (left - 1 if left >= 1 else left), now
        if len(self._buckets) > self._max_names:
            self._buckets.popitem(last=False)
        return left >= 1


class WrongCodes:
    """Answers wrong codes slowly, so that nobody finds a class by trying codes.

    If a class is gone, all its phones ask for the same code. They share one wait; after it the code is known to be
    wrong, and further requests for it are answered at once.

    seconds: how long an answer takes.
    waiting: the most codes that are waited for at the same time.
    remembered: the most codes that are known to be wrong, each for a minute.
    """

    def __init__(
        self,
        seconds: float = 1.0,
        waiting: int = 20,
        remembered: int = 200,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._seconds, self._waiting, self._remembered = seconds, waiting, remembered
        self._clock, self._sleep = clock, sleep
        self._known: OrderedDict[str, float] = OrderedDict()
        self._pending: dict[str, asyncio.Event] = {}
        self._addresses = RateLimit(*CODES_LIMIT, clock=clock)

    async def reject(self, code: str, address: str) -> NoReturn:
        """Raise Rejected after a while: 404, or 429 if too many codes are tried.

        code: one that belongs to no room.
        """
        if self._clock() - self._known.get(code, float("-inf")) > 60:
            await self._wait(code, address)
        raise Rejected(404, "There is no class with this code.")

    async def _wait(self, code: str, address: str) -> None:
        if code in self._pending:
            await self._pending[code].wait()
            return
        if len(self._pending) >= self._waiting or not self._addresses.allows(address):
            raise Rejected(429, "Too many wrong codes. Wait a minute, then try again.")
        over = self._pending[code] = asyncio.Event()
        try:
            await self._sleep(self._seconds)
            self._known[code] = self._clock()
            self._known.move_to_end(code)
            if len(self._known) > self._remembered:
                self._known.popitem(last=False)
        finally:
            del self._pending[code]
            over.set()
