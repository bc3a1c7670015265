"""Positions against the papers' formulas written as loops, and the properties that they are used for."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model import positions
from tests.core import oracles
from tests.core.oracles import close


@pytest.mark.parametrize(("length", "width", "base"), [(9, 8, 10000.0), (6, 5, 100.0), (1, 1, 2.0), (512, 4, 10000.0)])
def test_sinusoidal_is_the_papers_formula(length, width, base):
    close(positions.sinusoidal(length, width, base), oracles.sinusoidal(length, width, base), 1e-6)


def test_sinusoidal_by_hand():
    table = positions.sinusoidal(2, 4, base=100.0)
    close(table, np.array([[0, 1, 0, 1], [0.841471, 0.540302, 0.099833, 0.995004]]), 1e-6)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 6), st.floats(2, 1e5))
@settings(max_examples=40)
def test_sinusoidal_of_p_plus_k_is_one_rotation_of_p(p, k, pairs, base):
    """One matrix, made from k alone, turns the row of any p into the row of p + k (Vaswani et al., section 3.5)."""
    table = positions.sinusoidal(128, 2 * pairs, base).double().numpy()
    turn = np.zeros((2 * pairs, 2 * pairs))
    for i in range(pairs):
        angle = k / base ** (2 * i / (2 * pairs))
        c, s = np.cos(angle), np.sin(angle)
        turn[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    np.testing.assert_allclose(turn @ table[p], table[p + k], atol=1e-6)


def test_binary_is_each_positions_digits_lowest_first():
    close(positions.binary(13, 5), oracles.binary(13, 5), 0)
    assert positions.binary(7, 4)[6].tolist() == [0, 1, 1, 0]
    assert positions.binary(3, 100).shape == (3, 100)


@pytest.mark.parametrize(("start", "base"), [(0, 10000.0), (3, 50.0)])
def test_rotary_turns_pairs_as_complex_numbers_turn(rng, device, start, base):
    x = torch.randn(2, 3, 5, 6, generator=rng)
    close(positions.rotate(x.to(device), base, start), oracles.rotate(x.double().numpy(), base, start), 1e-5)


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 100))
@settings(max_examples=40)
def test_rotary_scores_depend_on_the_distance_only(i, j, shift):
    q, k = torch.randn(2, 1, 8, generator=torch.Generator().manual_seed(3), dtype=torch.float64)

    def score(query: int, key: int) -> float:
        return float(positions.rotate(q, start=query) @ positions.rotate(k, start=key).T)

    assert score(i, j) == pytest.approx(score(i + shift, j + shift), abs=1e-9)


def test_rotary_does_change_scores_and_keeps_lengths(rng):
    x = torch.randn(4, 8, generator=rng)
    turned = positions.rotate(x)
    close(turned.norm(dim=-1), x.norm(dim=-1))
    close(turned[0], x[0], 0)
    assert (turned[1:] - x[1:]).abs().max() > 0.1


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 8, 12, 16])
def test_alibi_slopes_follow_the_papers_recipe(heads):
    close(positions.alibi_slopes(heads), np.array(oracles.alibi_slopes(heads)), 1e-7)


def test_alibi_slopes_by_hand():
    assert positions.alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]
    close(positions.alibi_slopes(3), np.array([2**-4, 2**-8, 2**-2]), 0)


def test_alibi_takes_the_slope_times_the_distance_off():
    bias = positions.alibi_bias(2, 3, 3)
    close(bias[0], -np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]]) / 16, 0)
    close(bias[1] * 16, bias[0], 0)
    close(positions.alibi_bias(2, 1, 3), bias[:, 2:], 0)
