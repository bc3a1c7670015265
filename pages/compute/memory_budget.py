"""Room in the server's memory: what a run will take is booked before it begins, and what does not fit is refused."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.explorer.shared.loading import MemoryEstimate, refusal
from core.limits import APP_MIB, HEAVY_MIB, RESERVE_MIB
from core.memory import MIB, memory_ceiling, memory_limit, resident, trim_heap
from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned
from pages.compute.heavy_queue import one_at_a_time
from pages.compute.run_slots import run_slots

MAX_WAIT_SECONDS = 5.0  # of a run, for memory that others have reserved
EVICTION_INTERVAL_SECONDS = 30.0  # between two evictions for light runs: what was freed is soon made again


class Bookings:
    """Bytes that running work has booked.

    What a run has taken already is counted once: the server is expected to hold what it held when the bookings began
    and all of them, or what it holds now, whichever is more.
    """

    def __init__(self) -> None:
        self.bytes, self.freed = 0, -EVICTION_INTERVAL_SECONDS
        self._expected = 0
        self._lock = threading.Lock()

    def take(self, needed: int, reserve: int = 0) -> bool:
        """Book so many bytes, where there is room. reserve: bytes that it may take beyond the ceiling."""
        with self._lock:
            held = self._held()
            fits = needed <= room_beside(held) + reserve
            if fits:
                self.bytes, self._expected = self.bytes + needed, held + needed
            return fits

    def end(self, booked: int) -> None:
        with self._lock:
            self.bytes, self._expected = self.bytes - booked, self._expected - booked

    def crowded(self, needed: int) -> bool:
        """Whether a run of so many bytes would take the server beyond the app's share of its ceiling."""
        with self._lock:
            return memory_ceiling() > 0 and self._held() + needed > APP_MIB * MIB

    def room(self) -> int:
        """Bytes that one more run may take."""
        with self._lock:
            return room_beside(self._held())

    def worth_waiting(self, needed: int) -> bool:
        """Whether there would be room if everybody else had done and had given back all that they booked."""
        return self.bytes > 0 and needed <= self.room() + self.bytes

    def _held(self) -> int:
        return max(resident(), self._expected if self.bytes else 0)

    def may_free(self) -> bool:
        """Whether light runs may make room again; asked, it is taken for done."""
        with self._lock:
            now = time.monotonic()
            may = now - self.freed >= EVICTION_INTERVAL_SECONDS
            self.freed = now if may else self.freed
            return may


@st.cache_resource(show_spinner=False)
def bookings() -> Bookings:
    return Bookings()


def room_beside(held: int) -> int:
    """Bytes that one more run may take: what the ceiling leaves, or what a run may use where there is none."""
    ceiling = memory_ceiling()
    return ceiling - held if ceiling else memory_limit()


@contextmanager
def room_for(
    needed: Callable[[], MemoryEstimate], spare: Callable[[], object], shed: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Room for a run. What is heavy waits for its turn and gives back what it took; what is light may go a little
    beyond the ceiling, and waits for its turn only where no room comes otherwise.

    needed: the bytes that it will take beside what the server holds now. spare: frees what is kept only so that it need
    not be made again; called where there is no room otherwise. shed: frees the least worth keeping of it, and says
    whether there was any; called before while the run would take the server beyond the app's share. ValueError where
    there is no room even then.
    """
    total, books = needed().total, bookings()
    if total <= HEAVY_MIB * MIB and _fits(total, spare, shed, books):
        try:
            yield
        finally:
            books.end(total)
        return
    with one_at_a_time():
        total = _booked(needed, spare, shed, books)
        try:
            yield
        finally:
            books.end(total)
    trim_heap()


def _fits(total: int, spare: Callable[[], object], shed: Callable[[], bool], books: Bookings) -> bool:
    """Whether a light run's bytes could be booked, at once or when others had done with theirs."""
    _make_way(total, shed, books)
    if books.take(total):
        return True
    if books.may_free():
        spare()
        trim_heap()
    end = time.monotonic() + MAX_WAIT_SECONDS
    while not books.take(total, RESERVE_MIB * MIB):
        if not books.worth_waiting(total - RESERVE_MIB * MIB) or time.monotonic() >= end:
            return False
        _wait()
    return True


def _booked(
    needed: Callable[[], MemoryEstimate], spare: Callable[[], object], shed: Callable[[], bool], books: Bookings
) -> int:
    """The bytes that were booked, as soon as there was room: what can go, goes, and others are waited for."""
    _make_way(needed().total, shed, books)
    end, freed = time.monotonic() + MAX_WAIT_SECONDS, False
    while not books.take((found := needed()).total):
        if not freed:
            freed = True
            if found.total > HEAVY_MIB * MIB or books.may_free():
                spare()
                trim_heap()
        elif books.worth_waiting(found.total) and time.monotonic() < end:
            _wait()
        else:
            raise ValueError(refusal(found, books.room()))
    return found.total


def _make_way(needed: int, shed: Callable[[], bool], books: Bookings) -> None:
    """Free what is least worth keeping, one after the other, while the app would go beyond its share."""
    while books.crowded(needed) and shed():
        pass


def _wait() -> None:
    """A moment in which others may give room back."""
    with run_slots().aside():
        raise_if_abandoned()
        time.sleep(POLL_SECONDS)
