"""Random directions: measured cosines against theory, within their standard errors."""

import numpy as np
import pytest

from core.readings.words import number
from core.topics.positions.analysis.orthogonality import SIZES, Cosines, density, histogram, quantile, random_cosines
from core.topics.positions.directions import degrees
from core.topics.positions.readings.measures import read_random


@pytest.fixture(scope="module")
def found() -> Cosines:
    return random_cosines(64, 10_000, 5)


def test_mean_and_variance_keep_to_theory_within_their_standard_errors(found: Cosines) -> None:
    sizes = np.array(SIZES)
    assert np.all(np.abs(found.mean) < 4 * found.mean_error)
    assert np.all(np.abs(found.variance - 1 / sizes) < 4 * found.variance_error)


def test_standard_errors_are_those_of_theory(found: Cosines) -> None:
    """Var[cos] = 1/n; E[cos⁴] = 3 / (n (n + 2)), so Var[cos²] = 3 / (n (n + 2)) − 1/n²."""
    sizes = np.array(SIZES, np.float64)
    np.testing.assert_allclose(found.mean_error, np.sqrt(1 / sizes / found.draws), rtol=0.05)
    squares = 3 / (sizes * (sizes + 2)) - 1 / sizes**2
    np.testing.assert_allclose(found.variance_error, np.sqrt(squares / found.draws), rtol=0.1)


def test_the_spread_is_that_of_theory(found: Cosines) -> None:
    tails = (found.of_size > found.theory_high[SIZES.index(64)]).mean()
    assert tails == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / found.draws))
    np.testing.assert_allclose(found.high, found.theory_high, rtol=0.06)
    np.testing.assert_allclose(found.low, -found.theory_high, rtol=0.06)


def test_cosines_are_those_of_the_first_numbers_of_each_pair() -> None:
    found = random_cosines(4, 1500, 8)
    generator = np.random.default_rng(8)
    batches = [generator.standard_normal((2, draws, 1024), dtype=np.float32) for draws in (1000, 500)]
    x, y = np.concatenate(batches, axis=1)[:, :, :4].astype(np.float64)
    expected = (x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
    np.testing.assert_allclose(found.of_size, expected, atol=1e-5)


def test_a_seed_is_a_draw() -> None:
    first, again, other = (random_cosines(2, 50, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.of_size, again.of_size)
    assert np.abs(first.of_size - other.of_size).max() > 0.1


@pytest.mark.parametrize("n", [2, 3, 5, 64, 1024])
def test_the_density_is_one_in_all_and_has_variance_1_over_n(n: int) -> None:
    angles = np.linspace(0, np.pi, 40_001)[1:-1]
    weights = density(np.cos(angles), n) * np.sin(angles) * np.pi / 40_000
    assert weights.sum() == pytest.approx(1, abs=1e-3)
    assert (weights * np.cos(angles) ** 2).sum() == pytest.approx(1 / n, rel=1e-3)


def test_quantiles_by_hand() -> None:
    assert quantile(0.95, 3) == pytest.approx(0.9, abs=1e-4)  # in three dimensions cosines are uniform
    assert quantile(0.95, 2) == pytest.approx(np.sin(0.45 * np.pi), abs=1e-4)  # in two, angles are
    assert quantile(0.5, 17) == pytest.approx(0, abs=1e-4)
    assert quantile(0.95, 1024) == pytest.approx(1.645 / 32, rel=1e-2)


@pytest.mark.parametrize("n", [2, 3, 64])
def test_a_histogram_holds_every_cosine_and_follows_the_density(n: int) -> None:
    found = random_cosines(2 if n == 2 else 64, 10_000, 2).of_size if n != 3 else None
    if found is None:
        found = np.random.default_rng(2).uniform(-1, 1, 10_000)
    bars = histogram(found, n)
    width = bars.centres[1] - bars.centres[0]
    assert (bars.density * width).sum() == pytest.approx(1)
    inner = slice(3, -3)
    error = np.sqrt(np.maximum(bars.theory * width, 1e-4) / len(found)) / width
    assert np.all(np.abs(bars.density - bars.theory)[inner] < 5 * error[inner])


@pytest.mark.parametrize(("size", "draws"), [(3, 10), (64, 1)])
def test_what_cannot_be_drawn_is_refused(size: int, draws: int) -> None:
    with pytest.raises(ValueError, match=f"{draws} draws of size {size}"):
        random_cosines(size, draws, 0)
    with pytest.raises(ValueError, match="2 dimensions or more, not 1"):
        density(np.zeros(1), 1)


def test_degrees_of_known_cosines() -> None:
    np.testing.assert_allclose(degrees(np.array([1, 0.5, 0, -1, 1 + 1e-9])), [0, 60, 90, 180, 0], atol=1e-6)


def test_the_reading_quotes_the_size(found: Cosines) -> None:
    headline, text = read_random(found, 64)
    at = SIZES.index(64)
    assert headline == "Random vectors of 64 numbers stand nearly at right angles to each other."
    assert text.startswith(f"With n = 64: mean {number(found.mean[at], 2)} ±") and "(theory 0.0156)" in text
