"""Rounds in which several ways take turns, and the quartiles of their times."""

import pytest

from core.topics.shared.timing import quartiles, timed_rounds


@pytest.mark.parametrize(
    ("seconds", "least", "discarded", "kept"), [(60.0, 1, 1, 4), (0.0, 1, 1, 1), (0.0, 3, 0, 3), (0.0, 1, 2, 1)]
)
def test_ways_take_turns_until_the_time_is_over(seconds: float, least: int, discarded: int, kept: int) -> None:
    order: list[str] = []
    ways = [lambda: order.append("a"), lambda: order.append("b")]
    found = timed_rounds(ways, "cpu", seconds, 4, least, discarded)
    assert found.shape == (kept, 2) and (found >= 0).all()
    assert order == ["a", "b"] * (discarded + kept)


def test_quartiles_are_milliseconds() -> None:
    assert quartiles([0.001, 0.002, 0.003, 0.004, 0.005]) == pytest.approx((2, 3, 4))
