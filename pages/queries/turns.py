"""The one queue of heavy work: whose turn it is, and how many wait for theirs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from core.device import many_threads
from core.faults import machine_faults
from core.limits import HEAVY_JOBS, JOB_SECONDS, QUEUE_SECONDS, QUEUED

Found = TypeVar("Found")
Where = ParamSpec("Where")
_by_clicks: ContextVar[bool] = ContextVar("ended by clicks", default=False)
LOOK = 0.25  # seconds from one look whether somebody still waits to the next


class Queue:
    """door: whoever holds it is next for a place in the room, so that work in many parts goes behind those who wait.
    own: knows whether it is this thread's turn. waiting: how many have none yet."""

    def __init__(self) -> None:
        self.door, self.room = threading.BoundedSemaphore(1), threading.BoundedSemaphore(HEAVY_JOBS)
        self.own, self.waiting = threading.local(), 0
        self._count = threading.Lock()

    def come(self, seconds: float) -> bool:
        """Wait for a turn, so long; False where it does not come, or too many wait."""
        end = time.monotonic() + seconds
        with self._count:
            if self.waiting >= QUEUED:
                return False
            self.waiting += 1
        try:
            return _taken(self.door, end) and self._next(end)
        finally:
            with self._count:
                self.waiting -= 1

    def _next(self, end: float) -> bool:
        try:
            return _taken(self.room, end)
        finally:
            self.door.release()


@st.cache_resource(show_spinner=False)
def queue() -> Queue:
    return Queue()


@contextmanager
def ended_by_clicks() -> Iterator[None]:
    """Within it work also ends when a control of the same part of the page is touched, which by itself Streamlit looks
    at only when the work is done."""
    before = _by_clicks.set(True)
    try:
        yield
    finally:
        _by_clicks.reset(before)


def check_visit() -> None:
    """Ends this run of the script where nobody waits for it any more: the tab is closed, or something else chosen."""
    visit = get_script_run_ctx(suppress_warning=True)
    if visit is None:
        return
    visit.yield_check()
    if _by_clicks.get() and getattr(visit.script_requests, "_state", None) == ScriptRequestType.RERUN:
        raise StopException


def watch() -> Callable[[], None]:
    """What work calls now and then: ends it where nobody waits for it any more, or where it takes too long."""
    end = time.monotonic() + JOB_SECONDS

    def look() -> None:
        check_visit()
        if time.monotonic() > end:
            raise ValueError(
                f"This took longer than the {JOB_SECONDS} seconds that a run may take here, and was ended. "
                "Take fewer layers, a smaller d_model or a shorter text."
            )

    return look


def _taken(place: threading.BoundedSemaphore, end: float) -> bool:
    """Whether a place could be taken before the end; looks now and then whether the visitor is still there."""
    while not place.acquire(timeout=max(0.0, min(LOOK, end - time.monotonic()))):
        if time.monotonic() >= end:
            return False
        check_visit()
    return True


@contextmanager
def turn(patience: float | None = None) -> Iterator[bool]:
    """A turn in the queue of heavy work, and whether it came within so many seconds. Who has a turn does not wait for
    another.

    None: it is waited for as long as the limits allow; ValueError where it does not come.
    """
    line = queue()
    if getattr(line.own, "turn", False):
        yield True
        return
    came = line.come(QUEUE_SECONDS if patience is None else patience)
    if patience is None and not came:
        raise ValueError("Others are at heavy work on this machine, or wait for it: try again in a minute.")
    try:
        line.own.turn = came
        yield came
    finally:
        line.own.turn = False
        if came:
            line.room.release()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Heavy runs wait for each other, and then have the processors for themselves."""
    with turn(), many_threads():
        yield


def queued(work: Callable[Where, Found], *args: Where.args, **named: Where.kwargs) -> Found:
    """Heavy work behind which there is no run, in the same queue; keep it short, for others wait meanwhile."""
    with one_at_a_time(), machine_faults():
        return work(*args, **named)
