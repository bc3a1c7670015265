"""The one queue of heavy work: whose turn it is, and how many come before the others."""

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
    """Where nothing on the screen says who comes before."""


_told: ContextVar[Callable[[int], None]] = ContextVar("told who comes before", default=_untold)


class Queue:
    """own: knows whether this thread has the turn. tickets: of those who wait, in the order in which they came."""

    def __init__(self) -> None:
        self.own, self.tickets, self.busy = threading.local(), deque[object](), False
        self._changed = threading.Condition()

    def come(self, seconds: float) -> bool:
        """Wait for a turn, so long; False where it does not come, or too many wait."""
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
        """How many come before this ticket after at most so many seconds. With none it has the turn."""
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
    """Within it work that waits for its turn says how many come before it, and 0 when its turn has come."""
    before = _told.set(tell)
    try:
        yield
    finally:
        _told.reset(before)


def cancellation_check() -> Callable[[], None]:
    """What work calls now and then: ends it where nobody waits for it any more, or where it takes too long."""
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
    """A turn in the queue of heavy work, and whether it came within so many seconds. Who has a turn does not wait for
    another.

    None: it is waited for as long as the limits allow; ValueError where it does not come.
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
    """Heavy runs wait for each other, and then have the processors for themselves."""
    with exclusive(), many_threads():
        yield


def queued(work: Callable[Where, Found], *args: Where.args, **named: Where.kwargs) -> Found:
    """Heavy work behind which there is no run, in the same queue; keep it short, for others wait meanwhile."""
    with one_at_a_time(), machine_faults():
        return work(*args, **named)
