"""The interval of a counted share against the equation that its ends solve, and against drawing the cases again."""

import numpy as np
import pytest

from core.analysis.proportions import DEVIATIONS, difference_by_chance, wilson_interval


def test_its_ends_are_as_far_from_the_share_as_chance_would_take_it() -> None:
    share, ends = 704 / 872, wilson_interval(704, 872)
    for end in ends:
        assert abs(share - end) == pytest.approx(DEVIATIONS * np.sqrt(end * (1 - end) / 872))
    assert ends[0] < share < ends[1]
    drawn = np.random.default_rng(0).binomial(872, share, 20_000) / 872
    assert ends == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.004)


def test_none_and_all_stay_within_0_and_1_and_nonsense_is_refused() -> None:
    assert wilson_interval(0, 20)[0] == 0 and wilson_interval(20, 20)[1] == 1
    assert 0.1 < wilson_interval(0, 20)[1] == pytest.approx(1 - wilson_interval(20, 20)[0])
    for right, total in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="is no share"):
            wilson_interval(right, total)


def test_two_shares_lie_so_far_apart_by_chance() -> None:
    draws = np.random.default_rng(0).binomial(872, 0.72, (2, 20_000)) / 872
    assert difference_by_chance(0.72, 0.72, 872) == pytest.approx(np.percentile(draws[0] - draws[1], 97.5), abs=0.001)
    assert difference_by_chance(0, 1, 10) == 0 < difference_by_chance(0.5, 1, 10)
    for shares in ((-0.1, 0.5, 5), (0.5, 1.1, 5), (float("nan"), 0.5, 5), (0.5, 0.5, 0)):
        with pytest.raises(ValueError, match="are no shares"):
            difference_by_chance(*shares)
