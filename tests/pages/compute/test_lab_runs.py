"""Runs of the lab that are trained in the background: each of many gets its share, and a page is drawn meanwhile."""

import time
from collections.abc import Iterator
from functools import partial

import pytest

from core.lab.live import LiveRun
from core.lab.recipe import starting_recipe
from pages.compute.jobs import Job, JobRunner
from pages.compute.lab_runs import training
from pages.compute.run_slots import run_slots

TRAINERS, ENOUGH, SECONDS = 20, 80, 9.0  # steps of each on average, for as long as a busy machine may take
WAIT = 0.5  # seconds: ten slices
Trainer = tuple[LiveRun, "Job[int]"]


@pytest.fixture
def trainers() -> Iterator[list[Trainer]]:
    """Twenty visitors, each of whom has just pressed Play for a run of their own."""
    runner = JobRunner()
    recipes = [starting_recipe("repeat", layers=1, heads=1, d_model=16, batch=8, seed=seed) for seed in range(TRAINERS)]
    runs = [LiveRun(recipe) for recipe in recipes]
    yield [(run, Job(partial(training, run, run.recipe.steps), alone=True, runner=runner)) for run in runs]
    runner.unseen_seconds = -1.0  # which ends the jobs


def test_each_of_twenty_trainers_gets_its_share_and_pages_are_drawn_meanwhile(trainers: list[Trainer]) -> None:
    """The share counts in steps; a page waits for one slice, or for a measurement, and for those that asked before."""
    for _, job in trainers:
        job.go_on()
    waits, end = [], time.monotonic() + SECONDS
    while sum(run.reached for run, _ in trainers) < TRAINERS * ENOUGH and time.monotonic() < end:
        asked = time.monotonic()
        with run_slots().turn():
            waits.append(time.monotonic() - asked)
        for _, job in trainers:
            job.look()
        time.sleep(0.05)
    steps = [run.reached for run, _ in trainers]
    for _, job in trainers:
        job.cancel()
    mean = sum(steps) / TRAINERS
    assert mean > 10 and min(steps) >= mean / 2, steps
    assert sorted(waits)[-2] < WAIT, sorted(waits)[-5:]  # all but one: another program may have had the processors
