"""A logit as a sum over the parts of a model, against the model's own logits and against edits of the stream."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import build
from core.text.special import SPECIAL
from core.text.symbols import SymbolTokenizer
from core.topics.circuits.attribution import attribute, read_by_head, switch_off
from core.topics.circuits.parts import BIASES
from core.tracing.edits import Edit
from core.tracing.run import Run, execute, prepare
from tests.core.strategies import configs, parts_of_others

LETTERS = SymbolTokenizer((*SPECIAL, *"abcdefg"))
CPU = Placement("cpu", "float32")
any_config = st.one_of(configs(), parts_of_others())


def run_of(config: TransformerConfig) -> Run:
    config = replace(config, vocab_size=LETTERS.vocab_size)
    return Run("a b c d", config, target="d c a", tokenizer="", placement=CPU)


def has_logits(config: TransformerConfig) -> bool:
    return "decoder" in config.stacks or config.masked_head or config.tied


@given(any_config.filter(has_logits), st.integers(0, 2))
def test_the_parts_sum_to_the_logits(config: TransformerConfig, token: int) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    found = attribute(model, LETTERS, run, stack, token)
    final = execute(model, run, prepare(run, LETTERS), [f"{stack}.final"])[f"{stack}.final"]
    with torch.inference_mode():
        logits = model.logits(final[:, token])[0].double().numpy()
    expected = [*logits[list(found.candidates.ids)], logits.mean()]
    np.testing.assert_allclose(found.shares.sum(0), expected, rtol=1e-5, atol=1e-5 * max(1, np.abs(found.shares).max()))
    np.testing.assert_allclose(found.candidates.logits, expected[:-1], rtol=1e-5, atol=1e-5)
    assert found.parts[-1].kind == BIASES and len(set(found.parts)) == len(found.parts)


@given(any_config.filter(has_logits), st.data())
def test_a_heads_share_is_the_sum_over_the_tokens_it_read(config: TransformerConfig, data: st.DataObject) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    found = attribute(model, LETTERS, run, stack, 1)
    heads = [index for index, part in enumerate(found.parts) if part.head is not None]
    index = data.draw(st.sampled_from(heads))
    read = read_by_head(model, LETTERS, run, stack, 1, found.parts[index], found.candidates.ids)
    if config.sink_logits:
        assert 0 < read.weights.sum() < 1
    else:
        np.testing.assert_allclose(read.weights.sum(), 1, atol=1e-5)
    np.testing.assert_allclose(read.shares.sum(0), found.shares[index], atol=1e-5 * max(1, np.abs(found.shares).max()))


def test_the_last_parts_share_is_what_the_logit_loses_without_it() -> None:
    """Without a norm nothing reacts to the last feed-forward layer: its share is the whole change."""
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=2, norm_position="none", positions="none"))
    model = build(run.config)
    found = attribute(model, LETTERS, run, "decoder", 2)
    last = next(index for index, part in enumerate(found.parts) if (part.kind, part.layer) == ("feed-forward", 1))
    off = switch_off(model, LETTERS, run, "decoder", 2, found.parts[last], found.candidates.ids)
    changes = [*found.candidates.logits, found.candidates.mean_logit] - off.here
    np.testing.assert_allclose(changes, found.shares[last], atol=1e-5)


def test_switching_off_is_the_edit_of_a_run() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=2))
    model = build(run.config)
    found = attribute(model, LETTERS, run, "decoder", 2)
    part = next(part for part in found.parts if (part.layer, part.head) == (0, 1))
    off = switch_off(model, LETTERS, run, "decoder", 2, part, found.candidates.ids)
    edited = replace(run, edits=(Edit("decoder.0.z", "zero", head=1),))
    logits = execute(model, edited, prepare(edited, LETTERS), ["logits"])["logits"][0, 2].numpy()
    np.testing.assert_allclose(off.everywhere[:-1], logits[list(found.candidates.ids)], atol=1e-5)
    with pytest.raises(ValueError, match="The embedding cannot be switched off"):
        found.parts[0].switch_off("decoder", None)


def test_the_candidates_hold_the_piece_that_the_text_has() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=1))
    found = attribute(build(run.config), LETTERS, run, "decoder", 1)
    written = found.candidates.written
    assert written is not None and found.candidates.ids[written] == LETTERS.encode("a b c d").ids[2]
    assert list(found.candidates.logits[:6]) == sorted(found.candidates.logits[:6], reverse=True)
    end = attribute(build(run.config), LETTERS, run, "decoder", 3)
    assert end.candidates.written is None


def test_a_token_that_is_not_there_is_a_sentence() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=1))
    with pytest.raises(ValueError, match="There is no token 9"):
        attribute(build(run.config), LETTERS, run, "decoder", 9)
