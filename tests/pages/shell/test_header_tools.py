"""Undo, reset, present; and random weights of a trained model's sizes."""

import time
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.checkpoints import shipped
from core.topics.shared.run_from_choices import chosen_of, fresh_config
from pages.attention.heads.page import TEXT as REPEATING
from tests.pages.conftest import Open
from tests.pages.screen import address_of

HEADS, TOKENS = "pages/attention/heads/page.py", "pages/words/tokens/page.py"


def undo(at: AppTest) -> str:
    """What the button Undo says that it takes back; "" where there is none."""
    return next((each.label.replace("\\", "") for each in at.button if each.key == "undo-last"), "")


def test_undo_takes_back_the_last_change_and_no_more(open_page: Open) -> None:
    at = open_page(HEADS, d="32", **{"heads-view": "lines"})
    assert not undo(at)
    at.number_input(key="d").set_value(48).run()
    assert undo(at) == "Undo: d_model 48 → 32"
    at.session_state["heads-view"] = "all heads"
    at.run()
    assert undo(at) == "Undo: view all heads → lines"
    at.button(key="undo-last").click().run()
    assert (at.session_state["heads-view"], at.session_state["d"]) == ("lines", 48)
    at.button(key="undo-last").click().run()
    assert at.session_state["d"] == 32 and not undo(at)


def test_undo_is_there_only_for_what_the_page_can_take_back(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat")
    at.button_group(key="head").set_value("3").run()
    assert undo(at) == "Undo: head 3 → 1"
    at.session_state["heads-view"] = "lines"
    at.run()
    at.switch_page(TOKENS).run()
    assert not undo(at), "its view is not this page's to change"
    at.switch_page(HEADS).run()
    assert undo(at) == "Undo: view lines → all heads"


def test_a_text_that_is_typed_without_a_pause_is_one_change(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat")
    for text, pause in (("the cat s", 0), ("the cat sat", 0), ("the cat sat and", 60)):
        at.session_state["visit"].typed_at = time.monotonic() - pause  # of the letter before
        at.text_input(key="t").set_value(text).run()
    for expected in ("the cat sat", "the cat"):
        assert undo(at) == f"Undo: your text → “{expected}”"
        at.button(key="undo-last").click().run()
        assert at.session_state["t"] == expected
    assert not undo(at)


def test_undo_takes_back_a_pin_and_an_unpin(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat")
    at.button(key="pin").click().run()
    held = dict(at.session_state["visit"].pins)
    assert held and address_of(at)["pin-t"] == "the cat sat"
    at.button(key="unpin").click().run()
    assert undo(at) == "Undo: unpinning"
    at.button(key="undo-last").click().run()
    assert (
        at.session_state["visit"].pins == held and at.button(key="unpin") and address_of(at)["pin-t"] == "the cat sat"
    )
    at.button(key="undo-last").click().run()
    assert not at.session_state["visit"].pins and "pin-t" not in address_of(at) and at.button(key="pin")
    assert not undo(at)


def test_reset_brings_the_pages_own_model_and_text_back(open_page: Open) -> None:
    at = open_page(HEADS, model="suited to the page")
    found = at.session_state["layer"], at.session_state["head"]
    assert found != ("1", "1")
    at = open_page(HEADS, d="32", t="my own words", layer="2")
    at.button(key="reset-all").click().run()
    run = at.session_state["visit"].run
    assert run.model_name == "storyteller" and run.text == REPEATING and not at.error
    assert (at.session_state["layer"], at.session_state["head"]) == found


@pytest.mark.parametrize("name", ["translator", "storyteller", "sentiment"])
def test_random_weights_can_have_the_sizes_of_any_trained_model(name: str) -> None:
    config = shipped.read(name).config
    again = fresh_config(chosen_of(config) | {"seed": config.seed}, config.vocab_size)
    assert (
        replace(
            again,
            **{field: getattr(config, field) for field in ("max_length", "scale_embeddings", "dropout", "logit_scale")},
        )
        == config
    )


def test_present_stays_out_of_the_address(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat")
    at.toggle(key="present").set_value(True).run()
    assert at.session_state["present"] and "present" not in address_of(at)
    at.button(key="reset-all").click().run()
    assert at.session_state["present"], "it is no setting of the page"


def test_an_old_address_that_presents_opens_the_page_without_a_warning(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat", present="true")
    assert not at.session_state["present"] and not at.warning and "present" not in address_of(at)
