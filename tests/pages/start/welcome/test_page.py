"""The first page: the trained translator's own numbers, a word that is changed, and any text."""

import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.decoding.sampling import GREEDY
from core.topics.generate import setup, texts, views
from core.topics.generate.records import NO_INTERVENTION
from core.topics.shared.run_from_choices import chosen_of
from core.topics.welcome.scene import scene
from pages.start.welcome.page import PAGE
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, behind, pictures, said
from tests.pages.sentences import run_for, show

FILE = "pages/start/welcome/page.py"


def bridge(at: AppTest) -> Any:
    return pictures(at, "welcome-bridge")[0]


def test_the_first_page_is_the_translators_own_attention(open_page: Open) -> None:
    at = open_page(FILE)
    model, tokenizer, run = behind(at)
    assert run.model_name == "translator" and not at.error
    written = texts.generate_tokens(model, tokenizer, run, GREEDY, (), 60, NO_INTERVENTION, ())
    begun = setup.start_ids(tokenizer, run)
    seen = views.attentions(model, tokenizer, run, (*begun, *(each.chosen for each in written)))
    shown = bridge(at)
    expected = scene(seen, len(begun))
    np.testing.assert_allclose(shown["values"][0], expected.weights, atol=1e-6)
    assert tuple(shown["written"]) == expected.written and tuple(shown["read"]) == expected.read


def test_the_first_sentence_names_two_words_and_the_order_that_turns(open_page: Open) -> None:
    told = said(open_page(FILE))
    assert re.search(r"To write “rouge”\\, the model gives \d\d\\% of its attention to “red”", told)
    assert "The order turns\\: “red chair” becomes “chaise rouge”" in told


@pytest.mark.parametrize(
    "text",
    [
        "Hello world",  # “est au”: function words
        "ChatGPT is a large language model.",  # “modèle de”: one function word
        "El perro come pan.",  # “personne âgée”: content words, but the page says that the model is unsure
    ],
)
def test_no_order_is_said_to_turn_where_the_words_are_no_translations(text: str) -> None:
    assert "The order turns" not in headline(text)


@pytest.mark.parametrize(
    ("text", "said_of"),
    [
        ("Where is the library?", "“bibliothèque”"),  # not “est”, which looks at “the”
        ("These potatoes are still hot.", "“terre”"),
        ("A man with a blue hat is reading.", "“blue hat” becomes “chapeau bleu”"),
        ("She has a big white house.", "“white house” becomes “maison blanche”"),
    ],
)
def test_the_headline_is_about_words_that_carry_content(text: str, said_of: str) -> None:
    assert said_of in headline(text)


def headline(text: str) -> str:
    first, *_ = show(PAGE, PAGE.views[0], run_for(PAGE, text), {}).takeaway
    return first


def test_a_lost_word_is_asked_after_below_the_headline() -> None:
    takeaway = show(PAGE, PAGE.views[0], run_for(PAGE, "My sister Maria lives in Berlin."), {}).takeaway
    assert takeaway[1:] == ["Is “Maria” in the translation? No written noun, verb or the like looked clearly at it."]
    there = show(PAGE, PAGE.views[0], run_for(PAGE, "The quick brown fox jumps over the lazy dog."), {}).takeaway
    assert len(there) == 1  # “renard” stands there, though it looked most at “quick”


def test_one_word_is_changed_and_the_translation_follows(open_page: Open) -> None:
    at = open_page(FILE)
    at.button(key="welcome-second").click().run()
    first, words = at.session_state["visit"].run.text, bridge(at)["written"]
    at.button(key="welcome-swap").click().run()
    second, others = at.session_state["visit"].run.text, bridge(at)["written"]
    (before,) = set(first.split()) - set(second.split())
    assert before == "tired." and words != others
    assert words[bridge(at)["opened"]] == "qu'il" and others[bridge(at)["opened"]] == "qu'elle"
    assert "“qu\\'il”" in said(at) and "“qu\\'elle”" in said(at) and "Of 66 pairs like this one" in said(at)
    at.button(key="welcome-swap").click().run()
    assert at.session_state["visit"].run.text == first and bridge(at)["written"] == words


def test_a_text_of_ones_own_has_lines_and_no_button(open_page: Open) -> None:
    at = open_page(FILE, t="I have never seen the sea.")
    assert not at.error and len(bridge(at)["written"]) > 3
    assert not [button for button in at.button if button.key == "welcome-swap"]


@pytest.mark.parametrize("text", [HOSTILE, "a", "word " * 400, ""])
def test_any_text_leaves_the_page_standing(text: str, open_page: Open) -> None:
    at = open_page(FILE, t=text)
    assert bool(pictures(at, "welcome-bridge")) == bool(text) and "<script" not in said(at).replace("\\<script", "")
    assert bool(at.error) == (text == "")


def test_random_weights_have_the_sizes_of_the_translator(open_page: Open) -> None:
    at = open_page(FILE)
    trained = at.session_state["visit"].run.config
    at.button(key="welcome-random").click().run()
    run = at.session_state["visit"].run
    assert not run.is_trained and chosen_of(run.config) == chosen_of(trained)
    assert "random weights" in said(at)
    at.button(key="back-to-trained").click().run()
    assert at.session_state["visit"].run.model_name == "translator" and "These are" not in said(at)
