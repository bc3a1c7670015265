"""Rank correlation, against a case by hand."""

import numpy as np
import pytest

from core.topics.shared.rank_correlation import ranks, spearman, spearman_table


def test_equal_numbers_share_their_places() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_it_is_the_case_worked_by_hand() -> None:
    # ranks 1 2 3 4 5 and 2 1 4 3 5: the differences squared sum to 4, so 1 − 6 · 4 / (5 · 24) = 0.8
    assert spearman(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([20.0, 10.0, 40.0, 30.0, 1e9])) == pytest.approx(0.8)
    # with a tie: 1 2.5 2.5 4 against 1 2 3 4 is the plain correlation of these, 4.5 / √(4.5 · 5)
    assert spearman(np.array([0.0, 7.0, 7.0, 9.0]), np.arange(4.0)) == pytest.approx(4.5 / np.sqrt(4.5 * 5))


def test_a_list_that_is_all_alike_has_no_ranking() -> None:
    found = spearman_table(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]))
    assert found[0, :2].tolist() == pytest.approx([1, -1]) and np.isnan(found[2]).all() and np.isnan(found[:, 2]).all()
