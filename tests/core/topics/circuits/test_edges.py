"""Shares of direct paths against the attention's own projections, and cut paths against runs with edits alone."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.topics.circuits.cut_paths import cut_into, estimated_cuts
from core.topics.circuits.edges import INPUTS, LETTERS, attention_inputs, head_paths, record_heads, stack_heads
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress
from core.topics.shared.stream_parts import block_parts
from core.tracing.edits import Edit
from core.tracing.run import Run, execute, prepare
from tests.core.strategies import configs, parts_of_others
from tests.core.topics.circuits.test_attribution import LETTERS as TOKENIZER
from tests.core.topics.circuits.test_attribution import any_config, has_logits, run_of
from tests.fuzz.mode import NIGHTLY

PIECES = (6, 7)


def without(model: Transformer, run: Run, sender: HeadAddress, receiver: HeadAddress, site: str) -> torch.Tensor:
    """The receiver's tensor at a site if a head wrote nothing and no other part reacted, from edits of a run."""
    inputs = prepare(run, TOKENIZER)
    parts = block_parts(run, sender.stack)
    order = [(layer, added) for layer in range(run.config.depth(sender.stack)) for _, added, _ in parts]
    start = order.index((sender.layer, "cross.attn_out" if sender.cross else "attn_out"))
    stop = order.index((receiver.layer, "cross.attn_out" if receiver.cross else "attn_out"))
    held = [f"{sender.stack}.{layer}.{added}" for layer, added in order[start + 1 : stop]]
    recorded = execute(model, run, inputs, held) if held else {}
    edits = [Edit(f"{sender.prefix}head_out", "zero", head=sender.head)]
    edits += [Edit(key, "replace", recorded[key]) for key in held]
    return execute(model, run, inputs, [receiver.prefix + site], edits=edits)[receiver.prefix + site]


@given(any_config.filter(has_logits), st.data())
def test_a_cut_path_is_a_run_in_which_nothing_else_reacts(config: TransformerConfig, data: st.DataObject) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    heads = stack_heads(run, stack)
    receiver = data.draw(st.sampled_from([head for head in heads if head.layer == run.config.depth(stack) - 1]))
    earlier = [head for head in heads if (head.layer, head.cross) < (receiver.layer, receiver.cross)]
    if not earlier:
        return
    index = data.draw(st.integers(0, len(earlier) - 1))
    entry = "query" if receiver.cross else data.draw(st.sampled_from(INPUTS))
    letter = LETTERS[INPUTS.index(entry)]
    number = receiver.head if entry == "query" else run.config.kv_head_of(receiver.head)
    tensor = without(model, run, earlier[index], receiver, letter)[0, number]
    edits = (Edit(f"{receiver.prefix}{letter}", "replace", tensor, head=number),)
    inputs = prepare(run, TOKENIZER)
    final = [
        execute(model, run, inputs, [f"{stack}.final"], edits=each)[f"{stack}.final"][:, 1] for each in ((), edits)
    ]
    with torch.inference_mode():
        before, after = (model.logits(each)[0].double().numpy() for each in final)
    expected = [*(after - before)[list(PIECES)], (after - before).mean()]
    found = cut_into(model, TOKENIZER, run, stack, 1, PIECES, replace(receiver, head=0), entry)[receiver.head, index]
    np.testing.assert_allclose(found, expected, atol=1e-5 * max(1.0, np.abs(before).max()), rtol=1e-3)


@given(any_config)
def test_what_is_read_is_what_the_attention_reads(config: TransformerConfig) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    activations = record_heads(model, run, prepare(run, TOKENIZER), stack)
    for reading in attention_inputs(model, run, stack, activations):
        own = activations[reading.place.prefix + "resid_pre"] if not reading.place.cross else None
        attn_in = execute(model, run, prepare(run, TOKENIZER), [reading.place.prefix + "attn_in"])
        expected = attn_in[reading.place.prefix + "attn_in"][0].double().numpy()
        np.testing.assert_allclose(reading.read.numpy(), expected, atol=1e-4 * max(1.0, np.abs(expected).max()))
        assert own is None or len(reading.parts) == len(reading.without) == stack_heads(run, stack).index(reading.place)


PLAIN = {"norm_position": "none", "d_ff": 0, "residual": True, "qk_norm": False}


