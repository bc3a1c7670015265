"""Room in the server's memory: what a run will take is booked before it begins, and what does not fit is refused."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.explorer.shared.loading import MemoryEstimate, refusal
from core.limits import HEAVY_MIB, RESERVE_MIB
from core.memory import MIB, give_back, memory_ceiling, memory_limit, resident
from pages.queries.turns import LOOK, check_visit, one_at_a_time

PATIENCE = 5.0  # seconds that a run waits for the room that others have booked
BETWEEN = 30.0  # seconds from one time that light runs make room to the next: what was freed is soon made again


class Bookings:
    """Bytes that running work may still take, beside what the server holds."""

    def __init__(self) -> None:
        self.bytes, self.freed = 0, -BETWEEN
        self._lock = threading.Lock()

    def take(self, needed: int, reserve: int = 0) -> bool:
        """Book so many bytes, where there is room. reserve: bytes that it may take beyond the ceiling."""
        with self._lock:
            fits = needed <= room_left(self.bytes) + reserve
            self.bytes += needed * fits
            return fits

    def end(self, booked: int) -> None:
        with self._lock:
            self.bytes -= booked

    def may_free(self) -> bool:
        """Whether light runs may make room again; asked, it is taken for done."""
        with self._lock:
            now = time.monotonic()
            may = now - self.freed >= BETWEEN
            self.freed = now if may else self.freed
            return may


@st.cache_resource(show_spinner=False)
def bookings() -> Bookings:
    return Bookings()


def room_left(booked: int) -> int:
    """Bytes that one more run may take: what the ceiling leaves now, or what a run may use where there is none."""
    ceiling = memory_ceiling()
    return ceiling - resident() - booked if ceiling else memory_limit()


@contextmanager
def room_for(needed: Callable[[], MemoryEstimate], spare: Callable[[], object]) -> Iterator[None]:
    """Room for a run. What is heavy waits for its turn and gives back what it took; what is light may go a little
    beyond the ceiling, and waits only where that is not enough.

    needed: the bytes that it will take beside what the server holds now. spare: frees what is kept only so that it need
    not be made again; called where there is no room otherwise. ValueError where there is none even then.
    """
    total, books = needed().total, bookings()
    if total <= HEAVY_MIB * MIB and _fits(total, spare, books):
        try:
            yield
        finally:
            books.end(total)
        return
    with one_at_a_time():
        total = _booked(needed, spare, books)
        try:
            yield
        finally:
            books.end(total)
    give_back()


def _fits(total: int, spare: Callable[[], object], books: Bookings) -> bool:
    """Whether a light run's bytes could be booked at once."""
    if books.take(total):
        return True
    if books.may_free():
        spare()
        give_back()
    return books.take(total, RESERVE_MIB * MIB)


def _booked(needed: Callable[[], MemoryEstimate], spare: Callable[[], object], books: Bookings) -> int:
    """The bytes that were booked, as soon as there was room: what can go, goes, and others are waited for."""
    end, freed = time.monotonic() + PATIENCE, False
    while not books.take((found := needed()).total):
        if not freed:
            freed = True
            if found.total > HEAVY_MIB * MIB or books.may_free():
                spare()
                give_back()
        elif books.bytes and time.monotonic() < end:
            check_visit()
            time.sleep(LOOK)
        else:
            raise ValueError(refusal(found, room_left(books.bytes)))
    return found.total
