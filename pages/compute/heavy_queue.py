"""The single queue of heavy work: decides which run has its turn, and how many runs are ahead of each other one."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

import streamlit as st

from core.device import many_threads
from core.faults import machine_faults
from core.limits import JOB_SECONDS, QUEUE_SECONDS, QUEUED
from pages.compute.cancellation import raise_if_abandoned
from pages.compute.run_slots import run_slots
from pages.compute.slots import FairSlots, ignore_position

Found = TypeVar("Found")
Where = ParamSpec("Where")
_told: ContextVar[Callable[[int], None]] = ContextVar("told who comes before", default=ignore_position)


@st.cache_resource(show_spinner=False)
def heavy_slots() -> FairSlots:
    return FairSlots(1, queue_length=QUEUED, patience=QUEUE_SECONDS)


@contextmanager
def on_queue_position(tell: Callable[[int], None]) -> Iterator[None]:
    """Report the queue position of work that waits for its turn inside this context.

    tell: called with the number of runs ahead, and with 0 when the turn has come.
    """
    before = _told.set(tell)
    try:
        yield
    finally:
        _told.reset(before)


def cancellation_check(seconds: float = JOB_SECONDS, clock: Callable[[], float] = time.monotonic) -> Callable[[], None]:
    """Return a function that long work must call regularly; it raises if the result is no longer wanted.

    That function also lets other threads go first, and raises ValueError if the work takes longer than `seconds`, not
    counting the time spent waiting for a run slot.

    clock: returns the time in seconds.
    """
    ours = run_slots()
    end = clock() + seconds - ours.waited()

    def look() -> None:
        raise_if_abandoned()
        ours.make_way()
        if clock() - ours.waited() > end:
            raise ValueError(
                f"This took longer than the {seconds:g} seconds that a run may take here, and was ended. "
                "Take a smaller model or a shorter text."
            )

    return look


@contextmanager
def exclusive(patience: float | None = None) -> Iterator[None]:
    """Take a turn in the queue of heavy work inside this context.

    A thread that already has its turn does not wait for another.

    patience: the most seconds to wait; if it is given, the limits of the queue do not apply.

    Raises Busy, a ValueError, if too many wait, or if no turn comes in time.
    """
    heavy = heavy_slots()
    with ExitStack() as slot:
        if not heavy.held:
            with run_slots().aside():
                slot.enter_context(heavy.turn(_told.get(), patience))
            _told.get()(0)
        yield


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Run heavy work inside this context alone and on all processors; other heavy runs wait."""
    with exclusive(), many_threads():
        yield


def queued(work: Callable[Where, Found], *args: Where.args, **named: Where.kwargs) -> Found:
    """Run `work` in the queue of heavy work, for work that belongs to no run of a model, and return its result.

    Keep it short, because other heavy work waits meanwhile.
    """
    with one_at_a_time(), machine_faults():
        return work(*args, **named)
