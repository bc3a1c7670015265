"""Whose run of the script computes now. Python computes for one thread at a time, and a dozen that fight for it lose
half of it to the fight: so runs take turns, first come, first served."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.device import processors
from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned

SLICE_SECONDS = 0.3  # nine of ten runs are done within it


class Slot:
    """One run of the script in the lane. end: of its turn; waited: seconds in all. By the clock of `time.monotonic`."""

    def __init__(self) -> None:
        self.end = self.waited = 0.0


class RunSlots:
    """A run whose turn is over goes on behind the others as soon as it makes way. Until then it computes beside the
    next one, which does not wait for it any more: so nobody waits for somebody who waits for him.

    places: how many have their turn at once. own: knows the pass of this thread's run.
    """

    def __init__(self, places: int) -> None:
        self.places, self.inside, self.waiting = places, set[Slot](), deque[Slot]()
        self.own = threading.local()
        self._changed = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A run of the script. A run within a run has its turn."""
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
        """What long work calls now and then."""
        if (mine := self._mine()) and time.monotonic() >= mine.end:
            self._leave(mine)
            self._join(mine, raise_if_abandoned)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within it a run waits for something else, and others may have its turn. Where that fails, it has none.

        Coming back never ends the run, also where nobody waits for it any more: what it has been given meanwhile (a
        lock, a turn) would stay taken for good.
        """
        if mine := self._mine():
            self._leave(mine)
        yield
        if mine:
            self._join(mine, lambda: None)

    def waited(self) -> float:
        """Seconds that this thread's run has waited for its turns."""
        mine = self._mine()
        return mine.waited if mine else 0.0

    def _mine(self) -> Slot | None:
        return getattr(self.own, "mine", None)

    def _join(self, mine: Slot, look: Callable[[], None]) -> None:
        """Wait for a turn. look: called now and then; may end the run."""
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
        """Whether its turn has come within a moment."""
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
        """Seconds until the next turn is over."""
        return max(0.0, min((each.end for each in self.inside), default=0.0) - time.monotonic())

    def _leave(self, mine: Slot) -> None:
        with self._changed:
            self.inside.discard(mine)
            self._changed.notify_all()


@st.cache_resource(show_spinner=False)
def run_slots() -> RunSlots:
    return RunSlots(max(1, processors() // 2))
