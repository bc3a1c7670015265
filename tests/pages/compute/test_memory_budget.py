"""Room for runs: what others have booked is waited for, and what is kept goes at most twice a minute for light runs."""

import threading
from contextlib import ExitStack
from functools import partial

import pytest

from core.analysis.costs import MemoryEstimate
from core.limits import RESERVE_MIB
from core.memory import MIB
from pages.compute import memory_budget
from pages.compute.heavy_queue import exclusive, heavy_slots
from pages.compute.memory_budget import Bookings, room_for


@pytest.fixture
def books(monkeypatch: pytest.MonkeyPatch) -> Bookings:
    """The server holds 100 MiB of the 110 that it may."""
    own = Bookings()
    monkeypatch.setattr(memory_budget, "bookings", lambda: own)
    monkeypatch.setattr(memory_budget, "memory_ceiling", lambda: 110 * MIB)
    monkeypatch.setattr(memory_budget, "resident", lambda: 100 * MIB)
    monkeypatch.setattr(memory_budget, "MAX_WAIT_SECONDS", 0.0)
    return own


def takes(mib: int) -> MemoryEstimate:
    return MemoryEstimate(0, mib * MIB, 0)


def test_light_runs_go_beyond_the_ceiling_when_all_that_can_go_has_gone(
    books: Bookings, monkeypatch: pytest.MonkeyPatch
) -> None:
    freed: list[None] = []
    for _ in range(3):
        with room_for(lambda: takes(20), lambda: freed.append(None)):
            assert books.bytes == 20 * MIB and not heavy_slots().inside
    assert len(freed) == 1, "what was freed a moment ago is not freed again"
    monkeypatch.setattr(memory_budget, "RESERVE_MIB", 5)
    with pytest.raises(ValueError, match="20 MiB in all, and 10 MiB may be used"):
        room_for(lambda: takes(20), lambda: None).__enter__()
    with pytest.raises(ValueError, match="70 MiB in all, and 10 MiB"):
        room_for(lambda: takes(70), lambda: freed.append(None)).__enter__()
    assert len(freed) == 2 and books.bytes == 0, "for a heavy run all that can go, goes"


@pytest.mark.parametrize("heavy", [False, True])
def test_models_go_one_by_one_until_a_run_fits_into_the_share_of_the_app(
    books: Bookings, monkeypatch: pytest.MonkeyPatch, heavy: bool
) -> None:
    held, shed = [100 * MIB], list[None]()

    def lets_go() -> bool:
        if len(shed) == 3:
            return False
        shed.append(None)
        held[0] -= 6 * MIB
        return True

    monkeypatch.setattr(memory_budget, "resident", lambda: held[0])
    monkeypatch.setattr(memory_budget, "APP_MIB", 108)
    monkeypatch.setattr(memory_budget, "HEAVY_MIB", 0 if heavy else 32)
    with room_for(lambda: takes(20), pytest.fail, lets_go):
        assert len(shed) == 2 and books.bytes == 20 * MIB and bool(heavy_slots().inside) == heavy
    with room_for(lambda: takes(28), pytest.fail, lets_go):
        assert len(shed) == 3, "what is still too much may use what is left below the ceiling"
    monkeypatch.setattr(memory_budget, "memory_ceiling", lambda: 0)
    shed.clear()
    with room_for(lambda: takes(20), pytest.fail, lets_go):
        assert not shed, "where nobody has stated a ceiling nothing has to go"


def test_what_others_have_booked_is_waited_for(books: Bookings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_budget, "MAX_WAIT_SECONDS", 600.0)
    monkeypatch.setattr(memory_budget, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(memory_budget, "RESERVE_MIB", 0)
    looked, ended = threading.Event(), list[bool]()
    monkeypatch.setattr(memory_budget, "raise_if_abandoned", looked.set)
    with ExitStack() as other:
        other.enter_context(room_for(lambda: takes(8), pytest.fail))

        def wait() -> None:
            with room_for(lambda: takes(9), lambda: None):
                ended.append(True)

        waiter = threading.Thread(target=wait)
        waiter.start()
        looked.wait()
        assert not ended
    waiter.join()
    assert ended and books.bytes == 0


def test_two_cannot_book_the_same_room(books: Bookings) -> None:
    threads = [threading.Thread(target=books.take, args=(3 * MIB,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert books.bytes == 9 * MIB


def test_nobody_waits_for_room_that_cannot_come(books: Bookings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_budget, "MAX_WAIT_SECONDS", 600.0)
    assert books.take(8 * MIB)
    for mib in (70, 11 + RESERVE_MIB):
        with pytest.raises(ValueError, match=f"{mib} MiB in all, and 2 MiB may be used"):
            room_for(partial(takes, mib), lambda: None).__enter__()


def test_what_a_run_has_taken_is_counted_once(books: Bookings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert books.take(6 * MIB) and books.room() == 4 * MIB
    monkeypatch.setattr(memory_budget, "resident", lambda: 106 * MIB)  # it has all that it booked
    assert books.room() == 4 * MIB
    monkeypatch.setattr(memory_budget, "resident", lambda: 108 * MIB)  # and more
    assert books.room() == 2 * MIB and not books.take(3 * MIB) and books.take(2 * MIB)
    books.end(6 * MIB)
    assert books.room() == 2 * MIB, "what has not been given back yet is held"
    monkeypatch.setattr(memory_budget, "resident", lambda: 101 * MIB)
    books.end(2 * MIB)
    assert books.room() == 9 * MIB and books.bytes == 0


def test_a_light_run_waits_for_room_and_not_for_its_turn(books: Bookings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_budget, "MAX_WAIT_SECONDS", 600.0)
    monkeypatch.setattr(memory_budget, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(memory_budget, "RESERVE_MIB", 0)
    looked, ended = threading.Event(), list[bool]()
    monkeypatch.setattr(memory_budget, "raise_if_abandoned", looked.set)

    def wait() -> None:
        with room_for(lambda: takes(3), lambda: None):
            ended.append(bool(heavy_slots().inside))

    with exclusive():
        assert books.take(8 * MIB)
        waiter = threading.Thread(target=wait)
        waiter.start()
        looked.wait()
        books.end(8 * MIB)
        waiter.join()
    assert ended == [True] and books.bytes == 0
