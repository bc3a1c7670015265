"""What a visitor copies opens what is on the screen: on every page, with every kind of model."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.compute import cache
from pages.shell.model_choice import effective_model, random_like
from pages.shell.page import Page
from pages.shell.settings import MODEL, PAGE_MODEL, RANDOM_WEIGHTS, TARGET, TEXT
from pages.widgets import PLACE
from tests.pages.conftest import opened
from tests.pages.house import PAGES, path_of
from tests.pages.screen import address_of, model_list

OWN_TEXT = "the old clock stopped"
WITH_MODEL = [page for page in PAGES if page.uses_model]
everywhere = pytest.mark.parametrize("page", WITH_MODEL, ids=lambda page: page.address)


def expect_reopened(at: AppTest, page: Page) -> None:
    """Somebody else who opens the address sees the same run, and looks at the same place in it."""
    again = opened(path_of(page), **{MODEL.key: PAGE_MODEL, **address_of(at)})
    assert not again.exception and not again.warning and not again.error
    assert again.session_state["visit"].run == at.session_state["visit"].run
    for setting in (*PLACE, *page.all_settings):
        if setting.key in at.session_state and setting.key in again.session_state:
            assert again.session_state[setting.key] == at.session_state[setting.key], setting.key


def build_your_own(at: AppTest, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the button does."""
    with monkeypatch.context() as patch:
        held = {key: at.session_state[key] for key in ("visit", TEXT.key, TARGET.key) if key in at.session_state}
        patch.setattr(st, "session_state", held)
        wishes = random_like(cache.trained(effective_model(page, PAGE_MODEL, "")))
    for key, value in wishes.items():
        at.session_state[key] = value
    at.run()


def choose(at: AppTest, model: str) -> None:
    model_list(at).set_value(model).run()


@everywhere
def test_a_trained_model_with_its_own_text_and_with_another(page: Page) -> None:
    at = opened(path_of(page), model=PAGE_MODEL)
    expect_reopened(at, page)
    if page.reads_text:
        at.text_input(key=TEXT.key).set_value(OWN_TEXT).run()
        expect_reopened(at, page)


@everywhere
def test_random_weights_of_the_sizes_of_the_trained_model_and_of_others(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = opened(path_of(page), model=PAGE_MODEL)
    if not page.model:
        choose(at, RANDOM_WEIGHTS)
    else:
        before = at.session_state["visit"].run
        build_your_own(at, page, monkeypatch)
        run = at.session_state["visit"].run
        assert not run.is_trained and run.config.d_model == before.config.d_model and run.text == before.text
    expect_reopened(at, page)
    if "d" not in page.owns:
        at.number_input(key="d").set_value(48).run()
        expect_reopened(at, page)
    choose(at, PAGE_MODEL)
    expect_reopened(at, page)


@everywhere
def test_trained_models_after_the_pages_own(page: Page) -> None:
    """A third of those that the page can show, others on the pages beside it: together, all of them."""
    at = opened(path_of(page), model=PAGE_MODEL)
    shown = [name for name in cache.model_names() if cache.listed()[name].architecture in page.architectures]
    for name in shown[WITH_MODEL.index(page) % 3 :: 3]:
        choose(at, name)
        expect_reopened(at, page)


@everywhere
def test_a_page_that_was_come_to_from_another(page: Page) -> None:
    first = next(each for each in PAGES if each.address == "heads")
    at = opened(path_of(first), model=PAGE_MODEL, t=OWN_TEXT)
    at.switch_page(path_of(page)).run()
    expect_reopened(at, page)
