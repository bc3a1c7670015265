"""Work in the background: in turn, in slices, with its last result, until it ends or nobody waits for it any more."""

import threading
import time
from collections.abc import Iterator

import pytest

from core.topics.word_vectors.grammar import made_text
from pages.compute.calls import core_call, record_calls
from pages.compute.cancellation import cancel_with, raise_if_abandoned
from pages.compute.expressions import Call, Calls
from pages.compute.heavy_queue import exclusive, heavy_slots
from pages.compute.jobs import Job, JobRunner
from pages.compute.run_slots import run_slots
from pages.compute.slots import Busy
from tests.pages.compute.waiting import begun, until

LONG = 60.0  # seconds: until a job ends, on a machine of any load


def counting(before: int | None, last: int = 3) -> Iterator[int]:
    yield from range((before or 0) + 1, last + 1)


def endless(before: int | None) -> Iterator[int]:
    number = before or 0
    while True:
        number += 1
        yield number
        time.sleep(0.001)


def test_a_job_ends_with_its_last_result() -> None:
    job = Job(counting)
    assert job.look() is None and not job.running, "it waits to be begun"
    job.go_on()
    assert job.look(LONG) == 3 and job.finished and not job.running
    job.go_on()
    assert not job.running, "there is no more of it"


def test_jobs_take_turns_and_a_slice_ends_with_its_time() -> None:
    runner, order = JobRunner(slice_seconds=0), list[str]()

    def work(name: str) -> Iterator[None]:
        for _ in range(3):
            order.append(name)
            yield

    with run_slots().turn():
        jobs = [Job(lambda before, name=name: work(name), runner=runner) for name in "ab"]  # type: ignore[misc]
        for job in jobs:
            job.go_on()
    for job in jobs:
        job.look(LONG)
    assert order == ["a", "b"] * 3 and runner.count == 0
    order.clear()
    patient = JobRunner(slice_seconds=LONG)
    jobs = [Job(lambda before, name=name: work(name), runner=patient) for name in "ab"]  # type: ignore[misc]
    for job in jobs:
        job.go_on()
    for job in jobs:
        job.look(LONG)
    assert order == [*"aaabbb"]


def test_a_stop_keeps_what_is_done_and_the_work_goes_on_from_there() -> None:
    job, closed = Job(endless), list[int]()
    job.go_on()
    until(lambda: job.look())
    job.cancel()
    assert not job.running and not job.finished
    done = job.look()
    time.sleep(0.05)
    assert job.look() == done, "nothing is added any more"
    job.go_on()
    until(lambda: (job.look() or 0) > (done or 0))
    job.cancel()

    def held(before: int | None) -> Iterator[int]:
        try:
            yield from endless(before)
        finally:
            closed.append(1)

    other = Job(held)
    other.go_on()
    until(lambda: other.look())
    other.cancel()
    until(lambda: closed)


def test_a_job_at_which_nobody_looks_is_cancelled() -> None:
    now = [0.0]
    runner = JobRunner(unseen_seconds=10, clock=lambda: now[0])
    job = Job(endless, runner=runner)
    job.go_on()
    now[0] = 9.0
    until(lambda: job.look())
    now[0] = 18.0
    until(lambda: job.running)
    now[0] = 20.0
    until(lambda: not job.running and not runner.count)
    assert job.look() and not job.finished


def test_one_long_step_ends_where_it_asks_whether_anybody_waits() -> None:
    began, ended = threading.Event(), threading.Event()

    def work(before: None) -> Iterator[None]:
        began.set()
        try:
            while True:
                time.sleep(0.001)
                raise_if_abandoned()
        finally:
            ended.set()
        yield

    job = Job(work)
    job.go_on()
    began.wait()
    job.cancel()
    assert ended.wait(LONG)


def test_an_error_is_told_once_and_then_the_work_may_begin_again() -> None:
    tries = list[int]()

    def work(before: int | None) -> Iterator[int]:
        tries.append(1)
        yield 1
        if len(tries) == 1:
            raise ValueError("This text has no words.")

    job = Job(work)
    job.go_on()
    with pytest.raises(ValueError, match="no words"):
        job.look(LONG)
    assert job.look() == 1 and not job.running
    job.go_on()
    assert job.look(LONG) == 1 and job.finished


def test_too_many_jobs_are_refused_in_a_sentence() -> None:
    job = Job(counting, runner=JobRunner(max_jobs=0))
    job.go_on()
    with pytest.raises(Busy, match="try again"):
        job.look()


def test_a_job_that_runs_alone_waits_for_heavy_work_and_heavy_work_for_its_slice() -> None:
    heavy, steps = list[bool](), list[int]()

    def work(before: None) -> Iterator[None]:
        for number in range(2):
            steps.append(number)
            heavy.append(heavy_slots().held)
            yield

    def others() -> None:
        with exclusive():
            release.wait(LONG)

    job, release = Job(work, alone=True, runner=JobRunner(slice_seconds=0)), threading.Event()
    with exclusive():
        job.go_on()
        until(lambda: heavy_slots().waiting)
        assert not steps
        other = begun(others)
        until(lambda: len(heavy_slots().waiting) == 2)
    until(lambda: steps and heavy_slots().waiting)
    assert steps == [0], "others come between two slices"
    release.set()
    other.join()
    job.look(LONG)
    assert steps == [0, 1] and heavy == [True, True]


def test_whoever_waits_for_a_job_lets_other_runs_go_on() -> None:
    job = Job(endless)
    with run_slots().turn():
        job.go_on()
        assert job.look(0.2), "its slices came into the place of this run"
        assert run_slots().held
    job.cancel()


def test_waiting_for_a_job_ends_with_the_visit() -> None:
    def over() -> None:
        raise InterruptedError

    job = Job(endless)
    job.go_on()
    with pytest.raises(InterruptedError), cancel_with(over):
        job.look(LONG)
    job.cancel()


def test_the_calls_behind_the_result_are_written_into_the_log_of_the_view() -> None:
    def work(before: dict[str, str] | None) -> Iterator[dict[str, str]]:
        yield {"text": core_call(made_text)}
        yield {"text": core_call(made_text), "again": core_call(made_text)}

    job = Job(work)
    job.go_on()
    job.look(LONG)
    with record_calls() as log:
        job.look()
    assert [*Calls(log).written.values()] == [Call("core.topics.word_vectors.grammar", "made_text", ())]
