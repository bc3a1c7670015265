"""The stopwatch: in the one queue of heavy work."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from pages.compute import cache
from pages.compute.exclusive_timing import timed_exclusively
from pages.compute.heavy_queue import exclusive
from tests.pages.compute.test_model_cache import DEFAULT, heavy, until_one_waits


def aside(work: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_measuring_does_not_begin_beside_heavy_work() -> None:
    said: list[str] = []

    def measure() -> None:
        with pytest.raises(ValueError, match="try again") as mistake, timed_exclusively(0.01):
            pass
        said.append(str(mistake.value))

    with exclusive():
        aside(measure).join()
    assert said
    with timed_exclusively(0.01):  # the turn was not lost
        pass


def test_heavy_work_waits_for_a_measurement_and_comes_between_two_of_its_parts() -> None:
    done, tried = threading.Event(), list[bool]()

    def wait() -> None:
        with exclusive():
            done.set()

    def try_at_once() -> None:
        with exclusive(0.01) as came:
            tried.append(came)

    with timed_exclusively(5) as step_aside:
        thread = aside(wait)
        until_one_waits()
        assert not done.is_set()
        step_aside()
        assert done.is_set()
        thread.join()
        aside(try_at_once).join()
    assert tried == [False]


def test_a_large_model_is_measured_within_the_turn() -> None:
    with timed_exclusively(5) as step_aside:
        step_aside()
        assert cache.compute(lambda model, tokenizer, run: run.config.d_model, heavy(DEFAULT)) == 512
