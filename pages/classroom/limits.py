"""Limits on the requests of one participant, of one address, and of somebody who guesses codes.

A whole school may share one address. So the requests of a participant who has joined count for this participant alone;
only the requests of strangers count for their address, and nobody is refused because others behind the address typed
wrong codes.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Literal

from pages.classroom.requests import Rejected

PHONE_LIMIT = 5.0, 20  # requests of one participant in a second for long, and at once
ADDRESS_LIMIT = 30.0, 600  # requests of strangers from one address
JOIN_LIMIT = 1.0, 40  # new seats of one room for one address: a class that shares one is in within a minute
CODES_LIMIT = 0.5, 40  # wrong codes of one address, after which its right ones are answered as slowly
ROOMS_LIMIT = 1 / 300, 24  # rooms opened from one address: a course for teachers, who all open one at once
JUDGE_LIMIT = 1 / 20, 48  # sentences tried from one address before a room opens, by the same course
Counted = Literal["phone", "address", "join", "code", "room", "judge"]
RATES: Mapping[Counted, tuple[float, int]] = MappingProxyType(
    {
        "phone": PHONE_LIMIT,
        "address": ADDRESS_LIMIT,
        "join": JOIN_LIMIT,
        "code": CODES_LIMIT,
        "room": ROOMS_LIMIT,
        "judge": JUDGE_LIMIT,
    }
)
MOST_JUDGED = 24  # sentences that are tried at the same time
TEXT_CHARACTERS = 300  # of the sentence that a class asks about


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
        left = self._left(name)
        self._buckets.pop(name, None)
        self._buckets[name] = (left - 1 if left >= 1 else left), self._clock()
        if len(self._buckets) > self._max_names:
            self._buckets.popitem(last=False)
        return left >= 1

    def has_any(self, name: str) -> bool:
        """Return whether there is a token in the bucket of this name, and leave it there."""
        return self._left(name) >= 1

    def _left(self, name: str) -> float:
        now = self._clock()
        left, then = self._buckets.get(name, (float(self._burst), now))
        return min(float(self._burst), left + (now - then) * self._per_second)


class Limits(ABC):
    """The limits of `RATES`, each by the name of whoever is limited."""

    @abstractmethod
    async def allows(self, counted: Counted, name: str) -> bool:
        """Count one more of a kind for a name; return whether it is allowed."""

    @abstractmethod
    async def has_any(self, counted: Counted, name: str) -> bool:
        """Return whether one more of a kind would be allowed, without counting it."""


class MemoryLimits(Limits):
    """The limits of this copy of the app."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = {counted: RateLimit(*rate, clock=clock) for counted, rate in RATES.items()}

    async def allows(self, counted: Counted, name: str) -> bool:
        return self._limits[counted].allows(name)

    async def has_any(self, counted: Counted, name: str) -> bool:
        return self._limits[counted].has_any(name)


class CodeGuesses:
    """Answers codes slowly to those who are in no room yet, so that nobody finds a class by trying codes.

    A wrong code is answered after a second. So is a right one from an address that has tried many wrong ones: whoever
    waits for no answer learns nothing. Only where hundreds wait at once is anybody refused.

    If a class is gone, all its phones ask for the same code. They share one wait; after it the code is known to be
    wrong, and further requests for it are answered at once.

    limits: count the wrong codes of each address.
    seconds: how long an answer takes.
    waiting: the most answers that are waited for at the same time: by one address, and by all.
    remembered: the most codes that are known to be wrong, each for a minute.
    """

    def __init__(
        self,
        limits: Limits,
        seconds: float = 1.0,
        waiting: tuple[int, int] = (100, 1000),
        remembered: int = 200,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._seconds, self._waiting, self._remembered = seconds, waiting, remembered
        self._clock, self._sleep = clock, sleep
        self._known: OrderedDict[str, float] = OrderedDict()
        self._pending: dict[str, asyncio.Event] = {}
        self._sleepers = Counter[str]()  # by address
        self._limits = limits

    async def wait(self, code: str, address: str, exists: bool) -> None:
        """Return after the while that the answer to a code takes.

        exists: whether a room has this code.

        Raises Rejected if too many codes are tried at once.
        """
        if not exists and self._clock() - self._known.get(code, float("-inf")) > 60:
            await self._wait_for_wrong(code, address)
        elif exists and not await self._limits.has_any("code", address):
            await self._sleep_among_others(address)

    async def _wait_for_wrong(self, code: str, address: str) -> None:
        if code in self._pending:
            await self._pending[code].wait()
            return
        over = self._pending[code] = asyncio.Event()
        try:
            await self._limits.allows("code", address)
            await self._sleep_among_others(address)
            self._known[code] = self._clock()
            self._known.move_to_end(code)
            if len(self._known) > self._remembered:
                self._known.popitem(last=False)
        finally:
            del self._pending[code]
            over.set()

    async def _sleep_among_others(self, address: str) -> None:
        of_address, of_all = self._waiting
        if self._sleepers[address] >= of_address or self._sleepers.total() >= of_all:
            raise Rejected(429, "Many codes are being tried from your network. Wait a moment, then try again.")
        self._sleepers[address] += 1
        try:
            await self._sleep(self._seconds)
        finally:
            self._sleepers[address] -= 1
            self._sleepers += Counter()  # keeps those above zero alone
