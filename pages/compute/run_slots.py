"""Turns for runs of the script, first come, first served.

Python computes for one thread at a time, and a dozen threads that compete for it lose half of it to the competition.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.device import processors
from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned

SLICE_SECONDS = 0.3  # nine of ten runs finish within it


class Slot:
    """One run of the script that takes turns, in times of `time.monotonic`.

    end: the time at which its turn ends.
    waited: the seconds that it has waited in all.
    """

    def __init__(self) -> None:
        self.end = self.waited = 0.0


class RunSlots:
    """The queue of runs, some of which have their turn.

    A run whose turn is over queues up again as soon as it calls `make_way`. Until then it computes beside the next run,
    which does not wait for it any more, so two runs can never wait for each other.

    places: number of runs that have their turn at once.
    own: thread-local; its `mine` is the slot of this thread's run.
    """

    def __init__(self, places: int) -> None:
        self.places, self.inside, self.waiting = places, set[Slot](), deque[Slot]()
        self.own = threading.local()
        self._changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and hold it inside this context; a run inside another run already has its turn."""
        if self._mine():
            yield
            return
        mine = self.own.mine = Slot()
        try:
            self._join(mine, raise_if_abandoned)
            yield
        finally:
            self.own.mine = None
            self._leave(mine)

    def make_way(self) -> None:
        """Let others go first if this run's turn is over; long work calls it regularly."""
        if (mine := self._mine()) and time.monotonic() >= mine.end:
            self._leave(mine)
            self._join(mine, raise_if_abandoned)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Give up the turn inside this context, while the run waits for something else.

        If the code inside raises, the turn is not taken again. Taking it again never ends the run, even if nobody waits
        for it any more: a lock or a turn that the run was given meanwhile would stay taken for good.
        """
        if mine := self._mine():
            self._leave(mine)
        yield
        if mine:
            self._join(mine, lambda: None)

    def waited(self) -> float:
        """Return the seconds that this thread's run has waited for its turns."""
        mine = self._mine()
        return mine.waited if mine else 0.0

    def _mine(self) -> Slot | None:
        return getattr(self.own, "mine", None)

    def _join(self, mine: Slot, look: Callable[[], None]) -> None:
        """Wait for a turn.

        look: called regularly while waiting; may end the run by raising.
        """
        start = time.monotonic()
        with self._changed:
            self.waiting.append(mine)
        try:
            while not self._entered(mine):
                look()
        finally:
            mine.waited += time.monotonic() - start
            with self._changed:
                if mine in self.waiting:
                    self.waiting.remove(mine)
                    self._changed.notify_all()

    def _entered(self, mine: Slot) -> bool:
        """Wait a moment, and return whether the turn has come."""
        with self._changed:
            first = self.waiting[0] is mine
            self._changed.wait_for(
                lambda: self._admits(mine) or (self.waiting[0] is mine) is not first,
                min(POLL_SECONDS, self._until_next()) if first else POLL_SECONDS,
            )
            if not self._admits(mine):
                return False
            self.waiting.popleft()
            if len(self.inside) >= self.places:
                self.inside.remove(min(self.inside, key=lambda each: each.end))
            mine.end = time.monotonic() + SLICE_SECONDS
            self.inside.add(mine)
            self._changed.notify_all()
            return True

    def _admits(self, mine: Slot) -> bool:
        return self.waiting[0] is mine and (len(self.inside) < self.places or not self._until_next())

    def _until_next(self) -> float:
        """Return the seconds until the next turn is over."""
        return max(0.0, min((each.end for each in self.inside), default=0.0) - time.monotonic())

    def _leave(self, mine: Slot) -> None:
        with self._changed:
            self.inside.discard(mine)
            self._changed.notify_all()


@st.cache_resource(show_spinner=False)
def run_slots() -> RunSlots:
    return RunSlots(max(1, processors() // 2))
