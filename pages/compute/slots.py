"""A limited number of slots for threads that compute, given to them in the order in which they ask."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned

BUSY_MESSAGE = "Others are at heavy work on this machine, or wait for it: try again in a minute."


class Busy(ValueError):
    """The error for a thread that gets no slot: too many others wait, or no slot became free in time."""


class Slot:
    """One thread's request for a slot, and then the slot that it holds.

    end: the time of the clock at which its slice is over.
    waited: the seconds that the thread has waited in all.
    """

    def __init__(self) -> None:
        self.end = self.waited = 0.0


def ignore_position(ahead: int) -> None:
    """Ignore the thread's position in the queue; used if nothing on the screen shows that position.

    ahead: number of threads that come before.
    """


class FairSlots:
    """A semaphore that serves threads in the order in which they ask.

    A thread that holds a slot for longer than a slice no longer keeps others out: it computes beside the next one
    until it calls `make_way`, which puts it behind those that wait. So two threads can never wait for each other.

    places: number of threads that hold a slot at once.
    slice_seconds: how long a thread may keep others out.
    queue_length: the most threads that may wait.
    patience: the most seconds that a thread waits.
    look: called regularly by a thread that waits; it may end the waiting by raising an error.
    poll_seconds: the time from one call of `look` to the next.
    clock: returns the time in seconds.
    """

    def __init__(
        self,
        places: int,
        *,
        slice_seconds: float = math.inf,
        queue_length: float = math.inf,
        patience: float = math.inf,
        look: Callable[[], None] = raise_if_abandoned,
        poll_seconds: float = POLL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.inside, self.waiting = set[Slot](), deque[Slot]()
        self._places, self._slice, self._queue_length, self._patience = places, slice_seconds, queue_length, patience
        self._look, self._poll, self._clock = look, poll_seconds, clock
        self._own, self._changed = threading.local(), threading.Condition()

    @contextmanager
    def turn(self, on_wait: Callable[[int], None] = ignore_position, patience: float | None = None) -> Iterator[None]:
        """Wait for a slot and hold it inside this context; a thread that already holds one does not wait.

        on_wait: called with the number of threads that come before this one, whenever that number changes.
        patience: the most seconds to wait. If it is given, it replaces the patience of all threads, and the queue may
            be longer than `queue_length`.

        Raises Busy if too many wait, or if no slot becomes free in time.
        """
        if self.held:
            yield
            return
        if patience is None and len(self.waiting) >= self._queue_length:
            raise Busy(BUSY_MESSAGE)
        mine = Slot()
        self._join(mine, self._look, on_wait, self._patience if patience is None else patience)
        self._own.slot = mine
        try:
            yield
        finally:
            self._own.slot = None
            self._leave(mine)

    def make_way(self) -> None:
        """Let waiting threads go first if this thread's slice is over; long work must call this regularly."""
        if (mine := self._mine()) and self._clock() >= mine.end:
            self._leave(mine)
            self._join(mine, self._look)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Release this thread's slot inside this context, while it waits for something else, then take one again.

        If the code inside raises anything but Busy, no slot is taken again. While the thread waits for its new slot,
        `look` is not called, so that an abandoned run is not ended here: a lock or another slot that the thread got
        inside the context would stay taken for good.
        """
        refused: Busy | None = None
        if mine := self._mine():
            self._leave(mine)
        try:
            yield
        except Busy as busy:  # the run goes on with a sentence about it
            refused = busy
        if mine:
            self._join(mine, lambda: None)
        if refused:
            raise refused

    @property
    def held(self) -> bool:
        """Whether this thread holds a slot."""
        return self._mine() is not None

    def waited(self) -> float:
        """Return the seconds that this thread has waited for the slot that it holds."""
        mine = self._mine()
        return mine.waited if mine else 0.0

    def _mine(self) -> Slot | None:
        return getattr(self._own, "slot", None)

    def _join(
        self,
        mine: Slot,
        look: Callable[[], None],
        on_wait: Callable[[int], None] = ignore_position,
        patience: float = math.inf,
    ) -> None:
        start, told = self._clock(), 0
        with self._changed:
            self.waiting.append(mine)
        try:
            while ahead := self._ahead(mine, start + patience):
                if self._clock() >= start + patience:
                    raise Busy(BUSY_MESSAGE)
                if ahead != told:
                    told = ahead
                    on_wait(ahead)
                look()
        finally:
            mine.waited += self._clock() - start
            with self._changed:
                if mine in self.waiting:
                    self.waiting.remove(mine)
                    self._changed.notify_all()

    def _ahead(self, mine: Slot, end: float) -> int:
        """Wait for a change, then return the number of threads that come before this one; 0 if it holds a slot now.

        end: the time of the clock at which the waiting ends.
        """
        with self._changed:
            if not self._admits(mine):
                first = self.waiting[0] is mine
                until = min(self._poll, end - self._clock(), self._until_next() if first else math.inf)
                self._changed.wait(max(0.0, until))
            if not self._admits(mine):
                return self.waiting.index(mine) + len(self.inside)
            self.waiting.popleft()
            if len(self.inside) >= self._places:
                self.inside.remove(min(self.inside, key=lambda slot: slot.end))
            mine.end = self._clock() + self._slice
            self.inside.add(mine)
            self._changed.notify_all()
            return 0

    def _admits(self, mine: Slot) -> bool:
        return self.waiting[0] is mine and (len(self.inside) < self._places or self._until_next() <= 0)

    def _until_next(self) -> float:
        """Return the seconds until the first slice of the threads that hold a slot is over."""
        return min((slot.end for slot in self.inside), default=0.0) - self._clock()

    def _leave(self, mine: Slot) -> None:
        with self._changed:
            self.inside.discard(mine)
            self._changed.notify_all()
