"""The residual stream of one token against the trace, sums by hand, and the lens of another module."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from core.checkpoints import shipped
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import build
from core.text.special import SPECIAL
from core.text.symbols import SymbolTokenizer
from core.topics.block.readings.stream import read_turns
from core.topics.block.stream import step_count, stream
from core.topics.generate.views import lens
from core.topics.shared.open_run import run_of_model
from core.tracing.run import Run, execute, prepare
from tests.core.strategies import configs

LETTERS = SymbolTokenizer((*SPECIAL, *"abcdefg"))
CPU = Placement("cpu", "float32")


def run_of(config: TransformerConfig) -> Run:
    return Run("a b c d", replace(config, vocab_size=LETTERS.vocab_size), target="d c", tokenizer="", placement=CPU)


@given(configs(residual=True, norm_position="pre"), st.integers(0, 2))
def test_what_is_added_sums_to_the_stream(config: TransformerConfig, token: int) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    found = stream(model, LETTERS, run, stack, token)
    assert len(found.steps) == step_count(run, stack)
    total = np.sum([step.added for step in found.steps], axis=0)
    np.testing.assert_allclose(found.steps[-1].after, total, atol=1e-4)
    last = f"{stack}.{config.layers - 1}.resid_post"
    seen = execute(model, run, prepare(run, LETTERS), [last])[last][0, token]
    np.testing.assert_allclose(found.steps[-1].after, seen.numpy(), atol=1e-6)


@given(configs(residual=False, norm_position="none"))
def test_without_residuals_each_part_replaces_the_stream(config: TransformerConfig) -> None:
    run = run_of(config)
    for step in stream(build(run.config), LETTERS, run, run.config.stacks[0], 1).steps:
        if step.layer >= 0:
            np.testing.assert_array_equal(step.after, step.added)


@given(configs(norm_position="post", norm="layernorm"))
def test_a_norm_behind_the_sum_shows_in_the_stream_alone(config: TransformerConfig) -> None:
    run = run_of(config)
    steps = stream(build(run.config), LETTERS, run, run.config.stacks[0], 1).steps
    for before, step in pairwise(steps):
        if step.layer >= 0:
            keeps = config.residual or (step.part == "feed-forward" and not config.hidden_width)
            whole = before.after * keeps + step.added
            expected = torch.nn.functional.layer_norm(torch.from_numpy(whole), (len(whole),))
            np.testing.assert_allclose(step.after, expected.numpy(), atol=1e-4)


def test_angle_and_lengths_are_those_of_a_case_by_hand() -> None:
    run = run_of(TransformerConfig("encoder", d_model=2, heads=1, layers=1, positions="none", norm_position="pre"))
    model = build(run.config)
    with torch.no_grad():
        model.embed.weight.fill_(3 / 2**0.5)  # times √2: the vector (3, 3)
        for name, bias in {"attn.w_o": [-3.0, 3.0], "ffn.w_2": [0.0, -2.0]}.items():
            part = model.get_submodule(f"encoder.0.{name}")
            assert isinstance(part, nn.Linear)
            part.weight.zero_()
            part.bias.copy_(torch.tensor(bias))
    embedding, attention, ffn = stream(model, LETTERS, run, "encoder", 0).steps
    assert np.isnan(embedding.angle) and embedding.length == pytest.approx(18**0.5)
    assert attention.angle == pytest.approx(90, abs=1e-3) and attention.size == pytest.approx(18**0.5)
    np.testing.assert_allclose(attention.after, [0, 6], atol=1e-6)
    assert ffn.angle == pytest.approx(180, abs=0.05) and (ffn.size, ffn.length) == pytest.approx((2, 4))
    assert [attention.label, ffn.label] == ["attention 1", "feed-forward 1"]


def test_what_the_stream_says_is_what_the_logit_lens_says() -> None:
    name = "storyteller-small"
    trained, model, tokenizer = shipped.read(name), shipped.load(name, CPU), shipped.tokenizer(name)
    run = run_of_model(name, "Once upon a time there was a")
    ids = prepare(run, tokenizer).rows["decoder"].ids
    other = lens(model, tokenizer, run, ids)
    found = stream(model, tokenizer, run, "decoder", len(ids) - 1)
    for layer in range(trained.config.layers):
        at = max(place for place, step in enumerate(found.steps) if step.layer == layer)
        assert found.heard[at][0] == other.best[layer + 1][-1]
        assert found.heard[at][1] == pytest.approx(float(other.probability[layer + 1][-1]), abs=1e-5)


def test_an_encoder_that_names_no_pieces_says_nothing() -> None:
    run = run_of(TransformerConfig("encoder", d_model=8, heads=2, layers=1))
    assert stream(build(run.config), LETTERS, run, "encoder", 0).heard == ()


def test_a_token_that_is_not_there_is_refused() -> None:
    run = run_of(TransformerConfig("encoder", d_model=8, heads=2, layers=1))
    with pytest.raises(ValueError, match="no token 9: the text has 4"):
        stream(build(run.config), LETTERS, run, "encoder", 9)


def test_the_piece_that_leads_is_named_with_the_step_from_which_it_leads() -> None:
    steps, heard = ["embedding", "attention 1", "attention 2"], [("day", 0.5), ("she", 0.6), ("she", 0.26)]
    assert read_turns("“day”", steps, heard, True) == [
        "Step by step the stream of “day” turns to “she”: from attention 1 on it leads.",
        "At the end it predicts “she” as the next piece, with a chance of 26%.",
    ]
    late = read_turns("“day”", steps, [*heard[:1], ("a", 0.5), ("she", 0.26)], False)
    assert late[0].endswith("turns to “she”: it leads only after attention 2.") and "in this place" in late[1]
    assert read_turns("“day”", steps, [], True) == []
