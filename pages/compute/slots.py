"""Places for work, given to threads in the order in which they ask for one."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned

BUSY = "Others are at heavy work on this machine, or wait for it: try again in a minute."


class Busy(ValueError):
    """Too many wait for a place, or none came in time."""


class Slot:
    """The claim of one thread to a place.

    end: when its slice is over, in the time of the clock.
    waited: the seconds that it has waited in all.
    """

    def __init__(self) -> None:
        self.end = self.waited = 0.0


def ignore_position(ahead: int) -> None:
    """Do nothing; used if nothing on the screen shows the position in the queue."""


class FairSlots:
    """A semaphore that serves threads in the order in which they ask.

    A thread that holds a place for longer than a slice no longer keeps others out: it computes beside the next one
    until it calls `make_way`, which puts it behind those who wait. So two threads can never wait for each other.

    places: number of threads that hold a place at once.
    slice_seconds: how long a thread may keep others out.
    queue_length: the most threads that may wait.
    patience: the most seconds that a thread waits.
    look: called regularly by a thread that waits; may end the waiting by raising.
    poll_seconds: from one such call to the next.
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
        """Wait for a place and hold it inside this context; a thread that already holds one does not wait.

        on_wait: called with the number of threads that come before, whenever it changes.
        patience: the most seconds to wait; if it is given, the limits of the queue do not apply.

        Raises Busy if too many wait, or if no place comes in time.
        """
        if self.held:
            yield
            return
        if patience is None and len(self.waiting) >= self._queue_length:
            raise Busy(BUSY)
        mine = Slot()
        self._join(mine, self._look, on_wait, self._patience if patience is None else patience)
        self._own.slot = mine
        try:
            yield
        finally:
            self._own.slot = None
            self._leave(mine)

    def make_way(self) -> None:
        """Let others go first if this thread's slice is over; long work calls it regularly."""
        if (mine := self._mine()) and self._clock() >= mine.end:
            self._leave(mine)
            self._join(mine, self._look)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Give up this thread's place inside this context, while it waits for something else.

        If the code inside raises anything but Busy, the place is not taken again. Taking it again never ends the run,
        even if nobody waits for it any more: a lock or another place that it was given meanwhile would stay taken for
        good.
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
        """Whether this thread holds a place."""
        return self._mine() is not None

    def waited(self) -> float:
        """Return the seconds that this thread has waited for the place that it holds."""
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
                    raise Busy(BUSY)
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
        """Return how many come before, after a wait for a change; 0 means that it holds a place now."""
        with self._changed:
            if not self._admits(mine):
                first = self.waiting[0] is mine
                until = min(self._poll, end - self._clock(), self._until_next() if first else math.inf)
                self._changed.wait(max(0.0, until))
            if not self._admits(mine):
                return self.waiting.index(mine) + len(self.inside)
            self.waiting.popleft()
            if len(self.inside) >= self._places:
                self.inside.remove(min(self.inside, key=lambda each: each.end))
            mine.end = self._clock() + self._slice
            self.inside.add(mine)
            self._changed.notify_all()
            return 0

    def _admits(self, mine: Slot) -> bool:
        return self.waiting[0] is mine and (len(self.inside) < self._places or self._until_next() <= 0)

    def _until_next(self) -> float:
        """Return the seconds until the next slice is over."""
        return min((each.end for each in self.inside), default=0.0) - self._clock()

    def _leave(self, mine: Slot) -> None:
        with self._changed:
            self.inside.discard(mine)
            self._changed.notify_all()
