"""Why scores are scaled: what is measured against theory, and the softmax's Jacobian against torch's own."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.topics.scaling import analysis
from core.topics.scaling.analysis import (
    MOST_GRADIENT,
    SOURCES,
    TIE_BITS,
    WIDTHS,
    measure_softmax,
    measure_variance,
    softmax_rows,
    theory_of_ties,
    tie_density,
    variance_error,
)

WIDE = np.array(WIDTHS, dtype=np.float64)


@pytest.mark.parametrize("source", SOURCES)
def test_numbers_are_drawn_with_mean_0_variance_1_and_the_fourth_power_that_is_said(source: str) -> None:
    count = 400_000
    x = SOURCES[source].draw(np.random.default_rng(5), (count,)).astype(np.float64)
    assert x.dtype == np.float64 and SOURCES[source].draw(np.random.default_rng(5), (3,)).dtype == np.float32
    for power, expected in ((1, 0.0), (2, 1.0), (4, SOURCES[source].fourth)):
        values = x**power
        assert abs(values.mean() - expected) <= 4 * values.std() / math.sqrt(count) + 1e-9


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_variance_of_a_dot_product_is_its_width(source: str, seed: int) -> None:
    found = measure_variance(source, 200, seed)
    off = (found.raw.mean - WIDE) / found.expected_error
    off = off[found.expected_error > 1e-6]  # signs at d_k = 1: the variance of ±1 hardly varies
    assert np.abs(off).max() < 4
    assert (off**2).sum() < 11 + 5 * math.sqrt(22)  # χ² with at most 11 degrees of freedom
    assert (found.raw.low <= found.raw.middle).all() and (found.raw.middle <= found.raw.high).all()


def test_the_measured_standard_error_is_that_of_theory() -> None:
    ratios = np.concatenate([measure_variance("uniform", 60, seed).raw.error for seed in range(6)])
    ratios = ratios / np.tile([variance_error("uniform", width, 60) for width in WIDTHS], 6)
    assert abs((ratios**2).mean() - 1) < 4 * math.sqrt(2 / 19 / len(ratios))


@pytest.mark.parametrize(("source", "width", "each"), [("normal", 1, 10), ("normal", 8, 4), ("signs", 4, 5)])
def test_the_variance_of_a_sample_variance(source: str, width: int, each: int, monkeypatch: pytest.MonkeyPatch) -> None:
    repetitions = 40_000
    rng = np.random.default_rng(2)
    q, k = SOURCES[source].draw(rng, (2, repetitions, each, width)).astype(np.float64)
    variances = (q * k).sum(-1).var(-1, ddof=1)
    monkeypatch.setattr(analysis, "REPETITIONS", 1)
    squares = (variances - width) ** 2
    expected = variance_error(source, width, each) ** 2
    assert abs(squares.mean() - expected) < 4 * squares.std() / math.sqrt(repetitions)


def test_scaling_divides_the_variance_by_the_width() -> None:
    found = measure_variance("normal", 50, 3)
    np.testing.assert_allclose(found.scaled.mean, found.raw.mean / WIDE, rtol=1e-5)
    np.testing.assert_allclose(found.scaled.error, found.raw.error / WIDE, rtol=1e-5)


@pytest.mark.parametrize("source", SOURCES)
def test_numbers_follow_from_the_seed_and_not_from_the_size_of_a_block(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variance, softmax = measure_variance(source, 7, 4), measure_softmax(source, 7, 3, 4)
    monkeypatch.setattr(analysis, "CHUNK_BYTES", 3 * 4 * 17 * 64)
    np.testing.assert_allclose(measure_variance(source, 7, 4).raw.mean, variance.raw.mean, rtol=1e-6)
    again = measure_softmax(source, 7, 3, 4)
    np.testing.assert_allclose(again.raw.gradient.mean, softmax.raw.gradient.mean, rtol=1e-4, atol=1e-7)
    assert not np.allclose(measure_variance(source, 7, 5).raw.mean, variance.raw.mean)


def test_blocks_stay_small() -> None:
    sizes = [block.nbytes for block in analysis._repetitions("normal", 1000, 1024, 0)]
    assert len(sizes) > 1 and max(sizes) <= analysis.CHUNK_BYTES
    assert len(list(analysis._repetitions("normal", 10, 1, 0, 500 * 512))) > 1


@given(st.integers(0, 2**16), st.integers(1, 40), st.floats(0.01, 30))
def test_softmax_rows_against_the_jacobian_that_torch_differentiates(seed: int, keys: int, size: float) -> None:
    scores = np.random.default_rng(seed).normal(size=keys) * size
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(0), torch.from_numpy(scores))
    weights = torch.from_numpy(scores).softmax(0).numpy()
    rows = softmax_rows(scores)
    np.testing.assert_allclose(rows.weights, np.sort(weights)[::-1][: analysis.RANKS], atol=1e-12)
    assert float(rows.gradient) == pytest.approx(float(torch.linalg.matrix_norm(jacobian)), rel=1e-6, abs=1e-12)
    assert float(rows.entropy) == pytest.approx(-(weights * np.log2(np.maximum(weights, 1e-300))).sum(), abs=1e-9)
    assert 0 <= rows.gradient <= MOST_GRADIENT + 1e-12 and rows.entropy <= math.log2(keys) + 1e-9


def test_softmax_rows_by_hand() -> None:
    even = softmax_rows(np.zeros((2, 4)))
    np.testing.assert_allclose(even.weights, np.full((2, 4), 0.25))
    np.testing.assert_allclose(even.entropy, [2, 2])
    np.testing.assert_allclose(even.gradient, [math.sqrt(3) / 4] * 2)
    assert float(softmax_rows(np.zeros(2)).gradient) == MOST_GRADIENT
    alone = softmax_rows(np.array([3.0]))
    assert (alone.entropy, alone.gradient) == (0, 0)


def test_a_nearly_certain_softmax_keeps_its_digits() -> None:
    rows = softmax_rows(np.array([60.0, 0.0], dtype=np.float32))
    assert float(rows.gradient) == pytest.approx(2 * math.exp(-60), rel=1e-5)
    assert float(rows.entropy) == pytest.approx(61 * math.exp(-60) / math.log(2), rel=1e-5)


def test_masked_scores_count_for_nothing() -> None:
    open_, masked = softmax_rows(np.array([1.0, 2.0])), softmax_rows(np.array([1.0, -np.inf, 2.0, -np.inf]))
    assert (masked.entropy, masked.gradient) == (open_.entropy, open_.gradient)
    assert masked.weights.tolist() == [*open_.weights.tolist(), 0, 0]


def test_how_often_the_largest_scores_tie() -> None:
    assert tie_density(1) == 0
    assert tie_density(2) == pytest.approx(1 / math.sqrt(math.pi))
    assert tie_density(3) == pytest.approx(1.5 / math.sqrt(math.pi))
    draws = np.sort(np.random.default_rng(0).normal(size=(200_000, 16)))
    near = (draws[:, -1] - draws[:, -2] < 0.02).mean() / 0.02
    assert tie_density(16) == pytest.approx(near, rel=0.07)


def test_what_is_left_of_unscaled_weights_goes_where_theory_says() -> None:
    found = measure_softmax("normal", 500, 2, 1).raw
    for spread, expected in zip((found.entropy, found.gradient), theory_of_ties(2), strict=True):
        assert np.abs((spread.mean - expected) / spread.error)[-3:].max() < 4
        assert np.isnan(expected[0]) and np.isfinite(expected[-1])
    many = measure_softmax("signs", 300, 16, 1).raw
    assert many.gradient.mean[-1] == pytest.approx(theory_of_ties(16)[1][-1], rel=0.12)
    assert many.entropy.mean[-1] == pytest.approx(theory_of_ties(16)[0][-1], rel=0.12)
    x = np.linspace(0, 60, 60_001)
    p = 1 / (1 + np.exp(-x))
    bits = -(p * np.log2(p) - (1 - p) * x / math.log(2) + (1 - p) * np.log2(p))
    assert np.trapezoid(bits, x) == pytest.approx(TIE_BITS, rel=1e-6)


def test_scaled_weights_do_not_change_with_the_width() -> None:
    found = measure_softmax("normal", 100, 16, 0)
    for name in ("entropy", "gradient"):
        spread = getattr(found.scaled, name)
        difference = spread.mean[4:] - spread.mean[-1]
        assert (np.abs(difference) < 5 * np.hypot(spread.error[4:], spread.error[-1])).all()
        unscaled = getattr(found.raw, name)
        assert unscaled.mean[-1] < 0.25 * spread.mean[-1]
    np.testing.assert_allclose(found.raw.weights.mean[0], found.scaled.weights.mean[0], rtol=1e-5)  # √1 = 1
    assert (np.diff(found.raw.weights.mean, axis=1) <= 0).all()


@pytest.mark.parametrize("keys", [1, 2, 512])
def test_any_number_of_keys(keys: int) -> None:
    found = measure_softmax("normal", 2, keys, 0)
    assert found.raw.weights.mean.shape == (len(WIDTHS), min(keys, analysis.RANKS))
    assert np.isfinite(found.scaled.entropy.mean).all() and np.isfinite(found.raw.gradient.low).all()
    assert all(np.isnan(each).all() or np.nanmin(each) >= 0 for each in theory_of_ties(keys))


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="normal, uniform, signs, not from 'dice'"):
        measure_variance("dice", 10, 0)
    with pytest.raises(ValueError, match="at least 2 draws to have a spread, not 1"):
        measure_variance("normal", 1, 0)
    with pytest.raises(ValueError, match="1 to 4,096 keys, not 0"):
        measure_softmax("normal", 10, 0, 0)
    with pytest.raises(ValueError, match="0 or more, not -1"):
        measure_variance("normal", 10, -1)
