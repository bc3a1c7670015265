"""core.topics.sequence_to_sequence.questions: the answer is the one that the cards give."""

import json
from types import MappingProxyType

import pytest

from core.checkpoints.shipped import MODELS_FOLDER
from core.topics.sequence_to_sequence import questions
from tests.core.topics.questions import asked


def test_the_translator_with_one_vector_falls_most() -> None:
    truth = questions.falls_most(*asked("translator", "The dog sleeps."))
    falls = {}
    for name, short in (("rnn-bottleneck", "bottleneck"), ("rnn-attention", "additive"), ("translator", "transformer")):
        card = json.loads((MODELS_FOLDER / name / "card.json").read_text())
        scores = [bucket["bleu"] for bucket in card["scores"]["bleu_by_source_words"].values()]
        falls[short] = scores[0] - scores[-1]
        assert [truth.facts[f"{short}_short"], truth.facts[f"{short}_long"]] == [scores[0], scores[-1]]
        assert truth.facts[f"{short}_fall"] == pytest.approx(falls[short])
    assert truth.answer == max(falls, key=falls.__getitem__) == "bottleneck"


def test_missing_scores_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions.shipped, "cards", lambda: MappingProxyType({}))
    with pytest.raises(ValueError, match="scores of all three translators"):
        questions.falls_most(*asked("translator", "The dog sleeps."))
