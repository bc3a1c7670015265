"""What the browser does not take along to another page is told to it, and nothing that it has."""

import json
from typing import Any

import pytest
from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest

from pages.attention.heads.page import PAGE
from pages.shell.settings import RANDOM_WEIGHTS
from tests.pages.conftest import Open

SELF_ATTENTION, HEADS = "pages/attention/self_attention/page.py", "pages/attention/heads/page.py"
ASKED = {"model": RANDOM_WEIGHTS, "t": "one two", "d": "48", "mask": "causal", "layer": "2"}


def lost(at: AppTest) -> list[list[str]]:
    """The settings that the browser is told to put back."""
    [address] = [each for each in at.get("bidi_component") if each.key == "address"]
    return sorted(json.loads(address.proto.json)["lacks"])


def go(at: AppTest, taken: dict[str, Any]) -> None:
    """To Heads, with this of the address."""
    at.query_params.clear()
    at.query_params.update(taken)
    at.switch_page(HEADS).run()
    assert not at.exception


@pytest.mark.parametrize("left", [(), ("d",), ("model", "t", "d", "mask")])
def test_what_the_browser_leaves_behind_is_told_to_it(
    left: tuple[str, ...], open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page(SELF_ATTENTION, **ASKED)
    sent: list[QueryParams] = []
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", sent.append)
    go(at, {key: value for key, value in ASKED.items() if key not in left})
    assert lost(at) == sorted([key, ASKED[key]] for key in left)
    assert not sent, "the browser might write it into the address of the page that was left"
    assert (at.text_input(key="t").value, at.number_input(key="d").value) == ("one two", 48)
    at.run()
    assert lost(at) == sorted([key, ASKED[key]] for key in left), "it is told until it has been written"
    at.query_params.update(ASKED)
    at.run()
    assert lost(at) == []


def test_what_a_visitor_changes_meanwhile_is_not_put_back(open_page: Open) -> None:
    at = open_page(SELF_ATTENTION, **ASKED)
    go(at, {})
    at.number_input(key="d").set_value(24).run()
    assert (dict(lost(at))["d"], dict(lost(at))["t"]) == ("24", "one two")


def test_what_the_next_page_does_not_ask_or_has_by_itself_is_not_put_back(open_page: Open) -> None:
    at = open_page(SELF_ATTENTION, d="48", model=RANDOM_WEIGHTS)
    at.selectbox(key="model").set_value("storyteller").run()
    go(at, {"model": "storyteller"})
    assert lost(at) == [] and at.text_input(key="t").value == PAGE.text
