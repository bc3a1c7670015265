"""A block's neurons: against the feed-forward layer written out by hand, for each activation and norm."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.checkpoints import shipped
from core.model.masks import CausalMask
from core.topics.block.neurons import SHOWN_NEURONS, BlockInputs, Neurons, block_inputs, neurons, written
from core.topics.block.permutation_equivariance import any_order
from core.tracing.run import Run, execute, prepare
from tests.core.topics.positions.test_positions import made

BENT: dict[str, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu, "swiglu": F.silu}
CAUSAL = (CausalMask(),)


def found(token: int = 2, neuron: int | None = None, layer: int = 1, **config: Any) -> tuple[Neurons, Any, BlockInputs]:
    model, tokenizer, run = made(**config)
    stack = run.config.stacks[0]
    read = block_inputs(model, tokenizer, run, stack, layer)
    return neurons(model, tokenizer, run, stack, layer, token, neuron, read), getattr(model, stack)[layer].ffn, read


@pytest.mark.parametrize("activation", list(BENT))
@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_the_output_is_a_sum_of_activations_times_rows(activation: str, norm: str) -> None:
    seen, ffn, read = found(activation=activation, norm_position=norm, d_ff=24)
    x = torch.from_numpy(read.ffn)
    hidden = BENT[activation](x @ ffn.w_1.weight.T + ffn.w_1.bias)
    if activation == "swiglu":
        hidden = hidden * (x @ ffn.w_3.weight.T + ffn.w_3.bias)
    added = hidden[2, :, None] * ffn.w_2.weight.T  # (F, D)
    out = added.sum(0) + ffn.w_2.bias
    lengths = added.norm(dim=1)
    order = lengths.argsort(descending=True)[:SHOWN_NEURONS]
    assert seen.numbers == tuple(order.tolist()) and seen.count == 24 and seen.neuron == seen.numbers[0]
    np.testing.assert_allclose(seen.lengths, lengths[order], rtol=1e-4)
    np.testing.assert_allclose(seen.activations, hidden[:, order], atol=1e-5)
    assert seen.size == pytest.approx(float(out.norm()), rel=1e-4)
    np.testing.assert_allclose(seen.shares, (added[order] @ out) / (out @ out), atol=1e-4)
    others = (added.sum(0) - added[order].sum(0)) @ out / (out @ out)
    assert float(seen.shares.sum()) + seen.bias + float(others) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("architecture", ["decoder", "encoder-decoder"])
@pytest.mark.parametrize("layer", [0, 1])
def test_the_layer_fed_with_what_was_recorded_gives_what_the_model_computed(architecture: str, layer: int) -> None:
    model, tokenizer, run = made(architecture=architecture, masks=CAUSAL, activation="gelu")
    run = replace(run, target=run.text if architecture == "encoder-decoder" else "")
    read = block_inputs(model, tokenizer, run, "decoder", layer)
    seen = neurons(model, tokenizer, run, "decoder", layer, 1, 5, read)
    key = f"decoder.{layer}.ffn_hidden"
    whole = execute(model, run, prepare(run, tokenizer), [key])[key][0]
    np.testing.assert_array_equal(seen.fires, whole[:, 5])
    assert seen.neuron == 5 and seen.labels == read.labels


def test_a_neuron_that_is_not_among_the_strongest_is_shown_behind_them() -> None:
    seen, _, _ = found()
    weak = next(each for each in range(seen.count) if each not in seen.numbers)
    other, _, _ = found(neuron=weak)
    assert (
        other.numbers == (*seen.numbers, weak) and other.neuron == weak and other.strongest == slice(0, SHOWN_NEURONS)
    )
    assert other.lengths[-1] <= other.lengths[:-1].min()
    few, _, _ = found(d_ff=3)
    assert few.strongest == slice(0, 3) and len(few.numbers) == 3


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no token 99: the text has"):
        found(token=99)
    with pytest.raises(ValueError, match="no neuron 64: the layer has 64"):
        found(neuron=64)


@pytest.mark.parametrize(("name", "stack"), [("storyteller", "decoder"), ("reader", "encoder")])
def test_what_a_neuron_writes_is_its_row_through_gain_and_unembedding(name: str, stack: str) -> None:
    about = shipped.read(name)
    run = Run("a cat", about.config, source=about.source, format=about.format)
    model, tokenizer = shipped.load(name, run.placement), shipped.tokenizer(name)
    seen = written(model, tokenizer, run, stack, 4, 17)
    assert seen is not None
    row = getattr(model, stack)[4].ffn.w_2.weight[:, 17]
    gain = getattr(model, f"{stack}_norm").weight
    scores = ((row - row.mean()) * gain) @ model.embed.weight.T
    scores = scores - scores.mean()
    order = 260 + scores[260:].argsort(descending=True)  # without special and byte pieces
    assert [score for _, score in seen.raised] == pytest.approx(scores[order[:6]].tolist(), abs=1e-5)
    assert [piece for piece, _ in seen.raised] == list(tokenizer.labels(order[:6].tolist()))
    assert seen.lowered[0][1] == pytest.approx(float(scores[260:].min()), abs=1e-5)


def test_a_stack_that_names_no_pieces_writes_none() -> None:
    model, tokenizer, run = made()
    assert written(model, tokenizer, run, "encoder", 0, 0) is None


@pytest.mark.parametrize(
    ("config", "moves_along"),
    [
        ({"positions": "sinusoidal"}, True),
        ({"positions": "rotary"}, False),
        ({"positions": "alibi"}, False),
        ({"architecture": "decoder", "masks": CAUSAL, "positions": "learned"}, False),
    ],
)
def test_only_the_feed_forward_layer_needs_no_other_token_and_no_order(config: Any, moves_along: bool) -> None:
    model, tokenizer, run = made(**config)
    stack = run.config.stacks[0]
    read = block_inputs(model, tokenizer, run, stack, 1)
    seen = any_order(model, tokenizer, run, stack, 1, 0, (3, 0), read)
    assert seen.ffn.keeps_order and seen.ffn.keeps_alone
    assert seen.attention.keeps_order == moves_along == (not seen.told_by) and not seen.attention.keeps_alone
    assert sorted(seen.order) == list(range(len(read.ffn))) and list(seen.order) != sorted(seen.order)
    np.testing.assert_allclose(seen.after, seen.before[seen.order], atol=1e-5)
    assert seen.new_labels == tuple(seen.labels[old] for old in seen.order)
    block = getattr(model, stack)[1]
    alone = torch.stack([block.ffn(row[None, None])[0, 0] for row in torch.from_numpy(read.ffn)])
    together = block.ffn(torch.from_numpy(read.ffn)[None])[0]
    assert seen.ffn.alone == pytest.approx(float((alone - together).abs().max()), abs=1e-6)
    assert seen.ffn.size == pytest.approx(float(together.abs().max()))
    values = torch.from_numpy(read.attention) @ block.attn.w_v.weight.T + block.attn.w_v.bias
    by_hand = values @ block.attn.w_o.weight.T + block.attn.w_o.bias  # alone, a token's weight for itself is 1
    whole = execute(model, run, prepare(run, tokenizer), [f"{stack}.1.attn_out"])[f"{stack}.1.attn_out"][0]
    assert seen.attention.alone == pytest.approx(float((by_hand - whole).abs().max()), rel=1e-4)
