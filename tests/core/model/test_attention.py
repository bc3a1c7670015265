"""Attention against a slow loop, PyTorch's fused kernel and nn.MultiheadAttention, one path against the other."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from core.model import masks
from core.model.attention import MultiHeadAttention, apply_mask, attention, fused_attention, masked_softmax
from core.model.config import POSITIONS, SCORES, TransformerConfig
from core.model.positions import alibi_bias
from core.model.scores import make_score
from core.model.tap import IDENTITY
from core.tracing.taps import RecordingTap
from tests.core import oracles
from tests.core.oracles import close, copy_attention, fill, twin

MASKS = {
    "none": None,
    "causal": masks.causal(5, 5),
    "padding": masks.padding([5, 3], 5),
    "sliding_window": masks.SlidingWindowMask(1).build(5, 5),
    "prefix": masks.PrefixMask(2).build(5, 5),
    "block": masks.BlockMask(2).build(5, 5),
    "no key seen by itself": ~torch.eye(5, dtype=torch.bool),
    "causal and padding": masks.combine(masks.causal(5, 5), masks.padding([5, 3], 5)),
}
each_mask = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)


def draw(rng: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=rng)


def to(mask: torch.Tensor | None, device: torch.device) -> torch.Tensor | None:
    return None if mask is None else mask.to(device)


@each_mask
def test_attention_is_the_papers_formula(mask, rng, device):
    q, k, v = draw(rng, 2, 3, 5, 4), draw(rng, 2, 3, 5, 4), draw(rng, 2, 3, 5, 6)
    z, pattern = attention(q.to(device), k.to(device), v.to(device), to(mask, device))
    scores = oracles.score_matrix("scaled_dot", q, k)
    allowed = np.ones((2, 3, 5, 5), bool) if mask is None else mask.expand(2, 3, 5, 5).numpy()
    for b, h in np.ndindex(2, 3):
        mixed, weights = oracles.mix(scores[b, h], v[b, h].double().numpy(), allowed[b, h])
        close(z[b, h], mixed)
        close(pattern[b, h], weights)


def test_attention_by_hand():
    """Two keys with scores ln 3 apart share one query as 1 to 3."""
    q = torch.tensor([[[[2.0, 0.0, 0.0, 0.0]]]])
    k = torch.tensor([[[[0.0, 0.0, 0.0, 0.0], [float(np.log(3)), 0.0, 0.0, 0.0]]]])
    z, pattern = attention(q, k, torch.tensor([[[[4.0], [8.0]]]]))
    close(pattern, np.array([[[[0.25, 0.75]]]]))
    close(z, np.array([[[[7.0]]]]))


@each_mask
def test_attention_equals_the_fused_kernel(mask, rng, device):
    q, k, v = (draw(rng, 2, 3, 5, 4).to(device) for _ in range(3))
    mask = to(mask, device)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    close(attention(q, k, v, mask)[0], expected)
    close(fused_attention(q, k, v, mask), expected)


@each_mask
@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("alibi", [False, True])
def test_the_open_path_equals_the_fused_path(mask, name, alibi, rng, device):
    q, k, v = draw(rng, 2, 3, 5, 4).to(device), draw(rng, 2, 3, 5, 4).to(device), draw(rng, 2, 3, 5, 6).to(device)
    score = fill(make_score(name, 3, 4)).to(device)
    bias = alibi_bias(3, 5, 5).to(device) if alibi else None
    mask = to(mask, device)
    close(fused_attention(q, k, v, mask, score=score, bias=bias), attention(q, k, v, mask, score=score, bias=bias)[0])


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6))
@settings(max_examples=40)
def test_rows_sum_to_one_and_hidden_cells_are_exactly_zero(seed, queries, keys):
    rng = torch.Generator().manual_seed(seed)
    scores, mask = draw(rng, 2, queries, keys) * 5, torch.rand(queries, keys, generator=rng) < 0.5
    pattern = masked_softmax(apply_mask(scores, mask), mask)
    close(pattern.sum(-1), mask.any(-1).expand(2, queries).float(), 1e-6)
    assert (pattern[:, ~mask] == 0).all() and (pattern >= 0).all()


def test_a_hidden_key_cannot_be_seen_at_all(rng):
    q, k, v = (draw(rng, 1, 1, 4, 3) for _ in range(3))
    before = attention(q, k, v, masks.causal(4, 4))[0]
    k[..., 3, :], v[..., 3, :] = 1e4, 1e4
    close(attention(q, k, v, masks.causal(4, 4))[0][..., :3, :], before[..., :3, :], 0)


@pytest.mark.parametrize("path", ["open", "open and recorded", "fused", "fused with alibi"])
def test_a_row_that_may_attend_to_nothing_gives_zeros_and_no_nan(path, rng, device):
    q, k, v = (draw(rng, 1, 2, 3, 4).to(device).requires_grad_() for _ in range(3))
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]], device=device)
    if path.startswith("open"):
        z, pattern = attention(q, k, v, mask, tap=RecordingTap(["masked_scores"]) if "recorded" in path else IDENTITY)
        assert (pattern[..., 1, :] == 0).all()
    else:
        z = fused_attention(q, k, v, mask, bias=alibi_bias(2, 3, 3).to(device) if "alibi" in path else None)
    assert (z[..., 1, :] == 0).all() and (z[..., 0, :] != 0).any()
    z.square().sum().backward()
    for leaf in (q, k, v):
        assert leaf.grad is not None and leaf.grad.isfinite().all() and leaf.grad.any()
    assert q.grad is not None and (q.grad[..., 1, :] == 0).all()


def multi_head(config: TransformerConfig, device: torch.device, positional: bool = True) -> MultiHeadAttention:
    return fill(MultiHeadAttention(config, positional)).to(device)


@each_mask
@pytest.mark.parametrize("cross", [False, True])
def test_multi_head_equals_pytorchs_with_copied_weights(mask, cross, rng, device):
    ours = multi_head(TransformerConfig(d_model=12, heads=3), device)
    theirs = twin(lambda: nn.MultiheadAttention(12, 3, batch_first=True), copy_attention, ours, device)
    x = draw(rng, 2, 4 if cross else 5, 12).to(device)
    memory = draw(rng, 2, 5, 12).to(device) if cross else x
    if mask is not None and cross and mask.shape[-2] == 5:
        mask = mask[..., 1:, :]
    tap = RecordingTap(["pattern"])
    hidden = None if mask is None else ~mask.expand(2, 3, x.shape[1], 5).flatten(0, 1).to(device)
    z, weights = theirs(x, memory, memory, attn_mask=hidden, average_attn_weights=False)
    close(ours(x, memory, to(mask, device), tap), z)
    close(ours(x, memory, to(mask, device)), z)
    close(tap.seen["pattern"], weights)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("score", SCORES)
def test_multi_head_is_the_same_watched_and_unwatched(positions, score, rng, device):
    ours = multi_head(TransformerConfig(d_model=12, heads=3, d_k=4, d_v=5, positions=positions, score=score), device)
    x = draw(rng, 2, 5, 12).to(device)
    mask = masks.causal(5, 5).to(device)
    close(ours(x, x, mask, RecordingTap(["*"])), ours(x, x, mask))


def test_the_heads_add_up_to_the_output_without_its_bias(rng, device):
    ours = multi_head(TransformerConfig(d_model=12, heads=3, d_v=5), device)
    x = draw(rng, 2, 5, 12).to(device)
    tap = RecordingTap(["head_out", "attn_out"])
    plain = ours(x, x, None)
    ours(x, x, None, tap)
    close(tap.seen["head_out"].sum(1), tap.seen["attn_out"] - ours.w_o.bias)
    close(tap.seen["attn_out"], plain)


@pytest.mark.parametrize(("positions", "acts"), [("rotary", True), ("alibi", True), ("sinusoidal", False)])
def test_rotary_and_alibi_act_in_self_attention_only(positions, acts, rng, device):
    config = TransformerConfig(d_model=12, heads=3, positions=positions)
    without = multi_head(TransformerConfig(d_model=12, heads=3, positions="none"), device)
    x = draw(rng, 1, 5, 12).to(device)
    expected = without(x, x, None)
    close(multi_head(config, device, positional=False)(x, x, None), expected, 0)
    change = (multi_head(config, device)(x, x, None) - expected).abs().max()
    assert (change > 1e-3) == acts


def test_rotary_and_alibi_scores_depend_on_the_distance_only(rng, device):
    """The same token everywhere: every diagonal of the scores is one number."""
    x = draw(rng, 1, 1, 12).expand(1, 6, 12).to(device)
    for positions in ("rotary", "alibi"):
        config = TransformerConfig(d_model=12, heads=3, positions=positions, position_base=50.0)
        tap = RecordingTap(["scores"])
        multi_head(config, device)(x, x, None, tap)
        scores = tap.seen["scores"]
        close(scores[..., 1:, 1:], scores[..., :-1, :-1])
        assert scores.std() > 1e-3


@pytest.mark.parametrize("watched", [False, True])
def test_attention_weights_are_never_dropped_out(watched, rng, device):
    config = TransformerConfig(d_model=12, heads=3, dropout=0.5)
    layer = multi_head(config, device)
    x = draw(rng, 1, 5, 12).to(device)
    tap = RecordingTap(["pattern"]) if watched else IDENTITY
    before = layer(x, x, None, tap)
    torch.testing.assert_close(layer.train()(x, x, None, tap), before)


def test_gradients_hold_with_scores_of_ten_to_the_eight() -> None:
    """Against the same in float64: the fused kernel's are NaN there."""
    config = TransformerConfig("decoder", vocab_size=8, d_model=16, heads=2)
    layer = multi_head(config, torch.device("cpu")).requires_grad_(False)
    x = torch.randn(1, 12, 16, generator=torch.Generator().manual_seed(0)) * 3e4
    found = [gradient(layer.to(dtype), x.to(dtype)) for dtype in (torch.float32, torch.float64)]
    torch.testing.assert_close(found[0].double(), found[1], rtol=1e-3, atol=1e-3)


def test_a_row_that_attends_to_nothing_has_a_gradient_of_zero() -> None:
    config = TransformerConfig("decoder", vocab_size=8, d_model=16, heads=2)
    x = torch.randn(1, 4, 16, generator=torch.Generator().manual_seed(0))
    layer, mask = multi_head(config, torch.device("cpu")).requires_grad_(False), torch.zeros(4, 4, dtype=torch.bool)
    assert not gradient(layer, x, mask).any()


def gradient(layer: MultiHeadAttention, x: Tensor, mask: Tensor | None = None) -> Tensor:
    x = x.clone().requires_grad_()
    mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril() if mask is None else mask
    (found,) = torch.autograd.grad(layer(x, x, mask).sum(), x)
    return found
