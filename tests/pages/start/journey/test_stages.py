"""The first page: it opens with anything a visitor can set, and what it shows is what the core computed."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.text.labels import token_name
from core.topics.journey import stages
from core.topics.journey.records import Journey
from core.topics.journey.scales import scales
from core.topics.journey.stops import stops
from core.topics.journey.words import read_head
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas.strip.strip import Strip, Tile
from pages.canvas.token_chips.token_chips import TokenChips
from pages.shell.settings import TEXT
from pages.shell.url_params import fits
from pages.shell.view import Shown
from pages.start.journey.page import PAGE
from pages.start.journey.tiles import tiles_of
from pages.widgets.parts import Button, Cards, Link, Part
from pages.widgets.place import ATTENTION, HEAD, LAYER
from pages.widgets.setting import Setting, Values
from tests.pages.conftest import opened
from tests.pages.house import BY_ADDRESS
from tests.pages.screen import HOSTILE, behind, called, pictures, unlinked
from tests.pages.start.journey.test_words import told

show_journey = PAGE.view("stages").show

ROOT = Path(__file__).parents[4]
EYE = ":material/visibility: "
UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*[!-/:-@\[\]^-`{-~]")
SETTINGS = [
    {},
    {"kind": "decoder"},
    {"kind": "encoder-decoder", "attention": "encoder"},
    {"kind": "encoder-decoder", "attention": "decoder"},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2"},
    {"kind": "decoder", "t": "cat"},
    {"t": HOSTILE, "kind": "decoder", "pos": "rotary", "journey-tensor": "q_rotated"},
    {"pos": "none", "journey-tensor": "pos"},
    {"pos": "alibi", "score": "additive", "norm": "pre", "residual": "false", "normkind": "rmsnorm"},
    {"pos": "binary", "score": "general", "norm": "none", "act": "swiglu"},
    {"kind": "decoder", "mask": ["as built", "padding"], "pads": "3", "d": "2", "h": "1", "n": "1"},
    {"d": "64", "h": "16", "n": "12", "layer": "12", "head": "16", "t": "cat and dog " * 60, "dtype": "bfloat16"},
]


def record_of(at: AppTest, place: HeadAddress) -> Journey:
    return stages.journey(*behind(at), place)


def parts(shown: Shown) -> list[Part]:
    """The parts of all cards."""
    (cards,) = shown.pictures
    assert isinstance(cards, Cards)
    return [part for card in cards.cards for part in card]


def strips(run: Run, values: dict[Setting, str] | None = None) -> dict[int, Strip]:
    """The strips by the number of their stop."""
    found = [part for part in parts(show_journey(run, Values(values))) if isinstance(part, Strip)]
    return {int(strip.key.rpartition("-")[2]): strip for strip in found}


def tile(run: Run, record: Journey, stop: int, name: str) -> Tile:
    shown = stops(run, record)
    shared = scales((picture for each in shown for picture in each.pictures), record)
    return next(each for each in tiles_of(run, record, stop, shown[stop - 1].pictures, shared) if each.name == name)


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_it_opens_with_every_kind_of_setting(params: dict[str, Any]) -> None:
    at = opened(**params)
    assert not at.error
    shown = pictures(at)
    assert len(shown) == 8 + (params.get("attention") == "cross")  # the chips, of one text or two, and seven strips
    assert sum("·" in markdown.value and markdown.value.startswith("#####") for markdown in at.markdown) == 8


@pytest.mark.parametrize(
    ("chosen", "where", "place"),
    [
        ({}, {LAYER: "2", HEAD: "3"}, HeadAddress("encoder", 1, 2)),
        ({"kind": "encoder-decoder"}, {ATTENTION: "cross", LAYER: "2"}, HeadAddress("decoder", 1, 0, True)),
    ],
)
def test_what_is_drawn_is_what_the_core_computed(
    chosen: dict[str, Any], where: dict[Setting, str], place: HeadAddress
) -> None:
    run, record = told(place, **chosen)
    drawn = parts(show_journey(run, Values(where)))
    chips = [part for part in drawn if isinstance(part, TokenChips)]
    assert [each.ids for each in chips] == [record.tokens.ids, record.keys.ids][: 1 + place.cross]
    assert [each.text for each in chips] == [place.stack, "encoder"][: 1 + place.cross]
    framed = chips[0].framed
    assert framed is not None and read_head(record)[0].startswith(
        f"In one head, {token_name(record.tokens.labels, framed)}"
    )
    np.testing.assert_allclose(chips[-1].shades, record.weights[framed], atol=1e-6)
    assert not place.cross or not chips[0].shades
    tiles = [tile for part in drawn if isinstance(part, Strip) for tile in part.tiles]
    for tile in tiles:
        if tile.pick:
            np.testing.assert_array_equal(
                tile.values, np.where(record.allowed, record.patterns[int(tile.name)], -np.inf)
            )
            assert tile.chosen == (int(tile.name) == place.head)
        else:
            values = record.stages[tile.name].values
            hidden = tile.name == "pattern" and ~record.allowed
            np.testing.assert_array_equal(tile.values, np.where(hidden, -np.inf, values))
            numbers = " × ".join(str(size) for size in record.stages[tile.name].shape)
            assert tile.shape.endswith(f"= {numbers}")
    assert len(tiles) >= 24


@pytest.mark.parametrize("text", [HOSTILE, "<b>", "*", "`", "$x$", "[x](y)", ":red[x]", "![", "_"])
def test_hostile_text_is_shown_letter_by_letter(text: str) -> None:
    """What is read out quotes a token, and every sign in it that markdown could take for its own is escaped."""
    at = opened(t=text)
    record = record_of(at, HeadAddress())
    shown = [unlinked(each.value) for each in at.markdown if each.value.startswith(EYE)]
    said = read_head(record)
    assert len(shown) == len(said) and any(piece in said[0] for piece in record.tokens.pieces)
    for markdown, sentence in zip(shown, said, strict=True):
        escaped = markdown.removeprefix(f"{EYE}**").removesuffix("**")
        assert not UNESCAPED.search(escaped)
        assert " ".join(re.sub(r"\\(.)", r"\1", escaped).split()) == " ".join(sentence.split())
    assert pictures(at)[0]["pieces"] == list(record.tokens.pieces)


def test_the_table_lists_the_chosen_tensor() -> None:
    at = opened(**{"journey-tensor": "z", "head": "2"})
    at.session_state["journey-stages-table"] = True
    at.run()
    assert "q_rotated" not in at.selectbox(key="journey-tensor").options
    table = at.dataframe[0].value
    record = record_of(at, HeadAddress(head=1))
    assert list(table["query"]) == list(record.tokens.labels)
    np.testing.assert_array_equal(table.to_numpy()[:, 1:].astype(np.float32), record.stages["z"].values)


def test_a_click_on_a_head_follows_it() -> None:
    heads = strips(told()[0], {LAYER: "2"})[6]
    assert heads.sets is not None and heads.tiles[2].pick
    assert heads.sets("2", 0, 0) == {LAYER.key: "2", HEAD.key: "3"}


def test_long_texts_are_said_to_be_cut() -> None:
    assert show_journey(told()[0], Values()).notes == [None]
    run, long = told(text="cat " * 80)
    said = f"The pictures show the first 48 of {len(long.tokens)} tokens; the shapes under them are of the whole text."
    assert show_journey(run, Values()).notes == [said]


@pytest.mark.parametrize(("attention", "offered"), [("encoder", False), ("decoder", True), ("cross", False)])
def test_the_decoder_goes_on_to_cross_attention(attention: str, offered: bool) -> None:
    run, _ = told(kind="encoder-decoder")
    buttons = [part for part in parts(show_journey(run, Values({ATTENTION: attention}))) if isinstance(part, Button)]
    assert [button.sets() for button in buttons] == [{"attention": "cross"}] * offered


def test_links_name_pages_and_settings_that_there_are() -> None:
    links = [part for part in parts(show_journey(told()[0], Values())) if isinstance(part, Link)]
    assert [link.address for link in links] == ["self-attention"] * 3 + ["heads"]
    for link in links:
        known = {setting.key: setting for setting in BY_ADDRESS[link.address].all_settings}
        assert all(fits(known[key], value) for key, value in link.where.items())


def test_tiles_name_axes_and_what_is_left_out() -> None:
    run, record = told(text=TEXT.default, d=256)
    embed, value = tile(run, record, 2, "embed"), tile(run, record, 3, "v")
    assert (embed.shape, embed.part) == ("L × D = 15 × 256", "first 64 columns")
    assert (value.shape, value.tint) == ("K × E = 15 × 64", "v")
    assert [each.scale for each in strips(run)[4].tiles] == ["signed", "signed", "signed", "weight"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"values": np.zeros(3)}, "needs a matrix"),
        ({"values": np.full((1, 1), np.nan)}, "holds NaN"),
        ({"values": np.zeros((1, 1)), "scale": "log"}, "is not one of"),
        ({"values": np.zeros((2, 2)), "rows": ("x",)}, "1 labels"),
    ],
)
def test_tiles_that_cannot_be_drawn_truthfully_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Tile("a", "A", **fields)


def test_chips_need_a_word_for_every_token() -> None:
    with pytest.raises(ValueError, match="do not go together"):
        TokenChips(["a"], [1, 2], [0], ["a"], key="k", name="name")
    with pytest.raises(ValueError, match="from 0 to 0"):
        TokenChips(["a"], [1], [1], ["a"], key="k", name="name")
    with pytest.raises(ValueError, match="2 shades do not fit 1 pieces"):
        TokenChips(["a"], [1], [0], ["a"], key="k", name="name", shades=(0.1, 0.9))


@pytest.mark.parametrize("score", ["scaled dot", "dot", "general", "additive"])
def test_the_formula_has_the_score_and_the_shapes_of_this_run(score: str) -> None:
    run, record = told(text="the cat sat", score=score, dk=9, dv=5)
    written, rows = show_journey(run, Values()).formula, len(record.tokens)
    assert rf"({rows}\times{rows})\cdot({rows}\times5) = ({rows}\times5)" in written
    assert (r"\sqrt{9}" in written) == (score == "scaled dot")
