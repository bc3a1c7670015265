"""The questions of the lesson about who wrote a word: their answers are what the views of Circuits compute."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.topics.circuits import word_questions
from core.topics.circuits.attribution import SwitchedOff, attribute, read_by_head
from core.topics.circuits.cut_paths import estimated_cuts
from core.topics.circuits.head_words import written_words
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

TEXT = "The sun was hot and the sky was"


def test_the_kinds_of_parts_add_up_to_the_logit_above_the_mean() -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    truth = word_questions.parts_of_the_sum(model, tokenizer, run)
    inputs = prepare(run, tokenizer)
    logits = execute(model, run, inputs, ["logits"])["logits"][0, -1]
    assert truth.facts["word"] == "“hot”" == f"“{tokenizer.labels([int(logits.argmax())])[0]}”"
    total = sum(float(truth.facts[kind]) for kind in ("heads", "feed_forward", "rest"))
    assert total == pytest.approx(float(logits.max() - logits.mean()), abs=1e-4)
    assert truth.facts["total"] == pytest.approx(total) and truth.answer == "feed-forward"


def test_the_head_and_its_token_are_those_of_the_view() -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    truth = word_questions.read_for_the_word(model, tokenizer, run)
    found = attribute(model, tokenizer, run, "decoder", len(truth.labels) - 1)
    shares = found.shares[:, 0] - found.shares[:, -1]
    heads = [index for index, part in enumerate(found.parts) if part.head is not None]
    best = max(heads, key=lambda index: shares[index])
    assert truth.facts["part_number"] == best and truth.facts["share"] == pytest.approx(shares[best])
    read = read_by_head(model, tokenizer, run, "decoder", found.token, found.parts[best], found.candidates.ids)
    by_token = read.shares[:, 0] - read.shares[:, -1]
    assert truth.answer == int(by_token.argmax()) == 3 and truth.facts["read"] == "“hot”"
    np.testing.assert_allclose(truth.sizes, by_token)
    assert truth.facts["weight"] == pytest.approx(float(read.weights[3]))


@pytest.mark.parametrize(("ratio", "answer"), [(0.4, "less"), (-1.0, "less"), (1.0, "as-much"), (1.6, "more")])
def test_what_is_lost_is_held_against_the_share(ratio: float, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    real = word_questions.word_without_head(model, tokenizer, run)
    share, total = real.facts["share"], word_questions.parts_of_the_sum(model, tokenizer, run).facts["total"]
    assert real.answer == "as-much" and 0.5 < real.facts["lost"] / share < 1.5
    left = np.array([total - ratio * share, 0.0])
    monkeypatch.setattr(word_questions, "switch_off", lambda *where: SwitchedOff(left, left))
    made = word_questions.word_without_head(model, tokenizer, run)
    assert made.answer == answer and made.facts["lost"] == pytest.approx(ratio * share)
    assert made.facts["size"] == pytest.approx(abs(ratio * share))
    assert made.facts["way"] == ("falls" if ratio > 0 else "rises")


def test_the_strongest_path_is_that_of_the_estimates() -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    truth = word_questions.strongest_path(model, tokenizer, run)
    token = len(prepare(run, tokenizer).rows["decoder"]) - 1
    ids = attribute(model, tokenizer, run, "decoder", token).candidates.ids
    estimates = np.abs(estimated_cuts(model, tokenizer, run, "decoder", token, ids[0], None))
    assert truth.answer == "key" and estimates[1].max() == estimates.max()
    assert (truth.facts["later"], truth.facts["earlier"]) == ("layer 5 · head 4", "layer 4 · head 1")
    assert truth.facts["into"] == "keys" and truth.facts["way"] == "falls" and truth.facts["change"] > 0.5


def test_a_head_that_copies_raises_what_it_looks_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    truth = word_questions.raised_where_it_looks(model, tokenizer, run)
    part = attribute(model, tokenizer, run, "decoder", 7).parts[truth.facts["part_number"]]
    found = written_words(model, tokenizer, run, "decoder", 7, part, 3)
    assert found.weights.argmax() == 3 and found.labels[3].endswith("hot")
    assert truth.answer == "most" and truth.facts["raised"] == "“hot”" == f"“{found.raised[0]}”"
    assert truth.facts["lowered"] == f"“{found.lowered[0]}”" and truth.facts["looked_at"] == "“hot”"
    assert truth.facts["raised_by"] == pytest.approx(float(found.raised_by[0]))
    for raised, answer in ((("cold", "hot"), "among"), (("cold", "loose"), "no")):
        made = replace(found, raised=raised)
        monkeypatch.setattr(word_questions, "written_words", lambda *where, made=made: made)
        assert word_questions.raised_where_it_looks(model, tokenizer, run).answer == answer


def test_texts_and_models_that_do_not_suit_are_refused() -> None:
    with pytest.raises(ValueError, match="goes on with a text"):
        word_questions.parts_of_the_sum(*asked("reader", TEXT))
    with pytest.raises(ValueError, match="at least 2 tokens"):
        word_questions.read_for_the_word(*asked("storyteller", "Hi"))
    model, tokenizer, run = asked("storyteller", TEXT)
    padded: Any = replace(run, pads=2)
    plain = word_questions.parts_of_the_sum(model, tokenizer, run)
    assert word_questions.parts_of_the_sum(model, tokenizer, padded).facts["word"] == plain.facts["word"]
