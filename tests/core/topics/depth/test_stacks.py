"""Norms along depth: against autograd hooks on blocks written out by hand, and what is asked of a text."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.config import TransformerConfig
from core.model.layers import Block
from core.model.masks import CausalMask
from core.model.transformer import Transformer, build
from core.text.special import MASK
from core.topics.depth.analysis.signal import Wiring, wired
from core.topics.depth.curves import cosine_curve, norm_curve
from core.topics.depth.stacks import (
    NORM_WIRINGS,
    StackShape,
    alike_wirings,
    own_cosines,
    own_norms,
    random_stack,
    remains_curves,
    stack_config,
    stack_cosines,
    stack_norms,
    stack_remains,
    stack_text,
)
from core.tracing.run import Run
from tests.core.texts import load

TEXT = "the cat sat on the mat and the dog ran"
CAUSAL = (CausalMask(),)
tokenizer = cache(lambda: load("unigram-1000"))


def run_of(architecture: str, **fields: Any) -> Run:
    config = TransformerConfig(
        architecture, vocab_size=1000, d_model=24, heads=2, layers=3, activation="gelu", **fields
    )
    mask = CAUSAL if "decoder" in architecture else ()
    return Run(TEXT, config, target="a cat sat on a mat", tokenizer="unigram-1000", masks=mask)


class Hooked(torch.autograd.Function):
    """Nothing on the way forward; on the way back it notes the norm of the gradient that passes."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, caught: list[float]) -> Tensor:
        ctx.caught = caught
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        ctx.caught.append(gradient.norm().item())
        return gradient, None


def blocks_of(model: Transformer) -> list[Block]:
    return list(getattr(model, model.config.stacks[-1]))


def attended(block: Block, x: Tensor, causal: bool) -> Tensor:
    """Multi-head attention of x (L, D), head by head."""
    attn, heads = block.attn, block.config.heads
    width, outs = x.shape[1] // heads, []
    q, k, v = (x @ part.weight.T + part.bias for part in (attn.w_q, attn.w_k, attn.w_v))
    for head in range(heads):
        here = slice(head * width, (head + 1) * width)
        scores = q[:, here] @ k[:, here].T / width**0.5
        if causal:
            scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
        outs.append(scores.softmax(-1) @ v[:, here])
    return torch.cat(outs, 1) @ attn.w_o.weight.T + attn.w_o.bias


def by_hand(block: Block, x: Tensor, wiring: Wiring, causal: bool) -> Tensor:
    """One block on x (L, D), every line written out."""

    def norm(x: Tensor) -> Tensor:
        return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, unbiased=False) + 1e-5).sqrt()

    def fed(x: Tensor) -> Tensor:
        assert block.ffn is not None
        return F.gelu(x @ block.ffn.w_1.weight.T + block.ffn.w_1.bias) @ block.ffn.w_2.weight.T + block.ffn.w_2.bias

    parts = [lambda x: attended(block, x, causal), fed]
    for part in parts if wiring.feed_forward else parts[:1]:
        out = part(norm(x) if wiring.norm == "pre" else x)
        out = x + out if wiring.residual else out
        x = norm(out) if wiring.norm == "post" else out
    return x


def loss_by_hand(model: Transformer, x: Tensor, wiring: Wiring, rows: Tensor, gold: Tensor) -> Tensor:
    x = F.layer_norm(x, x.shape[-1:], eps=1e-5) if wiring.norm == "pre" else x
    return F.cross_entropy(x[rows] @ model.embed.weight.T, gold)


