"""core.topics.scaling.questions: each answer is the one that a softmax of the head's own dot products gives."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.model.config import TransformerConfig
from core.model.transformer import build
from core.topics.scaling import questions
from core.topics.scaling.opening import scaled_place
from core.topics.self_attention.one_head import head
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from tests.core.topics.questions import asked

TEXTS = ("The hungry wolf ran through the dark forest", "My grandmother baked a cake, and the cat ate the cake.")
every_text = pytest.mark.parametrize("text", TEXTS)


def products(text: str) -> tuple[np.ndarray, int]:
    """The dot products q·k of the head that is shown, −∞ for later keys, and d_k."""
    model, tokenizer, run = asked("storyteller", text)
    record = head(model, tokenizer, run, scaled_place(model, tokenizer, run, HeadAddress("decoder")))
    assert record.q_rotated is not None and record.k_rotated is not None
    q, k = record.q_rotated, record.k_rotated
    return np.where(np.tri(len(q), dtype=bool), q @ k.T, -np.inf), q.shape[1]


@every_text
def test_without_scaling_the_largest_weight_grows(text: str) -> None:
    truth = questions.without_scaling(*asked("storyteller", text))
    raw, width = products(text)
    assert truth.answer == "sharper" and truth.facts["width"] == width == 40
    for name, factor in (("plain", 1.0), ("scaled", 1 / math.sqrt(width))):
        weights = torch.from_numpy(raw * factor).softmax(-1)
        assert truth.facts[name] == pytest.approx(float(weights.amax(-1).mean()), abs=1e-4)
        assert np.isclose(weights.numpy(), truth.facts[f"{name}_weight"], atol=1e-4).any()
    assert truth.facts["plain_weight"] > truth.facts["scaled_weight"]


@every_text
def test_the_gaps_of_the_formula_are_those_of_the_paper(text: str) -> None:
    truth = questions.attention_formula(*asked("storyteller", text))
    raw, width = products(text)
    facts = truth.facts
    assert truth.answer == ("root", "v")
    assert facts["raw"] / math.sqrt(width) == pytest.approx(facts["score"], rel=1e-4)
    assert np.isclose(raw, facts["raw"], atol=1e-3).any()


def test_small_scores_would_become_flatter_if_d_k_were_less_than_one_number() -> None:
    """With d_k = 1 the division changes nothing, which the function must see."""
    config = TransformerConfig(vocab_size=8000, d_model=8, heads=2, layers=1, d_k=1, architecture="decoder")
    run = Run("the old king", config)
    truth = questions.without_scaling(build(config), asked("translator", "the")[1], run)
    assert truth.answer == "same" and truth.facts["root"] == 1


def test_texts_and_models_that_do_not_suit_the_question_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two tokens"):
        questions.without_scaling(*asked("storyteller", "Hi"))
    model, tokenizer, run = asked("storyteller", TEXTS[0])
    plain = replace(run, config=replace(run.config, score="dot"))
    for question in (questions.without_scaling, questions.attention_formula):
        with pytest.raises(ValueError, match="This question needs a model that divides"):
            question(model, tokenizer, plain)
