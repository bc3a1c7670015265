"""Limits: how often a name may ask, and how slowly wrong codes are answered."""

import asyncio

import pytest

from pages.classroom.limits import CODES_LIMIT, RateLimit, WrongCodes
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


def codes_with(sleeper: Sleeper, clock: Clock, waiting: int = 20) -> WrongCodes:
    return WrongCodes(waiting=waiting, clock=clock, sleep=sleeper)


async def status(codes: WrongCodes, code: str, address: str = "a") -> int:
    with pytest.raises(Rejected) as rejected:
        await codes.reject(code, address)
    return rejected.value.status


def test_a_wrong_code_takes_a_second_and_its_repetition_none() -> None:
    async def run() -> None:
        sleeper, clock = Sleeper(), Clock()
        codes = codes_with(sleeper, clock)
        class_that_is_gone = [asyncio.create_task(status(codes, "BBBBB")) for _ in range(60)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in class_that_is_gone)
        sleeper.woken.set()
        assert await asyncio.gather(*class_that_is_gone) == [404] * 60
        assert sleeper.seconds == [1.0]  # all of them in one wait
        assert await status(codes, "BBBBB") == 404 and sleeper.seconds == [1.0]
        clock.wait(61)
        assert await status(codes, "BBBBB") == 404 and sleeper.seconds == [1.0, 1.0]

    run_async(run())


def test_only_so_many_wrong_codes_are_waited_for() -> None:
    async def run() -> None:
        sleeper = Sleeper()
        codes = codes_with(sleeper, Clock(), waiting=2)
        waiting = [asyncio.create_task(status(codes, code)) for code in ("BBBBB", "CCCCC")]
        await asyncio.sleep(0)
        assert await status(codes, "DDDDD") == 429
        sleeper.woken.set()
        assert await asyncio.gather(*waiting) == [404, 404]

    run_async(run())


def test_an_address_tries_only_so_many_codes() -> None:
    async def run() -> None:
        sleeper, clock = Sleeper(), Clock()
        sleeper.woken.set()
        codes = codes_with(sleeper, clock)
        most = int(CODES_LIMIT[1])
        tried = [await status(codes, f"code {number}") for number in range(most + 1)]
        assert tried == [404] * most + [429]
        assert await status(codes, "another", "b") == 404
        clock.wait(2)
        assert await status(codes, "later") == 404

    run_async(run())
