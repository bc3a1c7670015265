"""A logit that stands in the softmax beside the scores: by hand, as one more column, and in every path."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from core.model import masks
from core.model.attention import apply_mask, attention, fused_attention, masked_softmax
from core.model.config import TransformerConfig
from core.model.fast.kernel import scaled_dot_product_attention
from core.model.fast.optimize import optimize
from core.model.kv import make_cache
from core.model.positions import alibi_bias
from core.model.scores import make_score
from core.model.transformer import Transformer, build
from tests.core.oracles import close, fill

CONFIG = TransformerConfig(
    "decoder", vocab_size=9, d_model=12, heads=4, kv_heads=2, layers=2, positions="rotary", d_k=4, sink_logits=True
)


def drawn(rng: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=rng)


def test_two_by_two_by_hand() -> None:
    """e⁰ = 1 and e^(ln 2) = 2 beside a sink of e^(ln 3) = 3; with a logit of 0, a 1 is added to the sum."""
    two, three = float(np.log(2)), float(np.log(3))
    scores = torch.tensor([[[[0.0, two], [two, two]], [[0.0, two], [two, two]]]])  # two heads
    found = masked_softmax(scores, None, torch.tensor([three, 0.0]))
    close(found, np.array([[[[1 / 6, 2 / 6], [2 / 7, 2 / 7]], [[1 / 4, 2 / 4], [2 / 5, 2 / 5]]]]))


@pytest.mark.parametrize("kernel", [torch.nn.functional.scaled_dot_product_attention, scaled_dot_product_attention])
@pytest.mark.parametrize("groups", [4, 2, 1])
@pytest.mark.parametrize("queries", [5, 1])
@pytest.mark.parametrize("alibi", [False, True])
@pytest.mark.parametrize("mask", ["none", "causal", "an empty row"])
def test_both_paths_are_a_softmax_over_one_more_column(mask, alibi, queries, groups, kernel, rng) -> None:
    q, k, v = drawn(rng, 2, 4, queries, 4), drawn(rng, 2, groups, 5, 4), drawn(rng, 2, groups, 5, 6)
    sink = drawn(rng, 4)
    allowed = {"none": None, "causal": masks.causal(queries, 5)}.get(mask, torch.arange(5) < torch.zeros(queries, 1))
    bias = alibi_bias(4, queries, 5) if alibi else None
    keys, values = (x.repeat_interleave(4 // groups, 1).double() for x in (k, v))
    scores = q.double() @ keys.mT / 2 + (0 if bias is None else bias)
    scores = scores if allowed is None else scores.masked_fill(~allowed, float("-inf"))
    column = sink.double()[None, :, None, None].expand(2, 4, queries, 1)
    weights = torch.softmax(torch.cat([scores, column], -1), -1)[..., :-1]
    z, pattern = attention(q, k, v, allowed, bias=bias, sink=sink)
    close(pattern, weights.numpy())
    close(z, (weights @ values).numpy())
    close(fused_attention(q, k, v, allowed, bias=bias, sink=sink, kernel=kernel), (weights @ values).numpy())


@pytest.mark.parametrize("name", ["dot", "general", "additive"])
def test_every_score_function_has_it_in_both_paths(name: str, rng: torch.Generator) -> None:
    q, k, v, sink = drawn(rng, 2, 3, 5, 4), drawn(rng, 2, 3, 5, 4), drawn(rng, 2, 3, 5, 6), drawn(rng, 3)
    score = fill(make_score(name, 3, 4))
    z, pattern = attention(q, k, v, masks.causal(5, 5), score=score, sink=sink)
    close(fused_attention(q, k, v, masks.causal(5, 5), score=score, sink=sink), z)
    assert (pattern.sum(-1) < 0.999).all()


@pytest.mark.parametrize("low", [-1e4, float("-inf")])
def test_a_very_low_logit_equals_none(low: float, rng: torch.Generator) -> None:
    scores, mask = drawn(rng, 1, 2, 4, 4), masks.causal(4, 4) & (torch.arange(4) != 2)[:, None]
    hidden = apply_mask(scores, mask)
    close(masked_softmax(hidden, mask, torch.full((2,), low)), masked_softmax(hidden, mask), 0)


def model() -> Transformer:
    return fill(build(CONFIG)).requires_grad_(False)


@pytest.mark.parametrize("fast", [False, True])
def test_token_by_token_equals_all_at_once(fast: bool) -> None:
    made, ids = optimize(model()) if fast else model(), torch.tensor([[3, 1, 7, 2, 5, 8]])
    assert all(value.abs().min() > 0 for name, value in made.named_parameters() if name.endswith("sink"))
    whole = made(None, ids)
    cache = make_cache(CONFIG, 1, 6, made.embed.weight)
    parts = [made(None, ids[:, at : at + 1], cache=cache) for at in range(6)]
    close(torch.cat(parts, 1), whole)
    without = Transformer(replace(CONFIG, sink_logits=False))
    without.load_state_dict({name: value for name, value in made.state_dict().items() if "sink" not in name})
    assert (without(None, ids) - whole).abs().max() > 1e-3


def test_its_gradient_is_minus_the_weight_it_takes_times_what_that_would_add(rng: torch.Generator) -> None:
    """∂z/∂s = −p_s z for z = Σ p_j v_j, where p_s = 1 − Σ p_j."""
    q, k, v = (drawn(rng, 1, 2, 3, 4).double() for _ in range(3))
    sink, pull = drawn(rng, 2).double().requires_grad_(), drawn(rng, 1, 2, 3, 4).double()
    z, pattern = attention(q, k, v, masks.causal(3, 3), sink=sink)
    (found,) = torch.autograd.grad((z * pull).sum(), sink)
    expected = -((1 - pattern.sum(-1, keepdim=True)) * z * pull).sum((0, 2, 3))
    close(found, expected.detach().numpy())
    assert torch.autograd.gradcheck(lambda s: attention(q, k, v, masks.causal(3, 3), sink=s)[0], (sink,))


def test_training_changes_it_and_it_starts_at_zero() -> None:
    made, ids = build(CONFIG), torch.tensor([[3, 1, 7, 2, 5, 8]])
    sinks = [value for name, value in made.named_parameters() if name.endswith("sink")]
    assert len(sinks) == CONFIG.layers and all(sink.shape == (4,) and not sink.any() for sink in sinks)
    made(None, ids).square().mean().backward()
    assert all(sink.grad is not None and sink.grad.abs().min() > 0 for sink in sinks)
