"""Memory accounting on the server: reserve a run's memory before it starts, and refuse a run that does not fit.

Heavy runs take turns, so they never add up. Reservations are for light ones: several may begin before the first has
taken its memory. Without them the load benchmark's thirty visitors took 715 MiB at most, and 696 with them.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.device import memory_of
from core.limits import APP_MIB, HEAVY_MIB, RESERVE_MIB
from core.memory import MIB, memory_ceiling, memory_limit, resident, trim_heap
from core.topics.shared.loading import MemoryEstimate, refusal, why_too_large
from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned
from pages.compute.heavy_queue import one_at_a_time
from pages.compute.run_slots import run_slots

MAX_WAIT_SECONDS = 5.0  # the longest that a run waits for memory that others have reserved
EVICTION_INTERVAL_SECONDS = 30.0  # between two evictions for light runs: freed objects are soon made again


class Bookings:
    """The bytes of memory that running work has reserved.

    The memory that a run has already taken must not count twice, once as reserved and once as held. The server is
    therefore expected to hold either the memory that it held when the reservations began plus all of them, or the
    memory that it holds now, whichever is more.
    """

    def __init__(self) -> None:
        self.bytes, self.freed = 0, -EVICTION_INTERVAL_SECONDS
        self._expected = 0
        self._lock = threading.Lock()

    def take(self, needed: int, reserve: int = 0) -> bool:
        """Reserve `needed` bytes if they fit, and return whether they do.

        reserve: number of bytes by which the reservation may exceed the ceiling.
        """
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
        """Return whether a run of `needed` bytes would take the server beyond the app's share.

        Without a ceiling it is always False.
        """
        with self._lock:
            return memory_ceiling() > 0 and self._held() + needed > APP_MIB * MIB

    def room(self) -> int:
        """Return the number of bytes that one more run may take."""
        with self._lock:
            return room_beside(self._held())

    def worth_waiting(self, needed: int) -> bool:
        """Return whether `needed` bytes would fit if all other runs ended and freed all that they reserved."""
        return self.bytes > 0 and needed <= self.room() + self.bytes

    def _held(self) -> int:
        return max(resident(), self._expected if self.bytes else 0)

    def may_free(self) -> bool:
        """Return whether light runs may evict caches: EVICTION_INTERVAL_SECONDS must have passed since the last time.

        A call that returns True counts as an eviction.
        """
        with self._lock:
            now = time.monotonic()
            may = now - self.freed >= EVICTION_INTERVAL_SECONDS
            self.freed = now if may else self.freed
            return may


@st.cache_resource(show_spinner=False)
def bookings() -> Bookings:
    return Bookings()


def room_beside(held: int) -> int:
    """Return the number of bytes that one more run may take beside `held` bytes.

    This is the rest below the ceiling, or, if there is no ceiling, the limit of a single run.
    """
    ceiling = memory_ceiling()
    return ceiling - held if ceiling else memory_limit()


@contextmanager
def room_for(
    needed: Callable[[], MemoryEstimate], spare: Callable[[], object], shed: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Reserve memory for a run inside this context.

    A heavy run waits for its turn, and its freed memory is given back to the system. A light run may exceed the ceiling
    a little, and waits for its turn only if there is no room otherwise.

    needed: returns the bytes that the run will take in addition to those that the server holds now.
    spare: frees everything that is kept only to save recomputing it; called if there is no room otherwise.
    shed: frees the least valuable part of that, and returns whether there was any; called first, while the run would
        take the server beyond the app's share.

    Raises ValueError if there is no room even then.
    """
    reservations = bookings()
    light = needed().in_both <= HEAVY_MIB * MIB
    if light and (total := _booked(needed, spare, shed, reservations, RESERVE_MIB * MIB)) is not None:
        try:
            yield
        finally:
            reservations.end(total)
        return
    with one_at_a_time():
        if (total := _booked(needed, spare, shed, reservations)) is None:
            needs, room = needed(), reservations.room()
            raise ValueError(why_too_large(needs, room) or refusal(needs, room))
        try:
            yield
        finally:
            reservations.end(total)
    trim_heap()


def _booked(
    needed: Callable[[], MemoryEstimate],
    spare: Callable[[], object],
    shed: Callable[[], bool],
    reservations: Bookings,
    reserve: int = 0,
) -> int | None:
    """Reserve a run's bytes as soon as there is room, and return their number; None if there is no room in time.

    Bytes of a GPU's memory are not reserved, because heavy runs take turns. To make room, caches are evicted; then the
    ends of other runs are waited for.

    needed, spare, shed: as in `room_for`.
    reserve: number of bytes by which the run may exceed the ceiling once caches have been evicted.
    """
    _make_way(needed().total, shed, reservations)
    end, freed = time.monotonic() + MAX_WAIT_SECONDS, False
    while not _fits_on_gpu(needs := needed()) or not reservations.take(needs.total, reserve if freed else 0):
        if not freed:
            freed = True
            if needs.in_both > HEAVY_MIB * MIB or reservations.may_free():
                spare()
                trim_heap()
        elif reservations.worth_waiting(needs.total - reserve) and time.monotonic() < end:
            _wait()
        else:
            return None
    return needs.total


def _fits_on_gpu(needed: MemoryEstimate) -> bool:
    gpu = needed.on_gpu
    return gpu is None or gpu.total <= memory_of(gpu.device)


def _make_way(needed: int, shed: Callable[[], bool], reservations: Bookings) -> None:
    """Evict the least valuable cached objects, one by one, while the run would take the app beyond its share.

    needed: the run's bytes.
    shed: evicts one object, and returns whether there was any.
    """
    while reservations.crowded(needed) and shed():
        pass


def _wait() -> None:
    """Wait a moment, in which other runs may free memory."""
    with run_slots().aside():
        raise_if_abandoned()
        time.sleep(POLL_SECONDS)
