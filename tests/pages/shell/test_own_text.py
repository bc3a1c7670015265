"""A sentence of one's own: what the model has read, what is said of a hard one, and sentences that work."""

import pytest

from core.checkpoints import shipped
from core.checkpoints.firing import load_pool
from core.checkpoints.sentences import BEGINNING_WORDS, known_sentences
from pages.compute import own_text
from pages.shell.settings import PAGE_MODEL, TEXT
from tests.pages.conftest import Open
from tests.pages.screen import said

START, TRANSLATE, SEVERAL, TOKENS, GENERATE = (
    f"pages/{path}/page.py"
    for path in (
        *("start/welcome", "transformer/translate", "comparisons/sequence_to_sequence", "words/tokens"),
        "transformer/generate",
    )
)
READ = "This model has read everyday sentences and captions of pictures."


@pytest.mark.parametrize("path", [START, TRANSLATE, SEVERAL])
def test_a_page_that_translates_says_what_the_model_has_read(path: str, open_page: Open) -> None:
    told = said(open_page(path, model=PAGE_MODEL))
    assert READ in told and "Capitals are read" not in told and "small pieces" not in told


def test_other_pages_do_not(open_page: Open) -> None:
    assert "This model has read" not in said(open_page(TOKENS))


def test_a_storyteller_says_what_it_has_read_and_reads_capitals_as_they_are(open_page: Open) -> None:
    at = open_page(GENERATE, t="THE OLD KING")
    assert "This model has read old children's books." in said(at)
    assert at.session_state["visit"].run.text == "THE OLD KING"


def test_a_storyteller_offers_beginnings_like_ones_own() -> None:
    """They are from books that it was not trained on: neuron-texts.json says so."""
    offered = own_text.alike(shipped.read("storyteller"), "The old king lived in a castle")
    assert len(offered) == 10 and all(len(text.split()) == BEGINNING_WORDS for text in offered)
    assert any("king" in text.casefold() for text in offered)
    assert {text[:30] for text in offered} <= {each.english[:30] for each in load_pool()}


def test_capitals_and_hard_words_are_said_to_be(open_page: Open) -> None:
    at = open_page(START, t="THE ZWIEBELKUCHEN IS GOOD.")
    assert at.session_state["visit"].run.text == "The zwiebelkuchen is good."
    assert at.session_state[TEXT.key] == "THE ZWIEBELKUCHEN IS GOOD."
    told = said(at).replace("\\", "")
    assert "Capitals are read as small letters: “The zwiebelkuchen is good.”" in told
    assert "“zwiebelkuchen” (" in told and "“Like these” has sentences" in told


def test_a_sentence_like_ones_own_takes_its_place(open_page: Open) -> None:
    at = open_page(START, t="The tables are broken.")
    at.session_state["like-these"] = True
    at.run()
    offered = [button for button in at.button if str(button.key).startswith("like-")]
    if not offered:
        pytest.skip("AppTest opens no popover")
    assert len(offered) == 10
    offered[0].click().run()
    assert at.session_state["visit"].run.text in known_sentences("translator") and "small pieces" not in said(at)


def test_a_translation_that_the_model_is_unsure_of_is_said_to_be(open_page: Open) -> None:
    told = said(open_page(START, t="Colourless green ideas sleep furiously.")).replace("\\", "")
    assert "The model is unsure of this translation." in told and "“Like these” has sentences" in told
    assert "unsure" not in said(open_page(START, model=PAGE_MODEL))
