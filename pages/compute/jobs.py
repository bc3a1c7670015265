"""Long work in the background: generators of intermediate results, which take turns in short slices on one thread."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Generic, TypeVar

import streamlit as st

from pages.compute.calls import record_again, record_calls
from pages.compute.cancellation import POLL_SECONDS, cancel_with, raise_if_abandoned
from pages.compute.expressions import CallLog
from pages.compute.heavy_queue import exclusive
from pages.compute.run_slots import run_slots
from pages.compute.slots import BUSY_MESSAGE, Busy

Result = TypeVar("Result")


class Cancelled(BaseException):
    """The exception that ends a job whose result is no longer wanted."""


class JobRunner:
    """The thread that runs all jobs in turn, each for one slice at a time.

    slice_seconds: after this time a job makes way for the next one, as soon as it yields a result.
    unseen_seconds: a job whose result nobody has asked for during this time is cancelled, because its tab is closed.
    max_jobs: the largest number of jobs at once.
    clock: returns the time in seconds.
    """

    def __init__(
        self,
        *,
        slice_seconds: float = 0.05,
        unseen_seconds: float = 10.0,
        max_jobs: int = 64,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.slice_seconds, self.unseen_seconds, self.clock = slice_seconds, unseen_seconds, clock
        self.count, self._max_jobs, self._changed = 0, max_jobs, threading.Lock()
        self._executor = ThreadPoolExecutor(1, "jobs")

    def begin(self, run_slice: Callable[[], bool]) -> None:
        """Call `run_slice` again and again, in alternation with other jobs, until it returns False.

        Raises Busy if there are too many jobs.
        """
        with self._changed:
            if self.count >= self._max_jobs:
                raise Busy(BUSY_MESSAGE)
            self.count += 1
        self._executor.submit(self._carry_on, run_slice)

    def _carry_on(self, run_slice: Callable[[], bool]) -> None:
        if run_slice():
            self._executor.submit(self._carry_on, run_slice)
            return
        with self._changed:
            self.count -= 1


@st.cache_resource(show_spinner=False)
def job_runner() -> JobRunner:
    return JobRunner()


class Job(Generic[Result]):
    """One piece of long work, which runs in slices and stores its latest result.

    Its code must not call Streamlit except its caches, because it does not run in the thread of a script. It must not
    yield while it holds a slot, a lock or reserved memory: other jobs run before it continues.

    work: takes the latest result, None at first, and yields the next ones.
    alone: whether no heavy work of visitors may run at the same time as a slice. Such work must not call a cached
        function that may itself wait for the queue of heavy work.
    runner: the thread that runs the job; None for the one that all jobs share.
    """

    def __init__(
        self, work: Callable[[Result | None], Iterator[Result]], alone: bool = False, runner: JobRunner | None = None
    ) -> None:
        self.finished = False
        self._work, self._alone, self._runner = work, alone, runner or job_runner()
        self._steps: Iterator[Result] | None = None  # while it runs; another one each time that it goes on
        self._so_far: tuple[Result | None, int] = None, 0  # the latest result, and how many calls of the log made it
        self._error: Exception | None = None
        self._log: CallLog = []
        self._looked, self._changed = 0.0, threading.Condition()

    @property
    def running(self) -> bool:
        return self._steps is not None

    def go_on(self) -> None:
        """Begin the work, or continue it after it was cancelled.

        Does nothing if the work is running or finished, or if it has raised an error that `look` has not raised yet.
        """
        with self._changed:
            if self.running or self.finished or self._error:
                return
            self._looked = self._runner.clock()
            self._steps = steps = self._work(self._so_far[0])
            try:
                self._runner.begin(partial(self._turn, steps))
            except Busy as busy:
                self._steps, self._error = None, busy

    def cancel(self) -> None:
        """End the work; its latest result stays available."""
        with self._changed:
            self._steps = None
            self._changed.notify_all()

    def look(self, seconds: float = 0.0) -> Result | None:
        """Return the latest result, or None before the first; add the calls that made it to the log of this view.

        Call it regularly while the job runs: otherwise the job is cancelled.

        seconds: how long to wait for the end of the work.

        Raises the error that ended the work, once.
        """
        self._looked = self._runner.clock()
        if seconds > 0 and self.running:
            with run_slots().aside():
                self._wait(self._looked + seconds)
        with self._changed:
            error, self._error = self._error, None
        if error:
            raise error
        result, calls = self._so_far
        record_again(self._log[:calls])
        return result

    def _wait(self, end: float) -> None:
        clock = self._runner.clock
        while self.running and (left := end - clock()) > 0:
            with self._changed:
                self._changed.wait_for(lambda: not self.running, min(POLL_SECONDS, left))
            self._looked = clock()
            raise_if_abandoned()

    def _turn(self, steps: Iterator[Result]) -> bool:
        """Run the work for one slice, and return whether it has more to do."""
        check = partial(self._check, steps)
        try:
            check()
            with cancel_with(check), exclusive(math.inf) if self._alone else nullcontext(), run_slots().turn():
                if self._more(steps):
                    return True
        except Cancelled:
            self._end(steps)
        except Exception as error:
            self._end(steps, error=error)
        else:
            self._end(steps, finished=True)
        return False

    def _more(self, steps: Iterator[Result]) -> bool:
        end = self._runner.clock() + self._runner.slice_seconds
        with record_calls(self._log):
            for result in steps:
                with self._changed:
                    self._check(steps)
                    self._so_far = result, len(self._log)
                if self._runner.clock() >= end:
                    return True
        return False

    def _check(self, steps: Iterator[Result]) -> None:
        if self._steps is not steps or self._runner.clock() - self._looked > self._runner.unseen_seconds:
            raise Cancelled

    def _end(self, steps: Iterator[Result], finished: bool = False, error: Exception | None = None) -> None:
        if close := getattr(steps, "close", None):
            close()
        with self._changed:
            if self._steps is steps:
                self._steps, self.finished, self._error = None, finished, error
                self._changed.notify_all()
