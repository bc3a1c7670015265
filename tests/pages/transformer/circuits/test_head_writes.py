"""The view "what a head writes": its words, the tokens that can be chosen, and models without words."""

from core.topics.circuits.head_words import written_words
from core.topics.circuits.parts import Component
from core.topics.shared.open_run import open_run, run_of_model
from pages.canvas import TokenButtons
from pages.transformer.circuits.page import PAGE
from pages.transformer.circuits.settings import KEY, WORD
from pages.widgets import Message
from tests.pages.views import called_view, opened_run

NAME = "what a head writes"
FRENCH = run_of_model("translator", "The black cat sleeps.", "Le chat noir dort.")


def test_it_opens_with_the_head_that_wrote_the_word_and_what_it_looked_at() -> None:
    said = called_view(PAGE, NAME, opened_run(PAGE)).shown.said
    assert said[0] == "When head 6 of layer 5 looks at “Brown”, it speaks most for “Brown”."
    assert "copying score" in said[2]


def test_a_head_of_cross_attention_speaks_for_the_translation() -> None:
    shown = called_view(PAGE, NAME, FRENCH, {WORD: 3}).shown
    assert shown.said[0] == "When head 4 of layer 3 in cross-attention looks at “black”, it speaks most for “noir”."
    assert len(shown.said) == 2, "no copying score between two languages"


def test_another_token_can_be_looked_at() -> None:
    shown = called_view(PAGE, NAME, FRENCH, {WORD: 3, KEY: 2}).shown
    looked_at = shown.pictures[0]
    assert isinstance(looked_at, TokenButtons) and looked_at.selected == 2 and looked_at.sets
    assert looked_at.sets(1) == {KEY.key: 1}
    model, tokenizer = open_run(FRENCH)
    found = written_words(model, tokenizer, FRENCH, "decoder", 2, Component("cross-attention", 2, 3), 2)
    assert f"“{found.raised[0]}”" in shown.said[0] and "looks at “cat”" in shown.said[0]


def test_a_model_without_logits_says_so() -> None:
    run = opened_run(PAGE, "sentiment-reader")
    assert any(isinstance(part, Message) for part in called_view(PAGE, NAME, run).shown.pictures)
