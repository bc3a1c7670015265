"""The lane: one run of the script computes at a time, and whoever computes for long lets the others go before."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.compute import heavy_queue
from pages.compute import run_slots as lanes
from pages.compute.run_slots import RunSlots
from tests.pages.compute.test_heavy_queue import until
from tests.pages.house import APP

LONG = 3600.0  # seconds of a turn that does not end


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(lanes, "SLICE_SECONDS", LONG)
    yield


def begun(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@pytest.mark.usefixtures("endless")
def test_runs_come_one_at_a_time_in_the_order_in_which_they_were_asked_for() -> None:
    lane, came, most = RunSlots(1), list[int](), list[int]()

    def run(number: int) -> None:
        with lane.turn():
            came.append(number)
            most.append(len(lane.inside))

    with lane.turn():
        threads = list[threading.Thread]()
        for number in range(5):
            threads.append(begun(lambda number=number: run(number)))  # type: ignore[misc]
            until(lambda: len(lane.waiting) > number)  # noqa: B023 - it is asked before the number changes
        assert not came
    for thread in threads:
        thread.join()
    assert came == [0, 1, 2, 3, 4] and set(most) == {1}
    assert not lane.inside and not lane.waiting


@pytest.mark.usefixtures("endless")
def test_as_many_compute_at_once_as_there_are_places() -> None:
    lane, end = RunSlots(2), threading.Event()

    def run() -> None:
        with lane.turn():
            end.wait(60)

    threads = [begun(run) for _ in range(3)]
    until(lambda: len(lane.inside) == 2 and len(lane.waiting) == 1)
    end.set()
    for thread in threads:
        thread.join()
    assert not lane.inside and not lane.waiting


def test_a_run_whose_turn_is_over_goes_on_behind_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    lane, came = RunSlots(1), list[str]()

    def quick() -> None:
        with lane.turn():
            came.append("quick")

    monkeypatch.setattr(lanes, "SLICE_SECONDS", LONG)
    with lane.turn():
        thread = begun(quick)
        until(lambda: lane.waiting)
        lane.make_way()
        came.append("its turn is not over")
        next(iter(lane.inside)).end = 0.0
        lane.make_way()
        came.append("long")
        thread.join()
    assert came == ["its turn is not over", "quick", "long"]


def test_nobody_waits_for_a_run_that_does_not_make_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may itself be waiting for what this one computes."""
    monkeypatch.setattr(lanes, "SLICE_SECONDS", 0.05)
    lane, done = RunSlots(1), threading.Event()

    def other() -> None:
        with lane.turn():
            done.set()

    with lane.turn():
        thread = begun(other)
        assert done.wait(10), "it waits for a turn that has been over for long"
        thread.join()
        lane.make_way()
        assert len(lane.inside) == 1
    assert not lane.inside


@pytest.mark.usefixtures("endless")
def test_whoever_waits_for_something_else_lets_others_compute() -> None:
    lane, came = RunSlots(1), list[str]()

    def other() -> None:
        with lane.turn():
            came.append("other")

    with lane.turn():
        before = lane.waited()
        with lane.aside():
            begun(other).join()
        assert len(lane.inside) == 1 and came == ["other"]
        with pytest.raises(InterruptedError), lane.aside():
            raise InterruptedError
        assert not lane.inside, "a run that failed while it stood aside waits for no turn"
        assert lane.waited() >= before
    assert not lane.inside and not lane.waiting


@pytest.mark.usefixtures("endless")
def test_what_a_run_is_given_while_it_stands_aside_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for its turn again by then; had it ended there, nobody would have given that back."""
    lane, free, release = RunSlots(1), threading.Lock(), threading.Event()

    def closed() -> None:
        raise InterruptedError

    def run() -> None:
        with lane.turn():
            with lane.aside():
                free.acquire()
                release.wait(60)
            free.release()

    thread = begun(run)
    until(free.locked)
    with lane.turn():
        monkeypatch.setattr(lanes, "raise_if_abandoned", closed)
        monkeypatch.setattr(lanes, "POLL_SECONDS", 0.001)
        release.set()
        until(lambda: lane.waiting or not thread.is_alive())
        thread.join(0.1)
    thread.join()
    assert not free.locked()
    assert not lane.inside and not lane.waiting


@pytest.mark.usefixtures("endless")
def test_a_run_that_ends_while_it_waits_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    lane, ended = RunSlots(1), list[bool]()

    def closed() -> None:
        raise InterruptedError

    def run() -> None:
        with pytest.raises(InterruptedError), lane.turn():
            pass
        ended.append(True)

    with lane.turn():
        monkeypatch.setattr(lanes, "raise_if_abandoned", closed)
        begun(run).join()
        assert ended and not lane.waiting and len(lane.inside) == 1
        with lane.turn():
            assert len(lane.inside) == 1, "a run within a run has its turn"
    assert not lane.inside


@pytest.mark.usefixtures("endless")
def test_waiting_for_turns_is_not_counted_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = RunSlots(1)
    monkeypatch.setattr(heavy_queue, "run_slots", lambda: ours)
    monkeypatch.setattr(heavy_queue, "JOB_SECONDS", 1)
    with ours.turn():
        look = heavy_queue.cancellation_check()
        next(iter(ours.inside)).waited += 100
        look()
        monkeypatch.setattr(time, "monotonic", lambda clock=time.monotonic: clock() + 100.5)
        look()
        monkeypatch.setattr(time, "monotonic", lambda clock=time.monotonic: clock() + 1)
        with pytest.raises(ValueError, match="longer than the 1 seconds"):
            look()


@pytest.mark.usefixtures("endless")
def test_the_pages_come_by_the_lane() -> None:
    app = AppTest.from_file(APP, default_timeout=60)
    shown = list[AppTest]()
    with lanes.run_slots().turn():
        thread = begun(lambda: shown.append(app.run()))
        until(lambda: lanes.run_slots().waiting)
        assert not shown
    thread.join()
    assert not shown[0].exception and shown[0].markdown
    assert not lanes.run_slots().inside
