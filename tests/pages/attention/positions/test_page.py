"""The page about positions: every view opens with anything, unfolds its numbers and its code, and keeps to its ends."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.topics.positions.encodings import Encoding, dot_products
from pages.attention.positions.page import PAGE as TOPIC
from pages.attention.positions.settings import DISTANCE_MEASURE, VECTORS
from pages.shell.url_params import refused
from tests.pages.conftest import Open
from tests.pages.house import KNOWN
from tests.pages.screen import HOSTILE, called, charts, look, pictures, said

PAGE = "pages/attention/positions/page.py"
LONG = "a cat, a dog. " * 200
MISTAKES = ("must be even", "bits, but the width")
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder", "pos": "rotary", "t": HOSTILE},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2", "t": HOSTILE, "tt": HOSTILE},
    {
        "t": "a",
        "pos": "none",
        "positions-length": "2",
        "positions-width": "2",
        "positions-shift": "511",
        "positions-draws": "1000",
        "positions-size": "2",
    },
    {
        "d": "2",
        "h": "1",
        "n": "1",
        "dk": "1",
        "pos": "learned",
        "positions-width": "1024",
        "positions-length": "512",
        "positions-row": "511",
    },
    {
        "kind": "decoder",
        "t": LONG,
        "dtype": "bfloat16",
        "d": "1024",
        "h": "16",
        "n": "1",
        "pos": "binary",
        "positions-shift": "1",
    },
    {"pos": "alibi", "score": "additive", "mask": ["padding", "block"], "pads": "3", "block": "1", "h": "3", "d": "48"},
    {"model": "storyteller-small"},
    {"model": "translator", "attention": "decoder"},
    {"model": "toy-copy"},
]


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(PAGE, **params)
    more = {
        "longer texts": ("positions-far", DISTANCE_MEASURE.options),
        "random vectors": ("positions-vectors", VECTORS.options),
    }
    for view in TOPIC.look_at.options:
        key, options = more.get(view, ("positions-encoding", ("sinusoidal",)))
        for option in options:
            look(at, positions_view=view, **{key: option})
            assert all(any(known in error.value for known in MISTAKES) for error in at.error), (view, option)
            assert "nan" not in said(at) and "None" not in said(at), (view, option)


def test_the_page_opens_on_the_shuffled_words() -> None:
    assert TOPIC.look_at.default == "shuffle" and TOPIC.look_at.options[1:3] == ("heatmap", "waves")


def test_the_page_opens_on_the_positions_of_the_trained_model(open_page: Open) -> None:
    def kind(at: AppTest) -> str:
        return str(at.button_group(key="positions-encoding").value)

    at = open_page(PAGE, model="suited to the page", positions_view="heatmap")
    assert kind(at) == "sinusoidal", "the translator's"
    assert kind(look(at, model="storyteller")) == "rotary"
    assert "**Rotary.**" in said(at)
    assert kind(look(at, model="translator")) == "sinusoidal"
    assert kind(look(at, positions_encoding="binary", model="storyteller")) == "binary", "the visitor's own choice"
    assert kind(open_page(PAGE, model="storyteller", positions_view="heatmap")) == "rotary"
    assert (
        kind(open_page(PAGE, model="storyteller", positions_view="heatmap", positions_encoding="sinusoidal"))
        == "sinusoidal"
    )


def test_random_weights_have_the_encoding_of_the_page(open_page: Open) -> None:
    """It begins with what the drawer has on other pages, and stays there as it was."""
    at = open_page(PAGE, t="the cat saw the dog", pos="rotary", positions_view="token and position")
    assert at.button_group(key="positions-encoding").value == "rotary" and not charts(at)
    assert not pictures(at, "positions-terms")
    look(at, positions_encoding="learned")
    assert pictures(at, "positions-terms")
    at.switch_page("pages/attention/heads/page.py").run()
    assert at.session_state["visit"].run.config.positions == "rotary"


def test_controls_end_where_the_table_ends(open_page: Open) -> None:
    sizes = {"positions_length": "20", "positions_width": "10", "positions_row": "19", "positions_column": "9"}
    at = open_page(PAGE, positions_view="heatmap", **sizes)
    look(at, positions_length=7, positions_encoding="binary", positions_width=4)
    assert pictures(at, "positions-table")[0]["panels"][0]["selected"] == [6, 3]
    assert at.number_input(key="positions-row").max == 6 and at.number_input(key="positions-column").max == 3
    look(at, positions_encoding="alibi")
    assert at.number_input(key="positions-column").max == 6
    look(at, positions_view="shift", positions_encoding="sinusoidal")
    assert at.number_input(key="positions-shift").max == 6


@pytest.mark.parametrize("view", TOPIC.look_at.options)
def test_the_numbers_and_the_code_unfold(open_page: Open, view: str) -> None:
    at, key = open_page(PAGE, positions_view=view), f"positions-{view}".replace(" ", "-")
    look(at, **{f"{key}-table": True, f"{key}-source": True})
    assert not at.exception and len(at.dataframe) == 1 and any("def " in block.value for block in at.code)
    if view == "how alike":
        found = dot_products(Encoding("sinusoidal"))
        shown = at.dataframe[0].value.set_index("distance")
        np.testing.assert_allclose(shown.loc["mean"].to_numpy(float), found.measured.mean)
        np.testing.assert_allclose(shown.loc["theory"].to_numpy(float), np.asarray(found.theory))


def test_the_url_may_name_only_what_there_is() -> None:
    good = {
        "positions-view": ["shuffle"],
        "positions-encoding": ["alibi"],
        "positions-length": ["512"],
        "positions-base": ["1.5"],
        "positions-size": ["1024"],
        "positions-shuffle-seed": ["9"],
    }
    assert refused(good, KNOWN) == []
    bad = {
        "positions-view": ["<b>"],
        "positions-encoding": ["roman"],
        "positions-length": ["1"],
        "positions-base": ["0.5"],
        "positions-size": ["n"],
        "positions-dimensions": ["1024"],
    }
    assert len(refused(bad, KNOWN)) == len(bad)


def test_charts_are_saved_as_svg(open_page: Open) -> None:
    at = open_page(PAGE, positions_view="waves")
    (chart,) = at.get("vega_lite_chart")
    assert json.loads(chart.proto.spec)["usermeta"] == {"embedOptions": {"renderer": "svg"}}
