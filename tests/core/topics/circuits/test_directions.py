"""The directions of a head, against the whole maps: sums of all directions, products with every piece, by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.device import Placement
from core.model.config import TransformerConfig
from core.model.layers import MaskedWordHead
from core.model.transformer import Transformer, build
from core.text.special import SPECIAL
from core.text.symbols import SymbolTokenizer
from core.topics.circuits.directions import END_WORDS, OV, QK, directions, strongest_shares
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress, head_projection
from core.tracing.run import Run
from tests.core.strategies import configs, parts_of_others

LETTERS = SymbolTokenizer((*SPECIAL, *"abcdefg"))


def run_of(config: TransformerConfig) -> Run:
    config = replace(config, vocab_size=LETTERS.vocab_size)
    return Run("a b c d", config, target="d c a", tokenizer="", placement=Placement("cpu", "float32"))


def whole_map(model: Transformer, run: Run, place: HeadAddress, circuit: str) -> torch.Tensor:
    """The map (D, D) as one product."""
    stack: Any = getattr(model, place.stack)
    attn, head = stack[place.layer].attn, place.head
    with torch.no_grad():
        if circuit == OV:
            w_o = attn.w_o.weight.double().unflatten(1, (run.config.heads, -1))[:, head]
            return w_o @ head_projection(attn, "v", head)[0].double().T
        w_q, w_k = (head_projection(attn, letter, head)[0].double() for letter in "qk")
        if run.config.score == "general":
            w_q = w_q @ attn.score.weight[head].double()
        return w_q @ w_k.T


@given(st.one_of(configs(), parts_of_others()), st.sampled_from((QK, OV)))
def test_directions_are_the_singular_vectors_of_the_whole_map(config: TransformerConfig, circuit: str) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    place = HeadAddress(stack, 0, run.config.heads - 1)
    if circuit == QK and (config.score == "additive" or config.qk_norm):
        with pytest.raises(ValueError, match=r"no sum|no single matrix"):
            directions(model, LETTERS, run, place, circuit, 0)
        return
    if circuit == OV and isinstance(model.masked_head, MaskedWordHead):
        with pytest.raises(ValueError, match="not linear"):
            directions(model, LETTERS, run, place, circuit, 0)
        return
    if stack == "encoder" and circuit == OV and not config.tied:
        return  # it has no logits
    found = directions(model, LETTERS, run, place, circuit, 0)
    values = torch.linalg.svdvals(whole_map(model, run, place, circuit))
    shares = (values.square() / values.square().sum()).numpy()
    np.testing.assert_allclose(found.shares, shares[: len(found.shares)], atol=1e-6)
    assert found.shares.sum() == pytest.approx(1)
    table = strongest_shares(model, LETTERS, run, stack, circuit)
    assert table[0, place.head] == pytest.approx(found.shares[0])
    for ends in (found.inside, found.outside):
        assert len(ends.high) == len(ends.low) == END_WORDS
        assert list(ends.high_by) == sorted(ends.high_by, reverse=True) and list(ends.low_by) == sorted(ends.low_by)


def test_by_hand_a_head_that_looks_for_a_from_b_and_writes_c() -> None:
    config = TransformerConfig(
        "decoder", d_model=8, heads=1, layers=1, norm_position="none", positions="none", tied=False
    )
    run = run_of(config)
    model = build(run.config)
    decoder: Any = model.decoder
    place, labels = HeadAddress("decoder", 0, 0), list(LETTERS.labels(range(LETTERS.vocab_size)))
    a, b, c = (labels.index(letter) for letter in "abc")
    with torch.no_grad():
        for weight in (
            model.embed.weight,
            model.output_weight,
            *(getattr(decoder[0].attn, f"w_{x}").weight for x in "qkvo"),
        ):
            weight.zero_()
        model.embed.weight[a, 0], model.embed.weight[b, 1], model.output_weight[c, 2] = 1.0, 1.0, 1.0
        decoder[0].attn.w_q.weight[0, 1] = decoder[0].attn.w_k.weight[0, 0] = 3.0  # b asks what a answers
        decoder[0].attn.w_v.weight[0, 0] = decoder[0].attn.w_o.weight[2, 0] = 1.0  # reads a, writes c
    looks = directions(model, LETTERS, run, place, QK, 0)
    writes = directions(model, LETTERS, run, place, OV, 0)
    for found, inside, outside in ((looks, "a", "b"), (writes, "a", "c")):
        assert found.shares[0] == pytest.approx(1)
        ends = {(found.inside.high[0], found.outside.high[0]), (found.inside.low[0], found.outside.low[0])}
        assert (inside, outside) in ends


def test_a_head_of_the_storyteller_has_few_directions_and_random_weights_have_none() -> None:
    run = run_of_model("storyteller", "A cat.")
    model, tokenizer = open_run(run)
    fresh = build(replace(run.config, seed=5))
    for circuit in (QK, OV):
        trained = strongest_shares(model, tokenizer, run, "decoder", circuit)
        random = strongest_shares(fresh, tokenizer, run, "decoder", circuit)
        chance = directions(model, tokenizer, run, HeadAddress("decoder"), circuit, 0).random_share
        assert trained.max() > 2 * chance > random.max()
        assert random.mean() == pytest.approx(chance, rel=0.15)


def test_cross_attention_is_refused_and_a_number_beyond_the_last_is_the_last() -> None:
    run = run_of(TransformerConfig("encoder-decoder", d_model=8, heads=2, layers=1))
    model = build(run.config)
    with pytest.raises(ValueError, match="encoder's output"):
        directions(model, LETTERS, run, HeadAddress("decoder", cross=True), QK, 0)
    last, beyond = (directions(model, LETTERS, run, HeadAddress("decoder"), QK, number) for number in (3, 99))
    assert last.inside.high == beyond.inside.high and np.array_equal(last.outside.low_by, beyond.outside.low_by)
