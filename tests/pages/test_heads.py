"""The heads page: every view opens with anything a visitor can set, and shows the core's own numbers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pages.ui.address import refused
from pages.ui.choices import COMBINE, EFFECT, LOOK, TASK
from pages.ui.say import plain
from streamlit.testing.v1 import AppTest

from core.analysis.aggregate import hide_and_renormalise
from core.explorer.heads import ablation, all_heads
from core.explorer.shared.places import Place
from core.readings.descriptors import DESCRIPTORS
from core.readings.patterns import read_pattern
from core.tracing.edits import ablate_head
from core.tracing.run import Run
from pages.ui import choices
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, behind, called, look, pictures, said

PAGE = "pages/attention/heads.py"
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder"},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2"},
    {"kind": "decoder", "t": "cat", "pin": "0", "unit": "words"},
    {"t": HOSTILE, "pos": "rotary", "unit": "words", "hide": ["punctuation", "first token"], "pin": "3"},
    {"pos": "alibi", "score": "additive", "norm": "pre", "residual": "false", "normkind": "rmsnorm", "least": "60"},
    {"mask": ["padding", "block"], "pads": "3", "block": "1", "d": "2", "h": "1", "n": "1"},
    {
        "kind": "decoder",
        "t": "a cat, a dog. " * 60,
        "dtype": "bfloat16",
        "h": "16",
        "n": "5",
        "layer": "5",
        "head": "16",
    },
]
VIEWS: list[dict[str, Any]] = [
    *({"look": look, "whose": "all heads"} for look in LOOK.options),
    *({"look": "what heads do", "task": task} for task in TASK.options),
    *({"look": "over layers", "combine": combine} for combine in COMBINE.options),
    *({"look": "ablate", "effect": effect, "off": ["L1H1"]} for effect in EFFECT.options),
]


def record(at: AppTest, verb: Callable[..., Any], place: Place, *more: object) -> Any:
    return verb(*behind(at), place, *more)


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(PAGE, **params)
    for view in VIEWS:
        look(at, **view)
        assert "None" not in said(at), view
        rolled = view.get("combine") == "rollout" and params.get("attention") == "cross"
        assert [error.value for error in at.error] == (
            [plain("Rollout follows one text through the layers; in cross-attention two texts meet.")] if rolled else []
        )


def test_an_empty_text_leaves_the_page_standing(open_page: Open) -> None:
    at = open_page(PAGE, t="")
    assert at.error and pictures(at, "heads-matrix")


def test_the_matrix_and_the_grid_are_the_patterns(open_page: Open) -> None:
    at = open_page(PAGE, layer="2", head="3", t="the cat sat")
    pattern = record(at, all_heads.patterns, Place("encoder", 1)).pattern[2]
    (matrix,) = pictures(at, "heads-matrix")
    np.testing.assert_array_equal(matrix["values"][0], pattern)
    (grid,) = pictures(at, "heads-grid")
    np.testing.assert_array_equal(grid["values"][0], record(at, all_heads.overview, Place()).shades())
    assert grid["selected"] == [1, 2] and grid["pickable"]
    assert plain(read_pattern(pattern, matrix["panels"][0]["rows"])) in said(at)


def test_treatments_and_the_pinned_row_come_from_the_url(open_page: Open) -> None:
    at = open_page(PAGE, t="the cat, the end.", hide="punctuation", least="10", pin="1")
    pattern = record(at, all_heads.patterns, Place()).pattern[0]
    (matrix,) = pictures(at, "heads-matrix")
    labels = matrix["panels"][0]["cols"]
    hidden = [n for n, label in enumerate(labels) if label.split(":")[1] in ",."]
    expected = hide_and_renormalise(pattern, hidden)
    np.testing.assert_allclose(matrix["values"][0], np.where(expected < 0.1, 0, expected), atol=1e-7)
    assert matrix["panels"][0]["outlines"] == [[1, None]]
    assert "Hidden as keys" in said(at) and "below 10" in said(at) and "divided by what is left" in said(at)


def test_a_pin_past_the_end_of_the_text_pins_nothing(open_page: Open) -> None:
    at = open_page(PAGE, t="cat", pin="400")
    assert pictures(at, "heads-matrix")[0]["panels"][0]["outlines"] == []


def test_the_lines_are_the_patterns_of_the_layer(open_page: Open) -> None:
    at = open_page(PAGE, look="lines", whose="all heads", layer="2", pin="2", least="20")
    (lines,) = pictures(at, "heads-lines")
    np.testing.assert_array_equal(lines["values"][0], record(at, all_heads.patterns, Place("encoder", 1)).pattern)
    assert lines["pinned"] == 2 and lines["threshold"] == 0.2


def test_projections_and_contributions_are_the_tensors(open_page: Open) -> None:
    at = open_page(PAGE, look="Q, K, V", head="2")
    (picture,) = pictures(at, "heads-qkv")
    projected = record(at, all_heads.projections, Place())
    for shown, tensor in zip(picture["values"], (projected.q, projected.k, projected.v), strict=True):
        np.testing.assert_array_equal(shown, tensor[1])
    at.session_state["look"] = "adding up"
    at.run()
    added = record(at, all_heads.contributions, Place(head=1))
    (picture,) = pictures(at, "heads-sum")
    for shown, tensor in zip(picture["values"], [*added.every, added.b_o[None], added.attn_out], strict=True):
        np.testing.assert_array_equal(shown, tensor)
    np.testing.assert_allclose(sum(picture["values"][:-1]), picture["values"][-1], atol=1e-5)
    assert "add up to the output" in said(at)


def test_scores_that_no_head_can_have_are_explained(open_page: Open) -> None:
    at = open_page(PAGE, look="what heads do", behaviour="Induction", t="one two three")
    assert "repeats in this text" in said(at)
    at = open_page(PAGE, look="what heads do", behaviour="Induction", kind="encoder-decoder", attention="cross")
    assert "different texts" in said(at)
    at.session_state["task"] = "all scores"
    at.run()
    (frame,) = at.dataframe
    table = record(at, all_heads.behaviours, Place("decoder", cross=True)).table
    np.testing.assert_allclose(frame.value["Entropy (bits)"], table.entropy.ravel())
    assert len(frame.value.columns) == len(DESCRIPTORS) + 1 and frame.value["Induction (share)"].isna().all()


@pytest.mark.parametrize("rolled", [False, True])
def test_layers_are_averages_or_rollout(open_page: Open, rolled: bool) -> None:
    at = open_page(PAGE, look="over layers", combine="rollout" if rolled else "average")
    (picture,) = pictures(at, "heads-layers")
    np.testing.assert_array_equal(picture["values"], record(at, all_heads.mixing, Place(), rolled).layers)


def test_ablation_shows_the_pattern_of_both_runs(open_page: Open) -> None:
    at = open_page(PAGE, look="ablate", effect="this pattern", off=["L1H2", "L1H4"], layer="2", head="3")
    place = Place("encoder", 1)
    before = record(at, all_heads.patterns, place).pattern[2]
    run: Run = at.session_state["run"]
    at.session_state["run"] = replace(run, edits=(ablate_head(0, 1), ablate_head(0, 3)))
    after = record(at, all_heads.patterns, place).pattern[2]
    (picture,) = pictures(at, "heads-before-after")
    np.testing.assert_array_equal(picture["values"][0], before)
    np.testing.assert_array_equal(picture["values"][1], after)
    assert pictures(at, "heads-grid")[0]["hidden"] == [[0, 1], [0, 3]]


def test_without_a_choice_the_chosen_head_is_silenced(open_page: Open) -> None:
    at = open_page(PAGE, look="ablate", head="2", kind="decoder", effect="next token")
    expected = record(at, ablation.ablate, Place("decoder"), (ablate_head(0, 1, "decoder"),))
    (frame,) = at.dataframe
    np.testing.assert_allclose(frame.value["after"], [after for _, _, after in expected.next_pieces], rtol=1e-5)
    assert "switching off layer 1" in said(at)


def test_the_url_may_name_only_what_there_is() -> None:
    known = choices.PAGES
    assert refused({"off": ["L1H1", "L2H2"], "look": ["lines"], "pin": ["3"], "hide": ["last token"]}, known) == []
    assert len(refused({"off": ["L99H1"], "look": ["<b>"], "pin": ["512"], "hide": ["x"]}, known)) == 4
    (sentence,) = refused({"off": ["L99H1"]}, known)
    assert len(sentence) < 250
