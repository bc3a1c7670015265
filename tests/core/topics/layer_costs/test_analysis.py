"""What a layer costs: against PyTorch's own counter, table 1, and paths found by hand."""

import math

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core.model.layer_kinds import LAYER_KINDS, LayerSizes, layer_of_kind, windowed_attention
from core.topics.layer_costs.analysis import (
    crossing,
    fit_power,
    layer_operations,
    layers_to_reach,
    longest_path,
    sequential_steps,
    table_operations,
)


@pytest.mark.parametrize("kind", LAYER_KINDS)
@pytest.mark.parametrize("sizes", [LayerSizes(12, 8), LayerSizes(13, 6, 2, 4), LayerSizes(3, 5, 4, 2)])
def test_operations_are_those_that_pytorch_counts(kind: str, sizes: LayerSizes) -> None:
    layer = layer_of_kind(kind, sizes)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(torch.ones(1, sizes.n, sizes.d))
    assert counter.get_total_flops() == 2 * sum(layer_operations(kind, sizes).values())


@pytest.mark.parametrize("n", [1, 2, 5, 9, 12])
@pytest.mark.parametrize("window", [2, 3, 5, 40])
def test_windowed_attention_is_attention_under_a_band(n: int, window: int) -> None:
    q, k, v = torch.randn(3, 2, n, 4, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    distance = torch.arange(n)[:, None] - torch.arange(n)
    band = (distance >= 0) & (distance < window)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=band)
    torch.testing.assert_close(windowed_attention(q, k, v, window), expected)


def test_table_1_by_hand() -> None:
    sizes = LayerSizes(100, 8, k=3, r=10)
    assert [table_operations(kind, sizes) for kind in LAYER_KINDS] == [6400, 19200, 19200, 80_000, 8000]
    assert [sequential_steps(kind, sizes) for kind in LAYER_KINDS] == [100, 1, 1, 1, 1]
    # 99 positions back: 2 a layer, 3, 9, 27, 81, 243 in all, or 9 a layer
    assert [longest_path(kind, sizes) for kind in LAYER_KINDS] == [100, 50, 5, 1, 11]


def test_recurrence_and_attention_cross_at_n_equal_d() -> None:
    for d in (16, 64):
        for count in (table_operations, lambda kind, sizes: sum(layer_operations(kind, sizes).values())):
            less, same, more = (
                count("self-attention", LayerSizes(n, d)) - count("recurrent", LayerSizes(n, d))
                for n in (d - 1, d, d + 1)
            )
            assert less < 0 == same < more


@pytest.mark.parametrize("k", [2, 3, 9])
def test_a_dilated_stack_reaches_as_far_as_its_logarithm(k: int) -> None:
    for n in range(2, 100):
        assert layers_to_reach("dilated convolution", LayerSizes(n, 1, k)) == math.ceil(math.log(n, k) - 1e-9)


def test_a_power_is_found_with_its_interval() -> None:
    x = np.array([16, 32, 64, 128])
    exact = fit_power(list(x), list(3.0 * x**1.7))
    assert exact and exact.exponent == pytest.approx(1.7) == exact.low == pytest.approx(exact.high)
    y = np.exp([0.0, 1.1, 1.9, 3.2])
    found = fit_power(list(np.exp([0.0, 1, 2, 3])), list(y))
    slope, intercept = np.polyfit([0, 1, 2, 3], np.log(y), 1)
    left = np.log(y) - intercept - slope * np.arange(4)
    width = 4.303 * math.sqrt((left**2).sum() / 2 / 5)
    assert found and (found.low, found.high) == pytest.approx((slope - width, slope + width))
    assert fit_power([1, 2], [1, 2]) is None


def test_two_curves_cross_where_their_lines_do() -> None:
    assert crossing([1, 4, 16], [4, 4, 4], [1, 2, 8]) == pytest.approx(8)
    assert crossing([1, 4], [1, 2], [2, 3]) is None
