"""Cached results of the runs that visitors train on the page The lab."""

from functools import partial

import streamlit as st

from core.lab import comparisons, live
from core.lab.baselines import Baselines, baselines
from core.lab.failures import FAILURES, Diagnosis, diagnose, diagnosis_at
from core.lab.head_scores import ScoreCells, cross_score_cells, score_cells
from core.lab.measured import Measured, probe
from core.lab.opened import open_step, zipped_step
from core.lab.recipe import Recipe
from core.lab.update import WeightUpdate
from pages.compute.cache import small_record
from pages.compute.calls import core_call, noted
from pages.compute.jobs import Job, job_runner
from pages.compute.lab_runs import live_run, training
from pages.session.visit import visit_state
from pages.transformer.lab.settings import OWN_TEXT, STEP
from pages.widgets import visit_job

WAIT_SECONDS = 0.1  # for the step that is asked for, before what there is is drawn
JOB, KEPT_JOB = "lab-training", "lab-kept-training"  # of the run on the screen, and of the kept one beside it

recorded_curves = small_record(comparisons.recorded_curves)
recorded_scores = small_record(comparisons.recorded_scores)
recorded_patterns = small_record(comparisons.recorded_patterns)
recorded_waves = small_record(comparisons.recorded_waves)


def own_text() -> str:
    """Return the text that the visitor pasted; at first the app's glossary."""
    return str(st.session_state.get(OWN_TEXT.key, OWN_TEXT.default) or "")


def restart() -> None:
    """Go back to step 0, because another run was chosen."""
    st.session_state[STEP.key] = 0


def trained(recipe: Recipe, step: int, plays: bool = False, job: str = JOB) -> Measured:
    """Return the measurements at the last kept step up to a step, or those of the steps reached so far.

    The run is trained in the background to that step, and to its end while the visitor plays it.

    job: the name of the visitor's job that trains it.
    """
    run = live_run(recipe)
    target = run.last if plays else min(step, run.last)
    work = visit_job(job, (run, target), lambda: Job(partial(training, run, target), alone=True))
    if run.reached < target:
        work.go_on()
        work.look(WAIT_SECONDS if run.reached < step else 0)
    return run.nearest(step)


def history(recipe: Recipe, step: int) -> tuple[Measured, ...]:
    """Return the measurements of a run at all kept steps up to a step."""
    measurements = live_run(recipe).history(step)
    return noted(measurements, live.measured_at, recipe, *(measured.step for measured in measurements))


def diagnosis(recipe: Recipe, step: int, failure: str) -> Diagnosis:
    """Return what the tensor of a failure, by its name, shows in a run at a step."""
    model = open_step(recipe, live_run(recipe).weights(step))
    return noted(diagnose(FAILURES[failure], recipe, model), diagnosis_at, recipe, step, failure)


def others_training() -> int:
    """Return the number of jobs that run here for other visitors."""
    own = sum(job.running for _, job in visit_state().jobs.values())
    return max(0, job_runner().count - own)


def step_file(recipe: Recipe, step: int) -> bytes:
    """Return a step as a zip file of a checkpoint."""
    return zipped_step(recipe, step, live_run(recipe).weights(step))


def baselines_of(recipe: Recipe) -> Baselines:
    """Return how well a run's task can be done by guessing, and by counting pairs."""
    return core_call(baselines, recipe.task)


def cells_of(recipe: Recipe, measured: Measured, score: str, layer: int, head: int) -> ScoreCells:
    """Return how a score of a head is computed at a measured step; layer and head are counted from 0."""
    if recipe.architecture == "encoder-decoder":
        return core_call(cross_score_cells, score, measured.patterns[layer, head])
    return core_call(score_cells, score, measured.patterns[layer, head], *probe(recipe.of))


def shape_of(recipe: Recipe, name: str) -> tuple[int, ...]:
    """Return the shape of a parameter of a run's model.

    Raises ValueError if there is no such parameter.
    """
    return live_run(recipe).shape_of(name)


def next_update(recipe: Recipe, step: int, name: str, index: tuple[int, ...]) -> WeightUpdate:
    """Return the update of one weight that follows a step.

    Raises ValueError if there is no such weight.
    """
    update = live_run(recipe).next_update(step, name, index)
    return noted(update, live.update_after, recipe, step, name, *index)
