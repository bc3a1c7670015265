"""What a page opens with shows what the page says of it."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from pages.canvas import Matrices, Panel, TokenButtons
from pages.comparisons.sentiment import queries as verdicts
from pages.transformer.block import queries as block
from pages.widgets import Columns, Part
from tests.pages.house import BY_ADDRESS
from tests.pages.views import CalledView, called_view, opened_run


def panels(parts: Sequence[Part]) -> Sequence[Panel]:
    """Of the first map among these parts, also beside others."""
    inner = [
        each
        for part in parts
        for each in ([one for column in part.columns for one in column] if isinstance(part, Columns) else [part])
    ]
    return next(part.panels for part in inner if isinstance(part, Matrices))


def opens(address: str, view: str, model: str = "") -> CalledView:
    page = BY_ADDRESS[address]
    return called_view(page, view, opened_run(page, model))


def test_the_review_turns_after_but() -> None:
    run = opened_run(BY_ADDRESS["sentiment"])
    found = verdicts.growing_verdict(run)
    at = found.words.index("but")
    assert run.model_name == "sentiment-reader"
    assert (found.probabilities[: at + 1] < 0.25).all() and found.probabilities[-1] > 0.9
    said = opens("sentiment", "verdict").shown.said[0]
    assert said.startswith("Word by word, the verdict flipped once to “positive”")


def test_the_patched_word_turns_she_to_he() -> None:
    found = opens("block", "patch").shown
    (panel,) = panels(found.pictures)
    assert "“she”" in found.said[1] and "“he”" in found.said[1]
    assert panel.rows[8] == "8:girl → boy" and np.nanmax(panel.values[8]) > 0.9


@pytest.mark.parametrize(
    ("model", "text"), [("storyteller", "The king was old and he was good. Then"), ("storyteller-small", "a cat")]
)
def test_a_text_of_ones_own_is_compared_with_the_one_that_turns_most(model: str, text: str) -> None:
    page = BY_ADDRESS["block"]
    run = block.short(opened_run(page, model, text))
    stack = run.config.stacks[-1]
    chosen = block.telling_counterpart(run, stack, 0)
    assert chosen and chosen != text
    others = block.counterparts(run.model_name, text)
    far = [block._parted(run, other, stack, 0) for other in others]
    assert block._parted(run, chosen, stack, 0) == max(far)


def test_the_forced_ball_becomes_a_book() -> None:
    headline, said = opens("translate", "force it").shown.said
    assert headline == "Where it wrote “balle”, the model now writes “livre”." and said.startswith("With all heads")


@pytest.mark.parametrize("text", [None, "The black cat sleeps on the red chair.", "Two dogs run on the beach."])
def test_a_translation_of_ones_own_is_another_than_the_models(text: str | None) -> None:
    page = BY_ADDRESS["translate"]
    shown = called_view(page, "your French", opened_run(page, text=text)).shown
    yours, own = ([token.piece for token in part.tokens] for part in shown.pictures if isinstance(part, TokenButtons))
    assert yours != own and "Another translation" in str(shown.pictures[0])
    word = re.findall("“([^”]*)”", shown.said[0])[0]
    assert word in yours and word.isalpha()
