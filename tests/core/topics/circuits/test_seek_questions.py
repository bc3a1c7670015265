"""The question of what a head looks for: its answer is the view's, on both sides of the bound."""

from dataclasses import replace

import numpy as np
import pytest

from core.model.transformer import build
from core.topics.circuits import seek_questions
from core.topics.circuits.attribution import attribute
from core.topics.circuits.looked_for import looked_for
from core.topics.circuits.seek_questions import place_or_word
from core.topics.shared.places import HeadAddress
from tests.core.topics.questions import asked

TEXT = "The king had a dog, and the dog was old"


def test_one_head_of_the_storyteller_goes_by_place_and_one_by_the_word() -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    for layer, head, answer in ((4, 1, "place"), (2, 3, "word"), (99, 99, "word")):
        truth = place_or_word(model, tokenizer, run, layer, head)
        place = HeadAddress("decoder", min(layer, 6) - 1, min(head, 8) - 1)
        found = looked_for(model, tokenizer, run, place, len(run.text.split()))  # the comma is a token, too
        assert truth.answer == answer
        assert truth.facts["by_place"] == found.distance_range and truth.facts["by_word"] == found.here_by[0]
        assert truth.facts["fitting"] == f"“{found.here[0]}”"
        part = attribute(model, tokenizer, run, "decoder", 0).parts[truth.facts["part_number"]]
        assert part.place("decoder") == place


@pytest.mark.parametrize(("far", "answer"), [(1.9, "word"), (2.1, "place")])
def test_the_larger_difference_decides(far: float, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer, run = asked("storyteller", TEXT)
    found = looked_for(model, tokenizer, run, HeadAddress("decoder"), 3)
    made = replace(found, by_distance=np.array([-far, 0.0]), here_by=np.array([2.0, 1.0]))
    monkeypatch.setattr(seek_questions, "looked_for", lambda *where: made)
    assert place_or_word(model, tokenizer, run, 1, 1).answer == answer


def test_texts_and_models_that_do_not_suit_are_refused() -> None:
    with pytest.raises(ValueError, match="goes on with a text"):
        place_or_word(*asked("reader", TEXT), 1, 1)
    with pytest.raises(ValueError, match="at least 4 tokens"):
        place_or_word(*asked("storyteller", "Hi"), 1, 1)
    _, tokenizer, run = asked("storyteller", TEXT)
    run = replace(run, source=None, config=replace(run.config, positions="sinusoidal"))
    with pytest.raises(ValueError, match="how far apart two tokens are"):
        place_or_word(build(run.config), tokenizer, run, 1, 1)
