"""What the page The lab asks of the runs that visitors train."""

from functools import partial

from core.lab import live
from core.lab.baselines import Baselines, baselines
from core.lab.measured import Measured
from core.lab.recipe import Recipe
from core.lab.update import WeightUpdate
from pages.compute.calls import core_call, noted
from pages.compute.jobs import Job
from pages.compute.lab_runs import live_run, training
from pages.widgets import visit_job

AT_ONCE = 0.15  # seconds until the steps that were taken are drawn
JOB = "lab-training"


def trained(recipe: Recipe, step: int) -> Measured:
    """Return what is measured at a step; as long as the run has not come to it, at the last measured step before it.

    The run is trained in the background. This waits for it for AT_ONCE seconds.
    """
    run = live_run(recipe)
    target = min(step, run.last)
    job = visit_job(JOB, (recipe, target), lambda: Job(partial(training, run, target), alone=True))
    if run.nearest(target).step < target:
        job.go_on()
        job.look(AT_ONCE)
    return run.nearest(min(target, run.last))


def history(recipe: Recipe, step: int) -> tuple[Measured, ...]:
    """Return all that was measured of a run up to a step."""
    measurements = live_run(recipe).history(step)
    return noted(measurements, live.measured_at, recipe, *(measured.step for measured in measurements))


def lines_of_guessing(recipe: Recipe) -> Baselines:
    return core_call(baselines, recipe.task)


def next_update(recipe: Recipe, step: int, name: str, index: tuple[int, ...]) -> WeightUpdate:
    """Return the update of one weight that follows a step.

    Raises ValueError if there is no such weight.
    """
    update = live_run(recipe).next_update(step, name, index)
    return noted(update, live.update_after, recipe, step, name, *index)
