"""A step of a run in the lab on a page: the way to its other steps, and the training that it takes to open it."""

from functools import partial

import streamlit as st

from core.lab.live import LiveRun
from core.lab.opened import at_step, is_lab, read_address, steps_of
from pages.compute.jobs import Job
from pages.compute.lab_runs import to_train, training
from pages.session.visit import visit_state
from pages.shell.settings import MODEL
from pages.shell.work_notice import was_stopped, work_notice
from pages.widgets import error_boundary, visit_job

JOB = "lab-step"
LOOK_SECONDS = 0.2


def draw_steps(name: str) -> None:
    """Draw a slider over the steps of the run to which a step of the lab belongs."""
    _, step = read_address(name)
    key = f"steps of {name}"  # one for each step, so that it opens at that step
    st.select_slider(
        "Step of the training",
        steps_of(name),
        step,
        key=key,
        format_func=lambda number: f"{number:,}",
        help="The model as it was after so many steps. A step whose weights are not kept is trained again.",
        on_change=_open_step,
        args=(name, key),
        width=420,
    )


def _open_step(name: str, key: str) -> None:
    st.session_state[MODEL.key] = at_step(name, st.session_state[key])


def train_to(name: str) -> bool:
    """Train the run of a step of the lab until it can be opened, and show how far it is. Return whether it can be.

    A model that is no step of the lab can be opened at once. If the run cannot be trained, a sentence says why.
    """
    with error_boundary():
        missing = to_train(name) if is_lab(name) else None
        return missing is None or _train(name, *missing)
    return False


def _train(name: str, run: LiveRun, step: int) -> bool:
    """Train a run to a step, and draw the page again when it is there; return False if it does not get there."""
    if was_stopped(what := (JOB, name)):
        return False
    job = visit_job(JOB, (run, step), lambda: Job(partial(training, run, step, keeps=True), alone=True))
    bar = st.empty()
    with work_notice(what, run.seconds * max(step - run.reached, 1), key="lab-step"):
        while not job.finished:
            bar.progress(*_how_far(run, step))
            job.go_on()
            job.look(LOOK_SECONDS)
    bar.empty()
    if step <= run.last:
        del visit_state().jobs[JOB]
        st.rerun()  # with the answer that the model writes itself
    _say_diverged(name, run)
    return False


def _how_far(run: LiveRun, step: int) -> tuple[float, str]:
    reached = min(run.reached, step)
    return reached / max(1, step), f"This run is trained to step {step:,}: now at step {reached:,}."


def _say_diverged(name: str, run: LiveRun) -> None:
    st.error(str(run.diverged), icon=":material/error:")
    last = at_step(name, run.last)
    st.button(f"Open step {run.last:,}", key="lab-step-last", on_click=_open, args=(last,))


def _open(name: str) -> None:
    st.session_state[MODEL.key] = name
