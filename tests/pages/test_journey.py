"""The first page: it opens with anything a visitor can set, and what it shows is what the core computed."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.explorer.journey import stages
from core.explorer.journey.records import Journey
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.canvas.strip.strip import Tile
from pages.canvas.token_chips.token_chips import TokenChips
from pages.ui import journey_tiles as tiles
from pages.ui import journey_words as words
from tests.pages.screen import behind, called, pictures

ROOT = Path(__file__).parents[2]
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/x.png) :red[x] $x$ مرحبا 👩‍🚀"
EYE = ":material/visibility: "
UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*[!-/:-@\[\]^-`{-~]")
SETTINGS = [
    {},
    {"kind": "decoder"},
    {"kind": "encoder-decoder", "attention": "encoder"},
    {"kind": "encoder-decoder", "attention": "decoder"},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2"},
    {"kind": "decoder", "t": "cat"},
    {"t": HOSTILE, "kind": "decoder", "pos": "rotary", "tensor": "q_rotated"},
    {"pos": "none", "tensor": "pos"},
    {"pos": "alibi", "score": "additive", "norm": "pre", "residual": "false", "normkind": "rmsnorm"},
    {"pos": "binary", "score": "general", "norm": "none", "act": "swiglu"},
    {"kind": "decoder", "mask": ["as built", "padding"], "pads": "3", "d": "2", "h": "1", "n": "1"},
    {"d": "64", "h": "16", "n": "12", "layer": "12", "head": "16", "t": "cat and dog " * 60, "dtype": "bfloat16"},
]


def opened(params: dict[str, Any]) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in params.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


def run_of(at: AppTest) -> Run:
    return at.session_state["run"]


def record_of(at: AppTest, place: Place) -> Journey:
    return stages.journey(*behind(at), place)


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_it_opens_with_every_kind_of_setting(params: dict[str, Any]) -> None:
    at = opened(params)
    assert not at.error
    shown = pictures(at)
    assert len(shown) == 8  # the chips and seven strips
    assert sum("·" in markdown.value and markdown.value.startswith("#####") for markdown in at.markdown) == 8


@pytest.mark.parametrize(
    ("params", "place"),
    [
        ({"layer": "2", "head": "3"}, Place("encoder", 1, 2)),
        ({"kind": "encoder-decoder", "attention": "cross", "layer": "2"}, Place("decoder", 1, 0, True)),
    ],
)
def test_what_is_drawn_is_what_the_core_computed(params: dict[str, str], place: Place) -> None:
    at = opened(params)
    record = record_of(at, place)
    chips, *strips = pictures(at)
    assert chips["ids"] == list(record.tokens.ids) and chips["pieces"] == list(record.tokens.pieces)
    drawn = 0
    for picture in strips:
        for tile, values in zip(picture["tiles"], picture["values"], strict=True):
            if tile["pick"]:
                np.testing.assert_array_equal(values, record.patterns[int(tile["name"])])
                assert tile["chosen"] == (int(tile["name"]) == place.head)
            else:
                np.testing.assert_array_equal(values, record.stages[tile["name"]].values)
                numbers = " × ".join(str(size) for size in record.stages[tile["name"]].shape)
                assert tile["shape"].endswith(f"= {numbers}")
            drawn += 1
    assert drawn >= 24


@pytest.mark.parametrize("text", [HOSTILE, "<b>", "*", "`", "$x$", "[x](y)", ":red[x]", "![", "_"])
def test_hostile_text_is_shown_letter_by_letter(text: str) -> None:
    """What is read out quotes a token, and every sign in it that markdown could take for its own is escaped."""
    at = opened({"t": text})
    record = record_of(at, Place())
    shown = [each.value for each in at.markdown if each.value.startswith(EYE)]
    assert len(shown) == len(record.readings) and any(label in record.readings[0] for label in record.tokens.labels)
    for markdown, sentence in zip(shown, record.readings, strict=True):
        escaped = markdown.removeprefix(f"{EYE}**").removesuffix("**")
        assert not UNESCAPED.search(escaped)
        assert " ".join(re.sub(r"\\(.)", r"\1", escaped).split()) == " ".join(sentence.split())
    assert pictures(at)[0]["pieces"] == list(record.tokens.pieces)


def test_empty_text_is_refused_in_words_and_the_rest_stays() -> None:
    at = opened({"t": " "})
    assert at.error[0].value.startswith("Type at least one word")
    assert len(pictures(at)) == 8


def test_the_table_lists_the_chosen_tensor() -> None:
    at = opened({"tensor": "z", "head": "2"})
    at.session_state["journey-table"] = True
    at.run()
    assert "q_rotated" not in at.selectbox(key="tensor").options
    table = at.dataframe[0].value
    record = record_of(at, Place(head=1))
    assert list(table["query"]) == list(record.tokens.labels)
    np.testing.assert_array_equal(table.to_numpy()[:, 1:].astype(np.float32), record.stages["z"].values)


def test_the_chosen_head_is_the_one_marked() -> None:
    at = opened({"head": "3"})
    joined = next(picture for picture in pictures(at) if "heads join" in picture["name"])
    assert [tile["chosen"] for tile in joined["tiles"][:4]] == [False, False, True, False]


def test_a_decoder_shows_the_likeliest_next_tokens() -> None:
    at = opened({"kind": "decoder"})
    assert len(at.get("vega_lite_chart")) == 1
    assert len(opened({}).get("vega_lite_chart")) == 0


def test_long_texts_are_said_to_be_cut() -> None:
    assert words.windows(record_of(opened({}), Place())) is None
    long = record_of(opened({"t": "cat " * 80}), Place())
    assert words.windows(long) == f"The pictures show the first 48 of {len(long.tokens)} tokens; the sizes are true."


def test_tiles_name_axes_and_what_is_left_out() -> None:
    at = opened({"d": "256"})
    record = record_of(at, Place())
    embed = tiles.tile(record, "embed", "embedding")
    assert (embed.shape, embed.part) == ("L × D = 15 × 256", "first 64 columns")
    assert tiles.tile(record, "v", "V").shape == "K × E = 15 × 64" and tiles.tile(record, "v", "V").tint == "v"
    assert [tile.scale for tile in tiles.scoring(record, run_of(at).config)] == ["signed", "signed", "signed", "weight"]


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


@pytest.mark.parametrize("score", ["scaled dot", "dot", "general", "additive"])
def test_the_formula_has_the_score_and_the_shapes_of_this_run(score: str) -> None:
    at = opened({"score": score, "t": "the cat sat", "dk": "9", "dv": "5"})
    written = " ".join(block.value for block in at.latex)
    rows = len(record_of(at, Place()).tokens)
    assert rf"({rows}\times{rows})\cdot({rows}\times5) = ({rows}\times5)" in written
    assert (r"\sqrt{9}" in written) == (score == "scaled dot")
