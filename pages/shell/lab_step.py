"""A step of a run in the lab on a page: the way to its other steps, and the training that it takes to open it."""

from functools import partial

import streamlit as st

from core.checkpoints.source import ModelSource
from core.lab.live import LiveRun
from core.lab.step_source import LabStep, StepSource
from pages.compute.jobs import Job
from pages.compute.lab_runs import training
from pages.session.visit import visit_state
from pages.shell.settings import MODEL
from pages.shell.work_notice import was_stopped, work_notice
from pages.widgets import error_boundary, visit_job

JOB = "lab-step"
LOOK_SECONDS = 0.2
ANY_STEP = "Any other step opens by its address: it is trained again from the last kept one before it."


def draw_steps(source: StepSource) -> None:
    """Draw a slider over the training steps of a lab run, set to the step that is the page's model."""
    key = f"steps of {source.address}"  # one for each step, so that it opens at that step
    st.select_slider(
        "Step of the training",
        source.steps(),
        source.step,
        key=key,
        format_func=lambda number: f"{number:,}",
        help=f"The model after so many steps of training. {ANY_STEP if isinstance(source, LabStep) else ''}",
        on_change=_open_step,
        args=(source, key),
        width=420,
    )


def _open_step(source: StepSource, key: str) -> None:
    st.session_state[MODEL.key] = source.at(st.session_state[key]).address


def train_to(source: ModelSource | None) -> bool:
    """Train a lab run up to the step that is the page's model, showing the progress; return whether it can be opened.

    What is no step of the lab can be opened at once. If the run cannot be trained, a sentence says why.
    """
    with error_boundary():
        if not isinstance(source, LabStep) or (run := source.untrained()) is None:
            return True
        return _train(source, run)
    return False


def _train(source: LabStep, run: LiveRun) -> bool:
    """Train a run to a step, and draw the page again when it is there; return False if it does not get there."""
    step = source.step
    if was_stopped(what := (JOB, source.address)):
        return False
    job = visit_job(JOB, (run, step), lambda: Job(partial(training, run, step), alone=True))
    bar = st.empty()
    with work_notice(what, source.making_seconds(), key="lab-step"):
        while not job.finished:
            bar.progress(*_how_far(run, step))
            job.go_on()
            job.look(LOOK_SECONDS)
    bar.empty()
    if step <= run.last:
        del visit_state().jobs[JOB]
        st.rerun()  # with the answer that the model writes itself
    _say_diverged(source, run)
    return False


def _how_far(run: LiveRun, step: int) -> tuple[float, str]:
    reached = min(run.reached, step)
    return reached / max(1, step), f"This run is trained to step {step:,}: now at step {reached:,}."


def _say_diverged(source: LabStep, run: LiveRun) -> None:
    st.error(str(run.diverged), icon=":material/error:")
    last = source.at(run.last).address
    st.button(f"Open step {run.last:,}", key="lab-step-last", on_click=_open, args=(last,))


def _open(name: str) -> None:
    st.session_state[MODEL.key] = name
