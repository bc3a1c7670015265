"""Limits: how often a name may ask, and how slowly wrong codes are answered."""

import asyncio

from pages.classroom.limits import CODES_LIMIT, CodeGuesses, MemoryLimits, RateLimit
from pages.classroom.requests import Rejected
from tests.pages.classroom.lesson import Clock
from tests.pages.classroom.loops import run_async


def test_a_bucket_is_emptied_and_refilled() -> None:
    clock = Clock()
    limit = RateLimit(2.0, 3, clock=clock)
    assert [limit.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert limit.allows("b")
    clock.wait(0.5)
    assert [limit.allows("a") for _ in range(2)] == [True, False]
    clock.wait(1000)
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]


def test_only_so_many_names_are_remembered() -> None:
    limit = RateLimit(0.0, 1, max_names=2, clock=Clock())
    assert limit.allows("a") and limit.allows("b") and not limit.allows("a")
    assert limit.allows("c") and not limit.allows("a")  # “b” was forgotten
    assert limit.allows("b")


class Sleeper:
    """Sleeps until it is woken."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.woken = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await self.woken.wait()


def guesses_with(sleeper: Sleeper, clock: Clock, waiting: tuple[int, int] = (100, 1000)) -> CodeGuesses:
    return CodeGuesses(MemoryLimits(clock), waiting=waiting, clock=clock, sleep=sleeper)


async def is_refused(guesses: CodeGuesses, code: str, address: str = "a", exists: bool = False) -> bool:
    try:
        await guesses.wait(code, address, exists)
    except Rejected as refusal:
        assert refusal.status == 429
        return True
    return False


def test_a_wrong_code_takes_a_second_and_its_repetition_none() -> None:
    async def run() -> None:
        sleeper, clock = Sleeper(), Clock()
        guesses = guesses_with(sleeper, clock)
        class_that_is_gone = [asyncio.create_task(is_refused(guesses, "BBBBB")) for _ in range(60)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in class_that_is_gone)
        sleeper.woken.set()
        assert not any(await asyncio.gather(*class_that_is_gone))
        assert sleeper.seconds == [1.0]  # all of them in one wait
        assert not await is_refused(guesses, "BBBBB") and sleeper.seconds == [1.0]
        clock.wait(61)
        assert not await is_refused(guesses, "BBBBB") and sleeper.seconds == [1.0, 1.0]

    run_async(run())


def test_only_so_many_guesses_wait_at_once() -> None:
    async def run() -> None:
        sleeper = Sleeper()
        guesses = guesses_with(sleeper, Clock(), waiting=(2, 3))
        asked = (("BBBBB", "a"), ("CCCCC", "a"), ("DDDDD", "b"))
        waiting = [asyncio.create_task(is_refused(guesses, *each)) for each in asked]
        await asyncio.sleep(0)
        assert await is_refused(guesses, "FFFFF", "a") and await is_refused(guesses, "FFFFF", "c")
        sleeper.woken.set()
        assert not any(await asyncio.gather(*waiting)) and not await is_refused(guesses, "FFFFF", "c")

    run_async(run())


def test_a_right_code_takes_as_long_where_many_wrong_ones_were_tried() -> None:
    """So whoever does not wait for the answers to guesses learns nothing from those that come at once."""

    async def run() -> None:
        sleeper, clock = Sleeper(), Clock()
        sleeper.woken.set()
        guesses = guesses_with(sleeper, clock)
        for number in range(CODES_LIMIT[1]):
            assert not await is_refused(guesses, "right", exists=True)
            assert sleeper.seconds == [1.0] * number
            assert not await is_refused(guesses, f"code {number}")
        del sleeper.seconds[:]
        assert not await is_refused(guesses, "right", exists=True) and sleeper.seconds == [1.0]
        assert not await is_refused(guesses, "right", "b", exists=True) and sleeper.seconds == [1.0]
        clock.wait(2)
        assert not await is_refused(guesses, "right", exists=True) and sleeper.seconds == [1.0]

    run_async(run())
