"""Room in the server's memory: what a run will take is booked before it begins, and what does not fit is refused."""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.explorer.shared.loading import MemoryEstimate, refusal
from core.limits import HEAVY_MIB
from core.memory import MIB, give_back, memory_ceiling, memory_limit, resident
from pages.queries.turns import one_at_a_time


class Bookings:
    """Bytes that running work may still take, beside what the server holds."""

    def __init__(self) -> None:
        self.bytes = 0
        self._lock = threading.Lock()

    @contextmanager
    def book(self, needed: int) -> Iterator[None]:
        with self._lock:
            self.bytes += needed
        try:
            yield
        finally:
            with self._lock:
                self.bytes -= needed


@st.cache_resource(show_spinner=False)
def bookings() -> Bookings:
    return Bookings()


def room_left() -> int:
    """Bytes that one more run may take: what the ceiling leaves now, or what a run may use where there is none."""
    ceiling = memory_ceiling()
    return ceiling - resident() - bookings().bytes if ceiling else memory_limit()


@contextmanager
def room_for(needed: Callable[[], MemoryEstimate], spare: Callable[[], object]) -> Iterator[None]:
    """Room for a run. What is heavy, or does not fit beside what others do, waits for its turn and gives back what it
    took.

    needed: the bytes that it will take beside what the server holds now. spare: frees what is kept only so that it need
    not be made again; called where there is no room otherwise. ValueError where there is none even then.
    """
    total = needed().total
    if total <= HEAVY_MIB * MIB and total <= room_left():
        with bookings().book(total):
            yield
        return
    with one_at_a_time():
        if needed().total > room_left():
            spare()
            gc.collect()
            give_back()
        found, left = needed(), room_left()
        if found.total > left:
            raise ValueError(refusal(found, left))
        with bookings().book(found.total):
            yield
    give_back()
