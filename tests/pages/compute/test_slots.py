"""Places for work: first come, first served, and nobody waits for a thread whose slice is over."""

import threading
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.compute.heavy_queue import cancellation_check
from pages.compute.run_slots import run_slots
from pages.compute.slots import Busy, FairSlots
from tests.pages.compute.waiting import begun, until
from tests.pages.house import APP


def closed() -> None:
    raise InterruptedError


def test_threads_come_one_at_a_time_in_the_order_in_which_they_asked() -> None:
    slots, came, most, told = FairSlots(1), list[int](), list[int](), list[tuple[int, int]]()

    def run(number: int) -> None:
        with slots.turn(lambda ahead: told.append((number, ahead))):
            came.append(number)
            most.append(len(slots.inside))

    with slots.turn():
        threads = list[threading.Thread]()
        for number in range(5):
            threads.append(begun(lambda number=number: run(number)))  # type: ignore[misc]
            until(lambda: len(slots.waiting) > number)  # noqa: B023 - it is asked before the number changes
        until(lambda: len(told) == 5)
        assert not came
    for thread in threads:
        thread.join()
    assert came == [0, 1, 2, 3, 4] and set(most) == {1}
    assert set(told) >= {(number, number + 1) for number in range(5)}, "beside those who wait, one is at work"
    assert not slots.inside and not slots.waiting


def test_as_many_are_inside_at_once_as_there_are_places() -> None:
    slots, end = FairSlots(2), threading.Event()

    def run() -> None:
        with slots.turn():
            end.wait(60)

    threads = [begun(run) for _ in range(3)]
    until(lambda: len(slots.inside) == 2 and len(slots.waiting) == 1)
    end.set()
    for thread in threads:
        thread.join()
    assert not slots.inside and not slots.waiting


def test_a_thread_whose_slice_is_over_goes_on_behind_those_who_wait() -> None:
    now, came = [0.0], list[str]()
    slots = FairSlots(1, slice_seconds=1, clock=lambda: now[0], poll_seconds=60)

    def quick() -> None:
        with slots.turn():
            came.append("quick")

    with slots.turn():
        thread = begun(quick)
        until(lambda: slots.waiting)
        slots.make_way()
        came.append("its slice is not over")
        now[0] = 2.0
        slots.make_way()
        came.append("long")
        thread.join()
    assert came == ["its slice is not over", "quick", "long"]


def test_nobody_waits_for_a_thread_that_does_not_make_way() -> None:
    """It may itself be waiting for what this one computes."""
    slots, done = FairSlots(1, slice_seconds=0.05), threading.Event()

    def other() -> None:
        with slots.turn():
            done.set()

    with slots.turn():
        thread = begun(other)
        assert done.wait(10), "it waits for a slice that has been over for long"
        thread.join()
        slots.make_way()
        assert len(slots.inside) == 1
    assert not slots.inside


def test_whoever_waits_for_something_else_lets_others_in() -> None:
    slots, came = FairSlots(1), list[str]()

    def other() -> None:
        with slots.turn():
            came.append("other")

    with slots.turn():
        before = slots.waited()
        with slots.aside():
            begun(other).join()
        assert len(slots.inside) == 1 and came == ["other"]
        with pytest.raises(InterruptedError), slots.aside():
            raise InterruptedError
        assert not slots.inside, "a run that failed while it stood aside waits for no place"
        assert slots.waited() >= before
    with slots.turn():
        with pytest.raises(Busy), slots.aside():
            raise Busy
        assert len(slots.inside) == 1, "a run that was refused goes on with a sentence about it"
    assert not slots.inside and not slots.waiting


def test_what_a_thread_is_given_while_it_stands_aside_is_not_lost() -> None:
    """It waits for its place again by then; had it ended there, nobody would have given that back."""
    slots = FairSlots(1, look=closed, poll_seconds=0.001)
    free, release = threading.Lock(), threading.Event()

    def run() -> None:
        with slots.turn():
            with slots.aside():
                free.acquire()
                release.wait(60)
            free.release()

    thread = begun(run)
    until(free.locked)
    with slots.turn():
        release.set()
        until(lambda: slots.waiting or not thread.is_alive())
        thread.join(0.1)
    thread.join()
    assert not free.locked()
    assert not slots.inside and not slots.waiting


def test_a_thread_that_ends_while_it_waits_leaves_nothing_behind() -> None:
    slots, ended = FairSlots(1, look=closed), list[bool]()

    def run() -> None:
        with pytest.raises(InterruptedError), slots.turn():
            pass
        ended.append(True)

    with slots.turn():
        begun(run).join()
        assert ended and not slots.waiting and len(slots.inside) == 1
        with slots.turn():
            assert len(slots.inside) == 1, "a turn within a turn does not wait"
    assert not slots.inside


def test_a_full_queue_refuses_and_nobody_waits_longer_than_the_patience() -> None:
    full, impatient, said = FairSlots(1, queue_length=0), FairSlots(1, patience=0.01), list[str]()

    def run(slots: FairSlots) -> Callable[[], None]:
        def come() -> None:
            with pytest.raises(Busy, match="try again in a minute") as refused, slots.turn():
                pass
            said.append(str(refused.value))

        return come

    run(full)()
    with impatient.turn():
        begun(run(impatient)).join()
    assert len(said) == 2 and not impatient.waiting
    with impatient.turn():
        pass


def test_waiting_for_a_place_is_not_counted_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, now = FairSlots(1), [0.0]
    monkeypatch.setattr("pages.compute.heavy_queue.run_slots", lambda: ours)
    with ours.turn():
        look = cancellation_check(1, lambda: now[0])
        next(iter(ours.inside)).waited += 100
        look()
        now[0] = 100.5
        look()
        now[0] = 101.5
        with pytest.raises(ValueError, match="longer than the 1 seconds"):
            look()


def test_the_pages_wait_for_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, shown = FairSlots(1), list[AppTest]()
    run_slots.clear()
    monkeypatch.setattr("pages.compute.run_slots.FairSlots", lambda *places, **limits: ours)
    app = AppTest.from_file(APP, default_timeout=60)
    with ours.turn():
        thread = begun(lambda: shown.append(app.run()))
        until(lambda: ours.waiting)
        assert not shown
    thread.join()
    run_slots.clear()
    assert not shown[0].exception and shown[0].markdown
    assert not ours.inside
