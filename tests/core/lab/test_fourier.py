"""The Fourier view of embeddings, on waves made by hand."""

import numpy as np
import pytest

from core.lab.fourier import spectrum


def test_one_wave_has_one_frequency() -> None:
    angles = 2 * np.pi * 3 * np.arange(11) / 11
    found = spectrum(np.stack([np.cos(angles), np.sin(angles), 5 + 0 * angles], 1))  # the mean does not count
    assert found.shares == pytest.approx([0, 0, 1, 0, 0], abs=1e-12)
    assert found.strongest == (3,)


def test_shares_are_those_of_the_squared_norm() -> None:
    turns = 2 * np.pi * np.arange(13) / 13
    found = spectrum(np.stack([3 * np.cos(2 * turns), 4 * np.cos(5 * turns)], 1))
    assert found.shares[[1, 4]] == pytest.approx([9 / 25, 16 / 25])
    assert found.strongest == (5, 2)


def test_noise_needs_nearly_all_frequencies() -> None:
    found = spectrum(np.random.default_rng(0).normal(size=(59, 64)))
    assert len(found.strongest) > 20 and found.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("table", [np.ones((4, 2)), np.ones((1, 2)), np.ones((5, 2))])
def test_tables_without_waves_are_refused(table: np.ndarray) -> None:
    with pytest.raises(ValueError):
        spectrum(table)