@pytest.mark.parametrize("architecture", ["decoder", "encoder"])
def test_norms_and_gradients_are_those_of_blocks_written_out_by_hand(architecture: str) -> None:
    run = run_of(architecture)
    text = stack_text(tokenizer(), run)
    model = random_stack(stack_config(run.config, StackShape(16, 4, seed=3)), gain=1.3)
    found = stack_norms(model, text, layers=3)
    for row, wiring in enumerate(NORM_WIRINGS):
        caught: list[float] = []  # the last layer first
        stream = [Hooked.apply(model.embed_ids(text.given)[0].requires_grad_(), caught)]
        for block in blocks_of(model)[:3]:
            stream.append(Hooked.apply(by_hand(block, stream[-1], wiring, architecture == "decoder"), caught))
        loss = loss_by_hand(model, stream[-1], wiring, text.rows, text.gold)
        loss.backward()
        np.testing.assert_allclose(found.signal[row], [each.norm().item() for each in stream], rtol=2e-4)
        np.testing.assert_allclose(found.gradient[row], caught[::-1], rtol=2e-3)
        assert found.losses[row] == pytest.approx(loss.item(), rel=1e-4)


def test_what_is_left_of_a_token_is_the_cosine_with_its_first_vector() -> None:
    run = run_of("decoder")
    text, layers = stack_text(tokenizer(), run), 3
    models = [random_stack(stack_config(run.config, StackShape(16, 4, seed)), gain=1.0) for seed in (3, 4)]
    found = [stack_remains(model, text, layers) for model in models]
    for model, remains in zip(models, found, strict=True):
        for row, wiring in enumerate(NORM_WIRINGS):
            stream = [model.embed_ids(text.ids)[0]]
            for block in blocks_of(model)[:layers]:
                stream.append(by_hand(block, stream[-1], wiring, causal=True))
            cosines = [F.cosine_similarity(each, stream[0], dim=-1).numpy() for each in stream]
            np.testing.assert_allclose(remains[row], cosines, atol=1e-5)
    added, replaced, *averages = remains_curves(found, 2, "the")
    assert [added.name, replaced.name] == ["the, with residual", "the, without residual"]
    np.testing.assert_allclose(added.middle, (found[0][0, :, 2] + found[1][0, :, 2]) / 2)
    np.testing.assert_allclose(replaced.middle, (found[0][1, :, 2] + found[1][1, :, 2]) / 2)
    assert len(averages) == len(NORM_WIRINGS)
    np.testing.assert_allclose(averages[3].low, np.minimum(found[0][3].mean(-1), found[1][3].mean(-1)))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_gradients_hold_where_scores_reach_ten_to_the_eight(seed: int) -> None:
    """24 layers without norms, where PyTorch's fused kernel gives NaN."""
    text, layers = stack_text(tokenizer(), run_of("decoder")), 24
    model = random_stack(stack_config(run_of("decoder").config, StackShape(32, layers, seed)), gain=1.0)
    found, wiring = stack_norms(model, text, layers), Wiring("none", True)
    caught: list[float] = []
    x = Hooked.apply(model.embed_ids(text.given)[0].requires_grad_(), caught)
    for block in blocks_of(model):
        x = Hooked.apply(by_hand(block, x, wiring, True), caught)
    assert x.abs().max() > 1e4
    loss_by_hand(model, x, wiring, text.rows, text.gold).backward()
    np.testing.assert_allclose(found.gradient[NORM_WIRINGS.index(wiring)], caught[::-1], rtol=1e-5)


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_tokens_grow_as_alike_as_by_hand(norm: str) -> None:
    run = run_of("decoder")
    text = stack_text(tokenizer(), run)
    model = random_stack(stack_config(run.config, StackShape(16, 2, seed=1)), gain=1.0)
    found = stack_cosines(model, text, 2, norm)
    for row, wiring in enumerate(alike_wirings(norm)):
        x = model.embed_ids(text.ids)[0]
        for layer in range(3):
            pairs = F.cosine_similarity(x[:, None], x[None], dim=-1)
            mean = (pairs.sum() - pairs.trace()) / (len(x) * (len(x) - 1))
            assert found[row, layer] == pytest.approx(mean.item(), abs=1e-4)
            x = by_hand(blocks_of(model)[layer], x, wiring, True) if layer < 2 else x


