"""The questions of the lesson about the first token: their answers on either side of each bound."""

from dataclasses import replace

import numpy as np
import pytest

from core.topics.circuits import questions
from core.topics.circuits.first_token import first_token, hidden_losses
from tests.core.topics.questions import asked

TEXT = "The king had a dog, and the dog was old."


def test_the_first_token_is_seen_by_most() -> None:
    truth = questions.seen_by_most(*asked("storyteller", TEXT))
    assert truth.answer == 0 and list(truth.sizes) == list(range(len(truth.labels), 0, -1))
    assert truth.facts["seen"] == truth.facts["tokens"] == len(truth.labels) and truth.facts["least"] == 1
    with pytest.raises(ValueError, match="sees only those before it"):
        questions.seen_by_most(*asked("reader", TEXT))
    with pytest.raises(ValueError, match="at least 4 tokens"):
        questions.seen_by_most(*asked("storyteller", "Hi"))


def test_facts_are_those_of_the_view() -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    found, losses = first_token(model, tokenizer, run, "decoder"), hidden_losses(model, tokenizer, run)
    weight, ratio, loss = (
        function(model, tokenizer, run)
        for function in (questions.strongest_on_first, questions.length_of_value, questions.loss_without_first)
    )
    layer, head = np.unravel_index(found.mean_weights.argmax(), found.mean_weights.shape)
    assert (weight.facts["layer_number"], weight.facts["head_number"]) == (layer + 1, head + 1)
    assert weight.facts["weight"] == found.mean_weights.max() and weight.answer == "more"
    assert ratio.facts["ratio"] == found.value_lengths[layer, head] < 0.5 and ratio.answer == "short"
    assert (loss.facts["whole"], loss.facts["without"]) == (losses.whole, losses.first)
    assert loss.answer == "as-much" and loss.facts["other"] == losses.others.mean()


@pytest.mark.parametrize(("weight", "answer"), [(0.3, "even"), (0.45, "half"), (0.55, "more")])
@pytest.mark.parametrize(("length", "kind"), [(0.4, "short"), (1.9, "alike"), (2.1, "long")])
def test_bounds(weight: float, answer: str, length: float, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    found = first_token(model, tokenizer, run, "decoder")
    made = replace(
        found,
        weights=np.full_like(found.weights, weight),
        even=np.full_like(found.even, 0.2),
        value_lengths=np.full_like(found.value_lengths, length),
    )
    monkeypatch.setattr(questions, "first_token", lambda *where: made)
    assert questions.strongest_on_first(model, tokenizer, run).answer == answer
    assert questions.length_of_value(model, tokenizer, run).answer == kind
