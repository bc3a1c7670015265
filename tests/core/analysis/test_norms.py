"""Norms number by number, against PyTorch's own and a case worked by hand."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.analysis.norms import layer_norm_terms, rms_norm_terms
from core.model.config import TransformerConfig
from core.model.layers import make_norm

EPS = 1e-5
numbers = st.floats(-50, 50, width=32)


def rows(width: int) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, width, elements=numbers)


@given(rows(6), rows(6), rows(6))
def test_layer_norm_is_pytorchs(x: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> None:
    found = layer_norm_terms(x, gain, bias, EPS)
    given_to = [torch.from_numpy(each) for each in (x, gain, bias)]
    expected = torch.nn.functional.layer_norm(given_to[0], (6,), given_to[1], given_to[2], EPS)
    np.testing.assert_allclose(found.out, expected.numpy(), atol=1e-8)


@given(rows(5), rows(5))
def test_rms_norm_is_pytorchs(x: np.ndarray, gain: np.ndarray) -> None:
    expected = torch.nn.functional.rms_norm(torch.from_numpy(x), (5,), torch.from_numpy(gain), EPS)
    np.testing.assert_allclose(rms_norm_terms(x, gain, EPS).out, expected.numpy(), atol=1e-8)


def test_the_biased_deviation_by_hand() -> None:
    found = layer_norm_terms(np.array([1.0, 2, 3, 6]), np.ones(4), np.full(4, 0.5), 0.0)
    assert (found.mean, found.spread**2) == pytest.approx((3, 3.5))
    np.testing.assert_allclose(found.out, np.array([-2, -1, 0, 3]) / 3.5**0.5 + 0.5)
    assert rms_norm_terms(np.array([3.0, 4, 0, 0]), np.ones(4), 0.0).spread == pytest.approx(2.5)


@pytest.mark.parametrize("kind", ["layernorm", "rmsnorm"])
def test_eps_is_the_configs(kind: str) -> None:
    assert make_norm(TransformerConfig(d_model=8, heads=1, norm=kind)).eps == EPS
    assert make_norm(TransformerConfig(d_model=8, heads=1, norm=kind, norm_eps=1e-12)).eps == 1e-12
