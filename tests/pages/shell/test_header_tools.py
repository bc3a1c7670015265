"""Undo, reset, present; and random weights of a trained model's sizes."""

from dataclasses import replace

import pytest

from core.checkpoints import shipped
from core.topics.shared.run_from_choices import chosen_of, fresh_config
from pages.attention.heads.page import TEXT as REPEATING
from tests.pages.conftest import Open
from tests.pages.screen import address_of

HEADS = "pages/attention/heads/page.py"


def test_undo_takes_back_the_last_change_and_no_more(open_page: Open) -> None:
    at = open_page(HEADS, d="32", **{"heads-view": "lines"})
    at.number_input(key="d").set_value(48).run()
    at.session_state["heads-view"] = "all heads"
    at.run()
    undo = "undo-last"
    at.button(key=undo).click().run()
    assert (at.session_state["heads-view"], at.session_state["d"]) == ("lines", 48)
    at.button(key=undo).click().run()
    assert at.session_state["d"] == 32 and at.button(key=undo).disabled


def test_undo_takes_back_a_pin_and_an_unpin(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat")
    at.button(key="pin").click().run()
    held = dict(at.session_state["visit"].pins)
    assert held and address_of(at)["pin-t"] == "the cat sat"
    at.button(key="unpin").click().run()
    at.button(key="undo-last").click().run()
    assert (
        at.session_state["visit"].pins == held and at.button(key="unpin") and address_of(at)["pin-t"] == "the cat sat"
    )
    at.button(key="undo-last").click().run()
    assert not at.session_state["visit"].pins and "pin-t" not in address_of(at) and at.button(key="pin")
    assert at.button(key="undo-last").disabled


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
