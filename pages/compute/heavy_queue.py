"""The single queue of heavy work: decides which run has its turn, and how many runs are ahead of each other one."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

import streamlit as st

from core.device import many_threads
from core.faults import machine_faults
from core.limits import JOB_SECONDS, QUEUE_SECONDS, QUEUED
from pages.compute.cancellation import POLL_SECONDS, raise_if_abandoned
from pages.compute.run_slots import run_slots

Found = TypeVar("Found")
Where = ParamSpec("Where")


def _untold(ahead: int) -> None:
    """Do nothing; used if nothing on the screen shows the position in the queue."""


_told: ContextVar[Callable[[int], None]] = ContextVar("told who comes before", default=_untold)


class Queue:
    """The queue of heavy work, in which one thread at a time has its turn.

    own: thread-local; its `turn` says whether this thread has its turn.
    tickets: one for each waiting thread, in the order of arrival.
    """

    def __init__(self) -> None:
        self.own, self.tickets, self.busy = threading.local(), deque[object](), False
        self._changed = threading.Condition()

    def come(self, seconds: float) -> bool:
        """Wait at most `seconds` for a turn, and return whether it came; False at once if too many are waiting."""
        end, mine = time.monotonic() + seconds, object()
        with self._changed:
            if len(self.tickets) >= QUEUED:
                return False
            self.tickets.append(mine)
        try:
            while ahead := self._ahead(mine, min(POLL_SECONDS, end - time.monotonic())):
                if time.monotonic() >= end:
                    return False
                _told.get()(ahead)
                raise_if_abandoned()
            return True
        finally:
            with self._changed:
                self.tickets.remove(mine)
                self._changed.notify_all()

    def _ahead(self, mine: object, seconds: float) -> int:
        """Return how many are ahead of this ticket, after a wait of at most `seconds`; with 0 it has its turn."""
        with self._changed:
            self._changed.wait_for(lambda: not self.busy and self.tickets[0] is mine, max(0.0, seconds))
            ahead = self.tickets.index(mine) + self.busy
            self.busy = self.busy or not ahead
            return ahead

    def leave(self) -> None:
        with self._changed:
            self.busy = False
            self._changed.notify_all()


@st.cache_resource(show_spinner=False)
def queue() -> Queue:
    return Queue()


@contextmanager
def on_queue_position(tell: Callable[[int], None]) -> Iterator[None]:
    """Report the queue position of work that waits for its turn inside this context.

    tell: called with the number of jobs ahead, and with 0 when the turn has come.
    """
    before = _told.set(tell)
    try:
        yield
    finally:
        _told.reset(before)


def cancellation_check() -> Callable[[], None]:
    """Return a function that long work calls regularly and that ends the work if nobody waits for it any more.

    It raises ValueError if the work takes longer than `JOB_SECONDS`, without the time spent waiting for a run slot.
    """
    ours = run_slots()
    end = time.monotonic() + JOB_SECONDS - ours.waited()

    def look() -> None:
        raise_if_abandoned()
        ours.make_way()
        if time.monotonic() - ours.waited() > end:
            raise ValueError(
                f"This took longer than the {JOB_SECONDS} seconds that a run may take here, and was ended. "
                "Take a smaller model or a shorter text."
            )

    return look


@contextmanager
def exclusive(patience: float | None = None) -> Iterator[bool]:
    """Take a turn in the queue of heavy work inside this context; yield whether it came.

    A thread that already has its turn does not wait for another.

    patience: the most seconds to wait. None waits as long as the limits allow, and raises ValueError if no turn comes.
    """
    line = queue()
    if getattr(line.own, "turn", False):
        yield True
        return
    with run_slots().aside():
        came = line.come(QUEUE_SECONDS if patience is None else patience)
    if patience is None and not came:
        raise ValueError("Others are at heavy work on this machine, or wait for it: try again in a minute.")
    try:
        line.own.turn = came
        if came:
            _told.get()(0)
        yield came
    finally:
        line.own.turn = False
        if came:
            line.leave()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Run heavy work inside this context alone and on all processors; other heavy runs wait."""
    with exclusive(), many_threads():
        yield


def queued(work: Callable[Where, Found], *args: Where.args, **named: Where.kwargs) -> Found:
    """Run heavy work that belongs to no run in the same queue; keep it short, because others wait meanwhile."""
    with one_at_a_time(), machine_faults():
        return work(*args, **named)
