"""Results of long computations, computed item by item and shared by all visitors; each item is computed only once."""

import threading
import time
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from pages.compute.calls import CallTrace, added, record_calls
from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned
from pages.compute.run_slots import run_slots

Item = TypeVar("Item", bound=Hashable)
Found = TypeVar("Found")
FIRST, NEXT = 0.8, 0.4  # seconds until the results so far are drawn for the first time, and again


class IncrementalResults(Generic[Item, Found]):
    """The items that have been computed so far.

    All visitors share it, so it is kept in a cache of resources.
    """

    def __init__(self) -> None:
        self.found: dict[Item, Found] = {}
        self._traces: dict[Item, CallTrace] = {}
        self._lock = threading.Lock()

    def so_far(self) -> dict[Item, Found]:
        """Return the items computed so far, and note the calls that made them in the log of this view."""
        now = dict(self.found)
        for item, found in now.items():
            added(self._traces[item], found)
        return now

    def more(self, items: Iterable[Item], work: Callable[[Item], Found], seconds: float) -> None:
        """Compute the items that are missing: at least one, and no further one after `seconds`."""
        end = time.monotonic() + seconds
        for item in items:
            if item in self.found:
                continue
            self._wait()
            try:
                if item not in self.found:
                    with record_calls() as log:
                        found = work(item)
                    self._traces[item] = log.trace(found)
                    self.found[item] = found
            finally:
                self._lock.release()
            if time.monotonic() >= end:
                return

    def _wait(self) -> None:
        """Acquire the lock, so that nobody else computes an item; end this run if nobody waits for it any more."""
        if not self._lock.acquire(blocking=False):
            with run_slots().aside():
                while not self._lock.acquire(timeout=POLL_SECONDS):
                    raise_if_abandoned()
