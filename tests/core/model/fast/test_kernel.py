"""The fast kernel against PyTorch's own, in float64 where the format is short."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.attention import fused_attention
from core.model.fast.kernel import scaled_dot_product_attention
from core.model.positions import alibi_bias


def draw(rng: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=rng)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize("groups", [4, 2, 1])
@pytest.mark.parametrize(("biased", "masked"), [(False, True), (True, False), (True, True), (False, False)])
def test_it_is_pytorchs_and_rounds_a_single_query_only_at_the_end(dtype, queries, groups, biased, masked, rng):
    q = draw(rng, 2, 4, queries, 8).to(dtype)
    k, v = (draw(rng, 2, groups, 9, 8).to(dtype) for _ in range(2))
    mask = (torch.arange(9) != 3)[None] if masked else None
    bias = alibi_bias(4, queries, 9).to(dtype) if biased else None
    wide = fused_attention(q.double(), k.double(), v.double(), mask, bias=None if bias is None else bias.double())
    found = fused_attention(q, k, v, mask, bias=bias, kernel=scaled_dot_product_attention)
    rtol, atol = (1e-3, 1e-6) if queries == 1 else (0.05, 0.05)
    torch.testing.assert_close(found, wide.to(dtype), rtol=rtol, atol=atol)


@pytest.mark.parametrize("shape", [(4, 1, 9), (1, 1, 9), (1, 9), (2, 1, 1, 9), (2, 4, 1, 9)])
def test_masks_of_every_shape_reach_their_heads(shape, rng):
    q, k, v = draw(rng, 2, 4, 1, 8), draw(rng, 2, 2, 9, 8), draw(rng, 2, 2, 9, 6)
    mask = torch.rand(shape, generator=rng) < 0.7
    mask[..., 0] = True
    wanted = F.scaled_dot_product_attention(q, k, v, mask, scale=0.3, enable_gqa=True)
    found = scaled_dot_product_attention(q, k, v, mask, scale=0.3, enable_gqa=True)
    torch.testing.assert_close(found, wanted)
