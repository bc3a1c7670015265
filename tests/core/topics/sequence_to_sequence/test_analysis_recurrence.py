"""What a GRU keeps, distances and shared words, against a direct computation."""

import numpy as np

from core.topics.sequence_to_sequence.analysis.recurrence import kept_shares, relative_distance, retention, words_shared


def test_the_shares_of_all_candidates_make_the_state() -> None:
    rng = np.random.default_rng(0)
    update, candidate, state = rng.random((5, 3)), rng.normal(size=(5, 3)), np.zeros(3)
    for z, n, shares in zip(update, candidate, kept_shares(update), strict=True):
        state = (1 - z) * n + z * state
        np.testing.assert_allclose((shares * candidate).sum(0), state, atol=1e-12)


def test_retention_by_hand() -> None:
    np.testing.assert_allclose(retention(np.array([[0.5], [0.25]])), [[0.5, 0], [0.125, 0.75]])


def test_a_distance_is_a_share_of_the_length() -> None:
    moved = np.array([[3.0, 8.0], [3.0, 4.0]])
    np.testing.assert_allclose(relative_distance(moved, np.array([3.0, 4.0])), np.array([0.8, 0]))
    assert relative_distance(np.ones(1), np.zeros(1)) == 0


def test_words_are_shared_as_often_as_they_stand_there() -> None:
    assert words_shared("Un ballon, un parc.", "un chat dans le Parc") == (2, 4)
