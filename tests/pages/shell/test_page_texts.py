"""A page may open with a text of its own, which goes with the page; what a visitor has written stays."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.checkpoints.examples import first_example
from pages.shell.settings import PAGE_MODEL, RANDOM_WEIGHTS
from pages.transformer.translate.page import PAGE as TRANSLATE_PAGE
from pages.words.tokens.page import PAGE
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import address_of, model_list

TOKENS, HEADS, TRANSLATE = path_of(PAGE), "pages/attention/heads/page.py", "pages/transformer/translate/page.py"
SELF_ATTENTION = "pages/attention/self_attention/page.py"


def text(at: AppTest) -> Any:
    return at.session_state["visit"].run.text


@pytest.mark.parametrize("model", [PAGE_MODEL, RANDOM_WEIGHTS])
def test_the_text_of_a_page_comes_and_goes_with_it(model: str, open_page: Open) -> None:
    at = open_page(TOKENS, model=model)
    assert text(at) == PAGE.text and "t" not in address_of(at)
    first = first_example("storyteller" if model == PAGE_MODEL else RANDOM_WEIGHTS).text
    for path, expected in ((SELF_ATTENTION, first), (TRANSLATE, TRANSLATE_PAGE.text)):
        at.switch_page(path).run()
        assert text(at) == expected
        at.switch_page(TOKENS).run()
        assert text(at) == PAGE.text and "t" not in address_of(at) and not at.warning


def test_what_a_visitor_wrote_stays_and_can_be_undone_and_reset(open_page: Open) -> None:
    at = open_page(TOKENS, t="My own sentence.")
    for path in (HEADS, TOKENS):
        at.switch_page(path).run()
        assert text(at) == "My own sentence." == address_of(at)["t"]
    at.text_input(key="t").set_value("Another one.").run().run()
    at.button(key="undo-last").click().run()
    assert text(at) == "My own sentence."
    at.button(key="reset-all").click().run()
    assert text(at) == PAGE.text and "t" not in address_of(at)


def test_a_models_example_chosen_on_the_page_is_kept_in_its_address(open_page: Open) -> None:
    first = first_example("translator").text
    at = open_page(TOKENS, model=PAGE_MODEL)
    at.button(key="example-red chair → chaise rouge").click().run()
    assert text(at) == first == address_of(at)["t"]
    assert text(open_page(TOKENS, model=PAGE_MODEL, t=first)) == first


def test_a_model_that_cannot_read_it_brings_its_own_example(open_page: Open) -> None:
    at = open_page(TOKENS, model="toy-copy")
    assert text(at) == first_example("toy-copy").text and not at.error
    model_list(at).set_value("translator").run()
    assert text(at) == PAGE.text and not at.error
