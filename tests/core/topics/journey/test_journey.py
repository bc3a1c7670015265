"""The journey's record: every stage is a window of the tensor that a plain trace records at the same key."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.device import Placement
from core.model.config import TransformerConfig
from core.model.masks import CausalMask, PaddingMask
from core.readings.patterns import read_pattern
from core.text.tokenizer import Tokenizer
from core.topics.journey.stages import MAX_COLUMNS, MAX_ROWS, journey, stage_keys
from core.topics.journey.words import read_head
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress, token_rows
from core.tracing.run import Run, execute, prepare
from core.tracing.sites import axis_sizes
from tests.core.strategies import configs

TOKENIZER = Tokenizer.load("unigram-1000")
CPU = Placement("cpu", "float32")
TEXT, TARGET = "the cat sat on the mat", "a dog"


def run_of(config: TransformerConfig, text: str = TEXT, **fields: Any) -> Run:
    config = replace(config, vocab_size=TOKENIZER.vocab_size, max_length=512)
    target = TARGET if config.has_two_stacks else ""
    return Run(text, config, target, "unigram-1000", placement=CPU, **fields)


def places(config: TransformerConfig) -> list[HeadAddress]:
    last = (config.layers - 1, config.heads - 1)
    found = [HeadAddress(stack, *last) for stack in config.stacks]
    return [*found, HeadAddress("decoder", *last, cross=True)] if config.has_two_stacks else found


def sized(config: TransformerConfig) -> TransformerConfig:
    """Binary positions up to 512 tokens need nine bits."""
    return replace(config, d_model=12 * config.heads) if config.positions == "binary" else config


@settings(max_examples=25)
@given(configs(), st.data())
def test_every_stage_is_a_window_of_the_traced_tensor(config: TransformerConfig, data: st.DataObject) -> None:
    config = sized(config)
    run, place = run_of(config), data.draw(st.sampled_from(places(config)))
    model = loading.fresh_model(run.config, CPU)
    record = journey(model, TOKENIZER, run, place)
    inputs = prepare(run, TOKENIZER)
    keys = stage_keys(run, place)
    seen = execute(model, run, inputs, set(keys.values()))
    asking, asked = token_rows(inputs, place)
    lengths = axis_sizes(run.config, len(asking), len(asked))
    assert record.stages.keys() == keys.keys()
    for name, stage in record.stages.items():
        whole = seen[stage.key][0]
        whole = whole[place.head] if whole.dim() == 3 else whole
        assert stage.shape == tuple(whole.shape)
        if name != "memory":
            assert stage.shape == tuple(lengths[axis] for axis in stage.axes)
        np.testing.assert_array_equal(stage.values, whole[:MAX_ROWS, :MAX_COLUMNS].numpy())
    np.testing.assert_array_equal(record.patterns, seen[keys["pattern"]][0].numpy())
    pattern = record.stages["pattern"].values
    assert read_head(record)[1] == read_pattern(pattern, asking.labels, asked.labels if place.cross else None)


@pytest.mark.parametrize("architecture", ["encoder", "decoder", "encoder-decoder"])
def test_the_stages_follow_from_each_other(architecture: str) -> None:
    config = TransformerConfig(architecture=architecture, d_model=16, heads=2, layers=2)
    run = run_of(config)
    model = loading.fresh_model(run.config, CPU)
    for place in places(config):
        stages = {name: stage.values for name, stage in journey(model, TOKENIZER, run, place).stages.items()}
        close: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}
        np.testing.assert_allclose(stages["embed"] + stages["pos"], stages["entered"], **close)
        np.testing.assert_allclose(stages["q"] @ stages["k"].T, stages["raw_scores"], **close)
        np.testing.assert_allclose(stages["raw_scores"] / np.sqrt(8), stages["scores"], **close)
        np.testing.assert_allclose(stages["pattern"] @ stages["v"], stages["z"], **close)
        np.testing.assert_allclose(stages["pattern"].sum(-1), 1, **close)
        added = stages["stream"] + stages["attn_out"]
        normal = (added - added.mean(-1, keepdims=True)) / np.sqrt(added.var(-1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(normal, stages["resid_mid"], **close)


def test_long_and_wide_tensors_are_cut_and_keep_their_shape() -> None:
    run = run_of(TransformerConfig(d_model=128, heads=2, layers=1), "cat " * 60)
    record = journey(loading.fresh_model(run.config, CPU), TOKENIZER, run, HeadAddress())
    count = len(record.tokens)
    assert count > MAX_ROWS
    assert (record.stages["embed"].values.shape, record.stages["embed"].shape) == (
        (MAX_ROWS, MAX_COLUMNS),
        (count, 128),
    )
    assert (record.stages["pattern"].values.shape, record.stages["pattern"].shape) == (
        (MAX_ROWS, MAX_ROWS),
        (count, count),
    )
    assert record.patterns.shape == (2, MAX_ROWS, MAX_ROWS)


def test_the_next_pieces_come_after_the_last_real_token() -> None:
    config = TransformerConfig(architecture="decoder", d_model=16, heads=2, layers=1)
    run = run_of(config, masks=(CausalMask(), PaddingMask()), pads=3)
    model = loading.fresh_model(run.config, CPU)
    record = journey(model, TOKENIZER, run, HeadAddress("decoder"))
    alone = run_of(config)
    logits = execute(model, alone, prepare(alone, TOKENIZER), ()).output[0, -1]
    best = torch.softmax(logits, -1).topk(10)
    assert record.last == len(record.tokens) - 4
    assert [piece for piece, _ in record.next_pieces] == list(TOKENIZER.labels(best.indices.tolist()))
    np.testing.assert_allclose([probability for _, probability in record.next_pieces], best.values, rtol=1e-4)


def test_an_encoder_predicts_no_next_piece_and_empty_rows_are_said() -> None:
    run = run_of(TransformerConfig(d_model=16, heads=2, layers=1), masks=(PaddingMask(),), pads=2)
    record = journey(loading.fresh_model(run.config, CPU), TOKENIZER, run, HeadAddress())
    assert record.next_pieces == ()
    assert len(read_head(record)) == (3 if not record.patterns[0].any(-1).all() else 2)
