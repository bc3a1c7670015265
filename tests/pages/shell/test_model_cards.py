"""What ships with each model: scores that are explained, and examples that it reads."""

import pytest

from core.charts.reliability import reliability_data
from core.checkpoints import shipped
from core.checkpoints.examples import examples_of
from core.readings.models import RELIABILITY, SCORES, describe_card, read_reliability
from tests.pages.conftest import Open
from tests.pages.shell.test_model_choice import run


@pytest.mark.parametrize("name", shipped.cards())
def test_every_shipped_card_says_what_its_scores_mean(name: str) -> None:
    card = shipped.cards()[name]
    rows = dict(describe_card(card))
    listed = set(card.scores) - {RELIABILITY}
    assert listed <= set(SCORES)
    assert all(f"{SCORES[key][1]}." in rows[SCORES[key][0]] for key in listed)
    assert rows["What it cannot do"] == card.limits and f"{card.parameters:,} parameters: " in rows["Size"]


@pytest.mark.parametrize("name", shipped.names())
def test_examples_fit_the_models_that_are_shipped(name: str, open_page: Open) -> None:
    tokenizer, config = shipped.tokenizer(name), shipped.read(name).config
    for example in examples_of(name).values():
        assert len(tokenizer.encode(example.text)) < config.max_length
        assert (not config.has_two_stacks) or not example.target or tokenizer.encode(example.target)
    at = open_page(model=name)
    assert not at.error and run(at).model_name == name


def test_a_card_says_how_far_its_probabilities_hold() -> None:
    parts = [{"probability": 0.5, "right": 0.6}, {"probability": 0.97, "right": 0.9}]
    said = read_reliability({"predictions": 1200, "error": 0.0251, "parts": parts})
    assert "a tenth of 1,200 predictions" in said and "2.5 points off on average" in said
    assert said.endswith("where it was surest (97%) it was right in 90%.")
    assert list(reliability_data(parts)["right"]) == pytest.approx([0.6, 0.9])
    calibrated = [card for card in shipped.cards().values() if "its logits are divided by" in card.split]
    assert calibrated and all(RELIABILITY in card.scores for card in calibrated)