def test_every_wiring_is_what_the_project_s_own_model_computes() -> None:
    run = run_of("decoder", positions="rotary", norm="rmsnorm", score="additive")
    text = stack_text(tokenizer(), run)
    config = stack_config(run.config, StackShape(16, 3, seed=2))
    found = stack_norms(random_stack(config, 1.0), text, 3)
    for row, wiring in enumerate(NORM_WIRINGS):
        whole = replace(config, norm_position=wiring.norm, residual=wiring.residual, final_norm=wiring.norm == "pre")
        alone = replace(run, text=TEXT, config=replace(whole, tied=True))
        own = own_norms(build(whole).requires_grad_(False), tokenizer(), alone, guesses=True)
        np.testing.assert_allclose(own.signal[0], found.signal[row], rtol=1e-4)
        np.testing.assert_allclose(own.gradient[0], found.gradient[row], rtol=1e-3)
        assert own.losses[0] == pytest.approx(found.losses[row], rel=1e-4)


def test_nothing_is_left_on_a_model() -> None:
    run = run_of("encoder-decoder")
    model = build(run.config).requires_grad_(False)
    own = own_norms(model, tokenizer(), run, guesses=True)
    cosines = own_cosines(model, tokenizer(), run)
    assert own.signal.shape == own.gradient.shape == (1, 4) and cosines.shape == (4,)
    assert all(parameter.grad is None and not parameter.requires_grad for parameter in model.parameters())


def test_deep_stacks_without_norms_leave_float32_and_have_their_numbers() -> None:
    run = run_of("decoder")
    text = stack_text(tokenizer(), run)
    for gain, row, leaves in ((2.0, 4, (True, False)), (0.5, 5, (False, True)), (0.5, 0, (False, False))):
        stack = random_stack(stack_config(run.config, StackShape(16, 64, seed=0)), gain)
        curve = norm_curve("", "", stack_norms(stack, text, 64).signal[[row]])
        assert np.isfinite(curve.middle).all() and curve.leaves_float32 == leaves and not curve.is_undefined


def test_what_is_asked_for() -> None:
    decoder, encoder = (stack_text(tokenizer(), run_of(each)) for each in ("decoder", "encoder"))
    assert decoder.gold.tolist() == decoder.ids[0, 1:].tolist() and decoder.given is decoder.ids
    assert (encoder.given[0, encoder.rows] == MASK).all() and encoder.gold.tolist() == encoder.ids[0, 1::4].tolist()
    long = stack_text(tokenizer(), replace(run_of("decoder"), text="cat dog " * 60, pads=3))
    assert long.ids.shape == (1, 32) and long.cut == len(tokenizer().encode("cat dog " * 60).ids)
    assert long.mask is not None and long.mask.shape[-2:] == (32, 32) and not long.mask[..., 0, 1].any()
    with pytest.raises(ValueError, match="write two words"):
        stack_text(tokenizer(), replace(run_of("decoder"), text="a"))


def test_a_curve_s_middle_is_the_geometric_mean_and_its_band_reaches_the_ends() -> None:
    curve = norm_curve("a", "b", np.array([[1.0, 2.0, 0.0, 1.0], [4.0, np.inf, 3.0, np.nan]]))
    np.testing.assert_allclose(curve.middle, [2, np.nan, np.nan, np.nan])
    np.testing.assert_allclose((curve.low[0], curve.high[0]), (1, 4))
    assert curve.over.tolist() == [0, 1, 0, 0] and curve.under.tolist() == [0, 0, 1, 0] and curve.is_undefined
    np.testing.assert_allclose(cosine_curve("a", "b", np.array([[0.0, -0.5], [0.5, 0.5]])).middle, [0.25, 0])


def test_rows_of_a_batch_do_not_touch_each_other() -> None:
    """A stack that overflows leaves the others as they are."""
    model = random_stack(stack_config(run_of("encoder").config, StackShape(16, 1, seed=0)), 1.0)
    wirings = NORM_WIRINGS
    x = torch.randn(len(wirings), 5, 16, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    spoilt = x.clone()
    spoilt[-1] = torch.inf
    whole, other = (wired(blocks_of(model), each, wirings, None)[-1] for each in (x, spoilt))
    torch.testing.assert_close(whole[:-1], other[:-1])