@given(
    st.one_of(configs(**PLAIN), parts_of_others(**PLAIN)).filter(lambda config: config.score != "additive"), st.data()
)
def test_shares_are_what_the_scores_lose(config: TransformerConfig, data: st.DataObject) -> None:
    """Without norms and feed-forward layers a head's share of the scores is what they lose without its path."""
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    paths = head_paths(model, TOKENIZER, run, stack)
    later = [head for head in paths.heads if head.layer or head.cross]
    if not later:
        return
    receiver = data.draw(st.sampled_from(later))
    sender = data.draw(
        st.sampled_from([head for head in paths.heads if (head.layer, head.cross) < (receiver.layer, receiver.cross)])
    )
    for index, letter in enumerate("q" if receiver.cross else "qk"):
        number = receiver.head if letter == "q" else run.config.kv_head_of(receiver.head)
        tensor = without(model, run, sender, receiver, letter)[0, number]
        key, seen = receiver.prefix + "scores", receiver.prefix + "masked_scores"
        cut = (Edit(f"{receiver.prefix}{letter}", "replace", tensor, head=number),)
        whole, less = (execute(model, run, prepare(run, TOKENIZER), [key, seen], edits=edits) for edits in ((), cut))
        visible = whole[seen][0, receiver.head].isfinite().numpy()
        scores, lost = (
            np.where(visible, each, np.nan)
            for each in (whole[key][0, receiver.head].double(), (whole[key] - less[key])[0, receiver.head].double())
        )
        scores, lost = (np.nan_to_num(each - np.nanmean(each, -1, keepdims=True)) for each in (scores, lost))
        square = (scores**2).sum()
        found = paths.shares[index, paths.heads.index(receiver), paths.heads.index(sender)]
        assert found * square == pytest.approx((scores * lost).sum(), rel=1e-3, abs=1e-5 * max(1.0, square))


def test_a_part_that_writes_all_of_a_value_has_all_of_its_share() -> None:
    """Without a residual connection a layer reads just the heads before it: their shares of its values sum to 1."""
    config = TransformerConfig("decoder", d_model=8, heads=2, layers=2, residual=False, norm_position="none", d_ff=0)
    run = run_of(config)
    model = build(run.config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                weight.zero_()
    paths = head_paths(model, TOKENIZER, run, "decoder")
    np.testing.assert_allclose(paths.shares[2, 2:, :2].sum(-1), 1, atol=1e-5)
    assert not paths.shares[:, :2].any() and not paths.shares[:, :, 2:].any()


def strongest_path(model_name: str) -> tuple[str, HeadAddress, HeadAddress, float, float]:
    """Return what the strongest path goes into, its two heads, its share, and how the earlier one looks one back."""
    run = run_of_model(model_name, "c f a h k c f a h")
    model, tokenizer = open_run(run)
    paths = head_paths(model, tokenizer, run, "decoder")
    entry, receiver, sender = np.unravel_index(paths.shares.argmax(), paths.shares.shape)
    earlier = paths.heads[sender]
    key = f"{earlier.prefix}pattern"
    pattern = execute(model, run, prepare(run, tokenizer), [key])[key][0, earlier.head]
    return INPUTS[entry], paths.heads[receiver], earlier, paths.shares.max(), float(pattern.diagonal(-1).mean())


RECORDED, LIVE = "recorded:induction-2-layers@3000", [f"lab:induction,seed={seed}@1500" for seed in range(3)]
TRAINED = pytest.mark.skipif(not NIGHTLY, reason="trains a run, a quarter of a minute")


@pytest.mark.parametrize("name", [RECORDED, *(pytest.param(name, marks=TRAINED) for name in LIVE)])
def test_the_known_path_of_induction_is_the_strongest(name: str) -> None:
    """An induction head makes its keys from the head that looks one token back."""
    entry, later, earlier, share, looks_back = strongest_path(name)
    assert entry == "key" and (later.layer, earlier.layer) == (1, 0)
    assert share > 0.9 and looks_back > 0.7


def test_the_estimate_is_the_truth_where_nothing_bends() -> None:
    """A very small path: what follows is linear in it."""
    config = TransformerConfig("decoder", d_model=8, heads=2, layers=2)
    run = run_of(config)
    model = build(run.config)
    with torch.no_grad():
        dict(model.named_parameters())["decoder.0.attn.w_o.weight"].mul_(1e-3)
    estimate = estimated_cuts(model, TOKENIZER, run, "decoder", 3, PIECES[0], PIECES[1])
    for index, entry in enumerate(INPUTS):
        cut = cut_into(model, TOKENIZER, run, "decoder", 3, PIECES, HeadAddress("decoder", 1), entry)
        np.testing.assert_allclose(estimate[index, 2:, :2], cut[..., 0] - cut[..., 1], rtol=0.1, atol=1e-6)
    mean = estimated_cuts(model, TOKENIZER, run, "decoder", 3, PIECES[0], None)
    cut = cut_into(model, TOKENIZER, run, "decoder", 3, PIECES, HeadAddress("decoder", 1), "value")
    np.testing.assert_allclose(mean[2, 2:, :2], cut[..., 0] - cut[..., 2], rtol=0.1, atol=1e-6)


def test_additive_scores_are_refused_in_a_sentence() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=1, score="additive"))
    with pytest.raises(ValueError, match="Additive scores are no sum"):
        head_paths(build(run.config), TOKENIZER, run, "decoder")
