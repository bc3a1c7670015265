"""Words out of pieces, cosines, the terms of a mix and nearest neighbours, against PyTorch and cases worked by hand."""

import numpy as np
import pytest
import torch

from core.analysis.word_contexts import cosine_rows, mean_cosine, mix_contributions, nearest_alike, pool_words


def test_a_word_is_the_mean_of_its_pieces_or_the_last() -> None:
    states = np.array([[[1.0, 0], [2, 4], [4, 0]]])  # one stage, three tokens
    assert pool_words(states, (0, 1, 1), last=False).tolist() == [[[1, 0], [3, 2]]]
    assert pool_words(states, (0, 1, 1), last=True).tolist() == [[[1, 0], [4, 0]]]


def test_cosines_are_those_of_torch() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 5, 7))
    expected = torch.cosine_similarity(torch.from_numpy(a), torch.from_numpy(b), dim=-1)
    np.testing.assert_allclose(cosine_rows(a, b), expected, atol=1e-12)
    assert cosine_rows(a, np.zeros_like(a)).tolist() == [0] * 5


def test_only_unlike_words_count_in_the_mean() -> None:
    a, b = np.array([[[1.0, 0], [0, 1]]]), np.array([[[1.0, 0], [3, 4]]])
    unlike = np.array([[False, True], [True, True]])
    np.testing.assert_allclose(mean_cosine(a, b, unlike), [(0.6 + 0 + 0.8) / 3])
    assert np.isnan(mean_cosine(a, b, np.zeros((2, 2), dtype=bool))).all()


def test_the_terms_of_a_mix_by_hand() -> None:
    """z = 0.5 (2, 0) + 0.25 (0, 4) + 0.25 (−4, 0) = (0, 1): the first and the third cancel."""
    sizes, shares = mix_contributions(np.array([0.5, 0.25, 0.25]), np.array([[2.0, 0], [0, 4], [-4, 0]]))
    assert sizes.tolist() == [1, 1, 1] and shares.tolist() == [0, 1, 0]
    assert mix_contributions(np.array([0.5, 0.5]), np.array([[1.0], [-1]]))[1].tolist() == [0, 0]


def test_shares_sum_to_one_with_negative_ones_among_them() -> None:
    draw = np.random.default_rng(1)
    weights, values = draw.dirichlet(np.ones(6)), draw.normal(size=(6, 4))
    _, shares = mix_contributions(weights, values)
    assert shares.sum() == pytest.approx(1) and (shares < 0).any()


def test_the_nearest_neighbour_is_another_one_and_its_label_counts() -> None:
    """Stage 0: a and b lie together, c is nearest to b, d to c. Stage 1: a with c, b with d."""
    first = [[1, 0], [0.99, 0.1], [0.7, 0.7], [0, 1]]
    second = [[1, 0], [0, 1], [0.9, 0.1], [0.1, 0.9]]
    assert nearest_alike(np.array([first, second]), ["x", "x", "y", "y"]).tolist() == [3, 0]


def test_of_equally_near_neighbours_each_counts_for_its_share() -> None:
    """The third is as near to both others as they are to each other, whatever rounding says of them."""
    rows = [[3.0, 4], [3 * (1 + 1e-9), 4], [6, 8]]
    assert nearest_alike(np.array([rows]), ["x", "x", "y"]).tolist() == [1.0]  # 1/2 + 1/2 + 0
