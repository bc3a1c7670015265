"""Runs of the lab that are trained in the background: each of many gets its share, and a page is drawn meanwhile."""

import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from core.lab.live import LiveRun
from core.lab.recipe import starting_recipe
from pages.compute.jobs import Job, JobRunner
from pages.compute.lab_runs import training
from pages.compute.run_slots import run_slots

TRAINERS, ENOUGH, SECONDS = 20, 40, 200.0  # steps of each on average, for as long as a busy machine may take
SLICES = 2  # of training that a page waits for at most: the one that runs, and one that asked before the page
Trainer = tuple[LiveRun, "Job[int]"]


class CountedSlices(JobRunner):
    """A runner that counts the slices it has carried out."""

    slices = 0

    def _carry_on(self, run_slice: Callable[[], bool]) -> None:
        super()._carry_on(run_slice)
        self.slices += 1


@pytest.fixture
def runner() -> CountedSlices:
    return CountedSlices()


@pytest.fixture
def trainers(runner: CountedSlices) -> Iterator[list[Trainer]]:
    """Twenty visitors, each of whom has just pressed Play for a run of their own."""
    recipes = [starting_recipe("repeat", layers=1, heads=1, d_model=16, batch=8, seed=seed) for seed in range(TRAINERS)]
    runs = [LiveRun(recipe) for recipe in recipes]
    yield [(run, Job(partial(training, run, run.recipe.steps), alone=True, runner=runner)) for run in runs]
    runner.unseen_seconds = -1.0  # which ends the jobs
    while runner.count:
        time.sleep(0.01)


def test_each_of_twenty_trainers_gets_its_share_and_pages_are_drawn_meanwhile(
    trainers: list[Trainer], runner: CountedSlices
) -> None:
    """Shares are counted in steps, and what a page waits for in slices: both are the same on a busy machine."""
    for _, job in trainers:
        job.go_on()
    waits, end = [], time.monotonic() + SECONDS
    while sum(run.reached for run, _ in trainers) < TRAINERS * ENOUGH and time.monotonic() < end:
        asked = runner.slices
        with run_slots().turn():
            waits.append(runner.slices - asked)
        for _, job in trainers:
            job.look()
        time.sleep(0.05)
    steps = [run.reached for run, _ in trainers]
    for _, job in trainers:
        job.cancel()
    mean = sum(steps) / TRAINERS
    assert mean >= ENOUGH and min(steps) >= mean / 2, steps
    assert max(waits) <= SLICES, waits
