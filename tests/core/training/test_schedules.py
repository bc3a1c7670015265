"""How the learning rate runs, against numbers worked by hand."""

import pytest

from core.training.schedules import cosine, in_turn, paper, trapezoid


def test_the_papers_schedule_by_hand():
    rate = paper(d_model=512, warmup=4000)
    assert rate(1, 0.0) == pytest.approx(512**-0.5 * 4000**-1.5)
    assert rate(4000, 0.0) == pytest.approx((512 * 4000) ** -0.5) == pytest.approx(6.9877e-4, rel=1e-4)
    assert rate(16000, 0.0) == pytest.approx(rate(4000, 0.0) / 2)


def test_the_cosine_schedule_by_hand():
    rate = cosine(peak=2.0, warmup=10, floor=0.1)
    assert (rate(5, 0.0), rate(10, 0.0)) == (1.0, 2.0)
    assert rate(50, 0.5) == pytest.approx(2 * 0.55)
    assert rate(100, 1.0) == pytest.approx(0.2)


def test_the_trapezoid_by_hand():
    rate = trapezoid(peak=2.0, warmup=10, cooling=0.2)
    assert (rate(5, 0.0), rate(10, 0.01), rate(700, 0.5), rate(900, 0.8)) == (1.0, 2.0, 2.0, 2.0)
    assert rate(1000, 0.85) == pytest.approx(2 * (1 - 0.25**0.5))
    assert rate(1000, 0.95) == pytest.approx(2 * (1 - 0.75**0.5))
    assert rate(1000, 1.0) == pytest.approx(0.0)


def test_schedules_in_turn_count_their_own_steps():
    first, second = cosine(peak=2.0, warmup=10, floor=0.1), cosine(peak=1.0, warmup=4, floor=0.1)
    rate = in_turn((first, 50), (second, 20))
    assert [rate(step, step / 70) for step in (5, 26, 50)] == [first(5, 0.08), first(26, 0.5), first(50, 0.98)]
    assert [rate(step, 0.9) for step in (51, 52, 54)] == [second(1, 0), second(2, 0.05), second(4, 0.15)]
    assert rate(61, 0.9) == second(11, 0.5)
