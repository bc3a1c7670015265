"""The progress of work in the background: what starts and stops it, and the clock that draws it again while it runs."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.session.visit import visit_state
from pages.widgets.parts import Part, draw_all
from pages.widgets.setting import Setting, draw_widget

POLL_SECONDS = 0.4  # from one drawing to the next


class BackgroundWork(Protocol):
    """The interface of the jobs that these parts control; `pages.compute.jobs.Job` has it."""

    finished: bool

    @property
    def running(self) -> bool: ...

    def go_on(self) -> None: ...

    def cancel(self) -> None: ...

    def look(self, seconds: float = 0.0) -> Any: ...


Work = TypeVar("Work", bound=BackgroundWork)
_only_running: ContextVar[bool] = ContextVar("no job is replaced", default=False)


class JobNeeded(Exception):
    """The error for a view that cannot be shown unless a job in the background begins."""


@contextmanager
def no_new_jobs() -> Iterator[None]:
    """Forbid jobs to begin or end inside this context, because its views are made without a visitor's request."""
    before = _only_running.set(True)
    try:
        yield
    finally:
        _only_running.reset(before)


def visit_job(name: str, subject: Hashable, make: Callable[[], Work]) -> Work:
    """Return this visitor's job with this name; a job on another subject is cancelled and replaced.

    Raises JobNeeded if that would be inside `no_new_jobs`.
    """
    if _only_running.get() and visit_state().jobs.get(name, (None, None))[0] != subject:
        raise JobNeeded(name)
    running: Work | None = _job(name, subject)
    if running:
        return running
    visit_state().jobs[name] = subject, (job := make())
    return job


def job_result(name: str, subject: Hashable) -> Any:
    """Return the result of this visitor's job on this subject; None unless the job is finished."""
    before, job = visit_state().jobs.get(name, (None, None))
    return job.look() if job is not None and before == subject and job.finished else None


def _job(name: str, subject: Hashable) -> Any:
    """Return this visitor's job if it is on this subject; cancel one on another subject and return None."""
    before, job = visit_state().jobs.get(name, (None, None))
    if job is None or before == subject:
        return job
    job.cancel()
    del visit_state().jobs[name]
    return None


@dataclass(frozen=True)
class JobButton(Part):
    """A button that starts a background job, and stops it while it runs, above its latest result.

    Another `subject` cancels the job and drops the result.

    name: the prefix of its keys.
    subject: what the job is about.
    make: makes the job.
    tell: takes the result so far; returns the share of the job that is done, and words about it.
    label, icon: the label and the icon of the button that starts it.
    waiting: the text shown before there is a result.
    found: takes the result so far, None if there is none, and returns the parts that show it.
    keep: keeps the result so far, and returns whether everything is to be drawn again with it.
    """

    name: str
    subject: Hashable
    make: Callable[[], BackgroundWork]
    tell: Callable[[Any], tuple[float, str]]
    label: str = "Measure"
    icon: str = "timer"
    waiting: str = ""
    found: Callable[[Any], Sequence[Part]] = lambda result: ()
    keep: Callable[[Any], bool] = lambda result: False

    def draw(self) -> None:
        """Draw the button and the result.

        Raises the error that ended the job, once.
        """
        job, result, mistake = _job(self.name, self.subject), None, None
        runs = job is not None and job.running
        try:
            result = job.look() if job else None
        except Exception as error:
            mistake, runs = error, False
        label, icon = ("Stop", "stop") if runs else (self.label, self.icon)
        with st.container(horizontal=True, vertical_alignment="center", key=self.name):
            key = f"{self.name}-{self.label.lower()}"
            st.button(label, icon=f":material/{icon}:", type="primary", key=key, on_click=self._toggle)
            _poll(self.name, runs)
        if mistake:
            raise mistake
        if runs and (result is not None or self.waiting):
            share, words = (0.0, self.waiting) if result is None else self.tell(result)
            st.progress(min(1.0, share), words)
        draw_all(self.found(result))
        if self.keep(result):
            st.rerun()

    def _toggle(self) -> None:
        job = _job(self.name, self.subject)
        if job and job.running:
            job.cancel()
            return
        visit_state().jobs[self.name] = self.subject, (job := self.make())
        job.go_on()


@dataclass(frozen=True)
class JobSwitch(Part):
    """A progress bar with a switch that pauses a background job; while it runs, the view is redrawn as it advances.

    name: the prefix of its keys.
    done, many: number of items so far, and of all.
    words: name of the items.
    switch: the setting that says whether the job runs.
    runs: the value of that setting.
    """

    name: str
    done: int
    many: int
    words: str
    switch: Setting
    runs: bool

    def draw(self) -> None:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{self.name}-going-on"):
            st.progress(self.done / self.many, f"{self.done} of {self.many} {self.words}")
            draw_widget(self.switch, width="content")
            _poll(self.name, self.runs)


def _poll(name: str, runs: bool) -> None:
    ticker(0 if runs else None, key=f"{name}-ticker", wait=POLL_SECONDS, on_tick=lambda number: None)
