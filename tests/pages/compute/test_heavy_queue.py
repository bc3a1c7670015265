"""The one queue of heavy work: first come, first served, and who waits reads how many come before."""

import threading
from contextlib import ExitStack

import pytest
from streamlit.testing.v1 import AppTest

from pages.compute import heavy_queue
from pages.compute.slots import FairSlots
from pages.shell.work_notice import _Notice
from tests.pages.compute.waiting import until


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    came, told = list[int](), list[tuple[int, int]]()

    def work(number: int) -> None:
        with heavy_queue.on_queue_position(lambda ahead: told.append((number, ahead))), heavy_queue.exclusive():
            came.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    with heavy_queue.exclusive():
        for number, thread in enumerate(threads):
            thread.start()
            until(lambda: len(heavy_queue.heavy_slots().waiting) > number)  # noqa: B023 - it is asked before the number changes
        until(lambda: {number for number, _ in told} == {0, 1, 2, 3})
    for thread in threads:
        thread.join()
    assert came == [0, 1, 2, 3]
    assert [number for number, ahead in told if not ahead] == [0, 1, 2, 3]
    assert not heavy_queue.heavy_slots().waiting and not heavy_queue.heavy_slots().inside


def test_a_turn_is_given_back_where_telling_ends_the_run() -> None:
    def over(ahead: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError), heavy_queue.on_queue_position(over), heavy_queue.exclusive():
        pass
    assert not heavy_queue.heavy_slots().inside


def test_a_turn_that_comes_when_nobody_waits_for_it_any_more_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its run is not first in the queue of runs by then."""

    def over() -> None:
        raise InterruptedError

    ours = FairSlots(1, look=over, poll_seconds=0.001)
    monkeypatch.setattr(heavy_queue, "run_slots", lambda: ours)

    def heavy() -> None:
        with ours.turn(), heavy_queue.exclusive():
            pass

    thread = threading.Thread(target=heavy)
    with ExitStack() as computing:
        with heavy_queue.exclusive():
            thread.start()
            until(lambda: heavy_queue.heavy_slots().waiting)
            computing.enter_context(ours.turn())
        until(lambda: ours.waiting or not thread.is_alive())
        thread.join(0.1)
    thread.join()
    assert not heavy_queue.heavy_slots().inside


def waits() -> None:
    import streamlit as st

    from pages.compute.heavy_queue import exclusive
    from pages.shell.work_notice import work_notice

    @st.cache_data
    def kept() -> int:
        with exclusive():
            return 1

    with work_notice("this work"):
        st.write(f"The answer is {kept()}.")


def test_who_waits_reads_how_many_come_before(monkeypatch: pytest.MonkeyPatch) -> None:
    said, held, release = list[str](), threading.Event(), threading.Event()
    write = _Notice._write

    def spy(notice: _Notice, words: str) -> None:
        write(notice, words)
        said.append(words)
        release.set()

    def hold() -> None:
        with heavy_queue.exclusive():
            held.set()
            release.wait()

    monkeypatch.setattr(_Notice, "_write", spy)
    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    at = AppTest.from_function(waits, default_timeout=60).run()
    holder.join()
    assert not at.exception
    assert "Heavy work goes one at a time: 1 before you." in said[0] and "The model is at work." in said[-1]
    assert [each.value for each in at.markdown] == ["The answer is 1."], "the words are gone with the work"
    assert not at.button
