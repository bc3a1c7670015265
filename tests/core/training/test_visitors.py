"""Measuring a translator on visitors' sentences."""

from typing import Any

import pytest

from core.text.pronoun_pairs import PronounPair
from core.training import evaluation, visitors

NOBODY: Any = None  # the model and the tokenizer of a translation that is made up
PAIR = PronounPair(("one", "two"), ("x", "y"), ("il", "elle"))


@pytest.mark.parametrize(
    ("french", "right"),
    [(["parce qu'il est", "parce qu'elle est"], 1), (["parce qu'il est", "parce qu'il est"], 0), (["rien", "rien"], 0)],
)
def test_a_pair_counts_when_both_pronouns_are_right(monkeypatch, french, right):
    monkeypatch.setattr(visitors, "translate", lambda model, tokenizer, texts, width: french * (len(texts) // 2))
    assert visitors.count_right(NOBODY, NOBODY, [PAIR, PAIR]) == 2 * right


def test_perfect_translations_score_full_marks(monkeypatch):
    known = {row.english: row.references[0] for kind in evaluation.KINDS for row in evaluation.sentences(kind, True)}
    said = [each for p in evaluation.second_pairs() for each in zip(p.texts, p.pronouns, strict=True)]
    answers = known | {text: f"qu'{pronoun} est" for text, pronoun in said}
    monkeypatch.setattr(visitors, "translate", lambda model, tokenizer, texts, width: [answers[t] for t in texts])
    scores = visitors.measure_visitors(NOBODY, NOBODY, unseen=True)
    assert all(scores[kind]["chrf"] == 100 for kind in evaluation.KINDS)
    assert all(scores[kind]["kept"] == scores[kind]["of"] for kind in ("names", "numbers"))
    assert scores["pronouns"] == {"both_right": 66, "of": 66}
