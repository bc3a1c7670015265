"""core.topics.positions.questions: order is noticed where positions are told, and nowhere else."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core.model.layers import Block
from core.topics.positions import questions
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

TEXTS = (
    "The dog bit the man.",
    "My grandmother baked an extraordinary cake, and the cat ate the cake.",
    "Yesterday the old teacher opened the window because it was hot.",
    "Hi there",
)
each_text = pytest.mark.parametrize("text", TEXTS)


@each_text
@pytest.mark.parametrize("seed", [0, 3])
def test_without_positions_nothing_changes_but_rounding(text: str, seed: int) -> None:
    truth = questions.without_positions(*asked("translator", text), seed=seed)
    assert truth.answer == "moves" and truth.facts["largest"] < 1e-4 < truth.facts["size"]
    assert sorted(truth.facts["before"].split()) == sorted(truth.facts["after"].split())
    assert truth.facts["before"] != truth.facts["after"]


@each_text
def test_with_positions_every_token_changes(text: str) -> None:
    truth = questions.changed_tokens(*asked("translator", text))
    assert truth.answer == "all" and truth.facts["changed"] == truth.facts["tokens"]


@each_text
def test_a_trained_encoder_without_positions_changes_nothing(text: str) -> None:
    assert questions.changed_tokens(*asked("sentiment", text)).answer == "none"


@each_text
def test_sinusoids_are_added_to_the_tokens(text: str) -> None:
    model, tokenizer, run = asked("translator", text)
    truth = questions.told_by(model, tokenizer, run)
    assert truth.answer == "vector" and truth.facts["numbers"] == 256
    keys = ["encoder.embed", "encoder.0.resid_pre"]
    seen = execute(model, run, prepare(run, tokenizer), keys)
    added = (seen[keys[1]] - seen[keys[0]])[0]
    angles = torch.arange(len(added))[:, None] / 10000 ** (torch.arange(0, 256, 2) / 256)
    assert torch.allclose(added[:, ::2], angles.sin(), atol=1e-4) and truth.facts["most"] <= 1 + 1e-4


def test_a_model_that_turns_queries_and_keys_adds_nothing() -> None:
    assert questions.told_by(*asked("storyteller", TEXTS[0])).answer == "later"
    assert questions.told_by(*asked("reader", TEXTS[0])).answer == "vector"


@pytest.mark.parametrize(
    ("kind", "answer"), [("sinusoidal", "distance"), ("binary", "place"), ("learned", "place"), ("none", "nothing")]
)
def test_only_of_sinusoids_the_distance_alone_decides(kind: str, answer: str) -> None:
    truth = questions.alike_by_distance(*asked("translator", "a"), kind=kind)
    assert truth.answer == answer
    if kind == "sinusoidal":
        expected = sum(math.cos(1 / 10000 ** (number / 64)) for number in range(0, 64, 2))
        assert truth.facts["near"] == pytest.approx(expected, abs=1e-3)
        assert truth.facts["near_later"] == pytest.approx(expected, abs=1e-3) and truth.facts["same"] == 32


@each_text
@pytest.mark.parametrize("head", [1, 2, 4])
def test_the_largest_part_of_the_scores_is_found(text: str, head: int) -> None:
    model, tokenizer, run = asked("translator", text)
    truth = questions.largest_term(model, tokenizer, run, head=head)
    assert truth.answer == max(truth.facts, key=lambda name: truth.facts[name])
    block, inputs = model.get_submodule("encoder.0"), prepare(run, tokenizer)
    assert isinstance(block, Block)
    seen = execute(model, run, inputs, ["encoder.embed", "encoder.0.resid_pre"])
    summed = seen["encoder.0.resid_pre"][0]
    norm = block.norm_attn
    assert isinstance(norm, nn.LayerNorm)
    spread = (summed.var(-1, unbiased=False, keepdim=True) + norm.eps).sqrt()

    def part(vectors: torch.Tensor) -> float:
        centred = (vectors - vectors.mean(-1, keepdim=True)) / spread * norm.weight
        chosen = slice(64 * (head - 1), 64 * head)
        q, k = (centred @ weight.weight[chosen].T for weight in (block.attn.w_q, block.attn.w_k))
        return float((q @ k.T).square().mean().sqrt())

    with torch.inference_mode():
        assert truth.facts["words"] == pytest.approx(part(seen["encoder.embed"][0]), rel=1e-2)


def test_texts_and_models_that_do_not_suit_are_refused() -> None:
    for ask in (questions.without_positions, questions.changed_tokens):
        with pytest.raises(ValueError, match="at least two words"):
            ask(*asked("translator", "Hi"))
    with pytest.raises(ValueError, match="adds a vector of the position"):
        questions.largest_term(*asked("storyteller", "the cat"), head=1)


def test_a_text_in_which_other_tokens_change_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer, run = asked("translator", TEXTS[0])
    found = questions.shuffled(model, tokenizer, run, 0)
    some = np.zeros(len(found.apart))
    some[0] = found.size
    monkeypatch.setattr(questions, "shuffled", lambda *arguments: replace(found, apart=some))
    with pytest.raises(ValueError, match="This question needs"):
        questions.changed_tokens(model, tokenizer, run)
    moved = np.where([label.endswith(")") for label in found.labels], 0.0, found.size)  # all but "(end)"
    monkeypatch.setattr(questions, "shuffled", lambda *arguments: replace(found, apart=moved))
    assert questions.changed_tokens(model, tokenizer, run).answer == "moved"
