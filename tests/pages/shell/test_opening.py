"""The layer and head that a page opens with: found for a trained model, the visitor's own where one was chosen."""

import pytest

from core.explorer.head.opening import opening_place
from core.explorer.shared.places import Place
from tests.pages.conftest import Open
from tests.pages.screen import behind

HEADS = "pages/attention/heads/page.py"


def test_a_trained_model_opens_at_its_most_telling_head(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller")
    found = opening_place(*behind(at), Place("decoder"))
    assert (found.layer, found.head) != (0, 0)
    chosen = str(found.layer + 1), str(found.head + 1)
    assert (at.session_state["layer"], at.session_state["head"]) == chosen
    written = {key: at.query_params[key] for key in ("layer", "head") if key in at.query_params}
    assert written == {key: value for key, value in zip(("layer", "head"), chosen, strict=True) if value != "1"}


def test_what_the_visitor_chose_stays(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller", layer="2")
    assert (at.session_state["layer"], at.session_state["head"]) == ("2", "1")
    at.switch_page("pages/attention/self_attention/page.py").run()
    assert (at.session_state["layer"], at.session_state["head"]) == ("2", "1")


def test_what_nobody_has_asked_for_is_not_searched(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.shell.opening.expected_seconds", lambda run: 3.0)
    at = open_page(HEADS, model="storyteller")
    assert (at.session_state["layer"], at.session_state["head"]) == ("1", "1") and not at.exception


def test_another_text_moves_no_head_under_the_visitor(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller")
    before = at.session_state["layer"], at.session_state["head"]
    at.text_input(key="t").set_value("the cat sat on the mat").run()
    assert (at.session_state["layer"], at.session_state["head"]) == before


def test_random_weights_open_at_the_first_head(open_page: Open) -> None:
    at = open_page(HEADS)
    assert (at.session_state["layer"], at.session_state["head"]) == ("1", "1")
