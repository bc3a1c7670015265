"""A link goes on with the model, the words and the head that were looked at; where the model is another, a page says
so."""

from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.tracing.run import Run
from pages.shell.model_choice import effective_model
from pages.shell.page import Page
from pages.shell.settings import PAGE_MODEL
from pages.widgets import HEAD, LAYER, SAME_RUN
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, PAGES, path_of
from tests.pages.screen import look

OTHER = "another model than before"
SENTENCE = "My sister reads a long book."
Links = list[tuple[str, dict[str, str]]]


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> Links:
    """The address and the settings of each link of a picture, in the order in which they are drawn."""
    found: Links = []
    draw = st.page_link

    def page_link(page: Any, **options: Any) -> Any:
        if SAME_RUN in (options.get("query_params") or {}):
            found.append((page.url_path, options["query_params"]))
        return draw(page, **options)

    monkeypatch.setattr(st, "page_link", page_link)
    return found


def go(at: AppTest, page: Page, params: dict[str, str] | None = None) -> AppTest:
    """Follow a link to a page, or choose it in the menu."""
    at.query_params.clear()
    at.query_params.update(params or {})
    at.switch_page(path_of(page)).run()
    assert not at.exception, at.exception[0].message
    return at


def run_of(at: AppTest) -> Run:
    run: Run = at.session_state["visit"].run
    return run


def notes(at: AppTest) -> str:
    return " ".join(each.value for each in at.caption)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_every_link_of_a_picture_keeps_the_model_and_the_words(page: Page, open_page: Open, links: Links) -> None:
    at = open_page(path_of(page), **({"model": page.model} if page.model else {}))
    for view in page.views[1:]:
        look(at, **{page.look_at.key: view.name})
    for address, params in dict(links).items():
        before, target = run_of(at), BY_ADDRESS[address]
        go(at, target, params)
        after = run_of(at)
        if not target.uses_model:
            continue
        if before.config.architecture in target.architectures and page.uses_model:
            assert after.model_name == before.model_name, (address, after.model_name)
            assert not (page.reads_text and target.reads_text) or after.text == before.text, address
            assert OTHER not in notes(at)
        go(at, page, {SAME_RUN: "true"})


def test_how_it_is_computed_stays_with_what_start_shows(open_page: Open, links: Links) -> None:
    welcome, journey = BY_ADDRESS["welcome"], BY_ADDRESS["journey"]
    assert effective_model(journey, journey.model, "") != welcome.model, "else the link need not keep it"
    at = open_page(path_of(welcome), t=SENTENCE)
    [params] = [params for address, params in links if address == "journey"]
    go(at, journey, params)
    assert (run_of(at).model_name, run_of(at).text) == (welcome.model, SENTENCE)
    assert [at.session_state[each.key] for each in (LAYER, HEAD)] == [params[each.key] for each in (LAYER, HEAD)]
    assert at.session_state["attention"] == "cross" and not at.warning


def test_a_page_that_shows_another_model_says_so_until_the_visitor_changes_anything(open_page: Open) -> None:
    at = open_page(path_of(BY_ADDRESS["welcome"]))
    assert OTHER not in notes(at)
    go(at, BY_ADDRESS["tokens"])
    assert OTHER not in notes(at), "this page is about tokenizers"
    go(at, BY_ADDRESS["words-in-context"])
    assert notes(at).count(OTHER) == 1
    at.run()
    assert notes(at).count(OTHER) == 1, "nothing was changed"
    go(at, BY_ADDRESS["heads"])
    assert notes(at).count(OTHER) == 1
    at.button(key="example-again and again").click().run()
    assert OTHER not in notes(at), "it was said, and the visitor has gone on"
    at.run()
    assert OTHER not in notes(at)
    go(at, BY_ADDRESS["self-attention"])
    assert OTHER not in notes(at), "it is the same model"
    look(at, model="random weights")
    assert OTHER not in notes(at), "the visitor has chosen it"


def test_looking_up_a_word_changes_neither_the_model_nor_the_pages_after_it(open_page: Open) -> None:
    welcome, glossary, heads = (BY_ADDRESS[name] for name in ("welcome", "glossary", "heads"))
    at = open_page(path_of(welcome), t=SENTENCE)
    go(at, glossary, {"glossary-term": "attention"})
    assert (run_of(at).model_name, run_of(at).text) == (welcome.model, SENTENCE) != (glossary.model, SENTENCE)
    assert OTHER not in notes(at)
    go(at, welcome)
    assert (run_of(at).model_name, run_of(at).text) == (welcome.model, SENTENCE) and OTHER not in notes(at)
    go(at, heads)
    assert run_of(at).model_name == heads.model != welcome.model, "the look-up has chosen no model"


def test_the_glossary_opens_with_its_own_model_and_shares_the_one_on_screen(open_page: Open) -> None:
    welcome, glossary = BY_ADDRESS["welcome"], BY_ADDRESS["glossary"]
    at = open_page(path_of(glossary), model=PAGE_MODEL)
    assert run_of(at).model_name == glossary.model and "model=" not in shared(at)
    go(at, welcome)
    go(at, glossary)
    assert f"model={welcome.model}" in shared(at)


def shared(at: AppTest) -> str:
    """The address that the page offers to others."""
    at.session_state["tools"] = True
    return str(at.run().code[0].value)
