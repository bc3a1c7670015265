"""The heads page in the app: every view opens with anything a visitor can set, and keeps to the address."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.readings.patterns import read_link
from core.registry import parse_source
from core.topics.heads import all_heads
from core.topics.shared.places import HeadAddress
from pages.attention.heads.page import PAGE
from pages.attention.heads.settings import COMBINED_BY, EFFECT, TASK
from pages.shell.url_params import refused
from pages.widgets.words import plain
from tests.pages.attention.heads.looking import made, run_with
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, called, look, pictures, said, views

FILE = "pages/attention/heads/page.py"
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder"},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2"},
    {"kind": "decoder", "t": "cat", "heads-pin": "0", "heads-unit": "words"},
    {
        "t": HOSTILE,
        "pos": "rotary",
        "heads-unit": "words",
        "heads-hide": ["punctuation", "first token"],
        "heads-pin": "3",
    },
    {
        "pos": "alibi",
        "score": "additive",
        "norm": "pre",
        "residual": "false",
        "normkind": "rmsnorm",
        "heads-least": "60",
    },
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
    *({"heads-view": view.name, "heads-whose": "all heads"} for view in PAGE.views),
    *({"heads-view": "what heads do", "heads-task": task} for task in TASK.options),
    *({"heads-view": "layers combined", "heads-combine": combine} for combine in COMBINED_BY.options),
    *({"heads-view": "switch off", "heads-effect": effect, "heads-off": ["L1H1"]} for effect in EFFECT.options),
]


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(FILE, **params)
    for view in VIEWS:
        look(at, **view)
        assert "None" not in said(at), view
        rolled = view.get("heads-combine") == "rollout" and params.get("attention") == "cross"
        assert [error.value for error in at.error] == (
            [plain("Rollout follows one text through the layers; in cross-attention two texts meet.")] if rolled else []
        )


def test_the_matrix_and_the_grid_are_the_patterns(open_page: Open) -> None:
    at = open_page(FILE, layer="2", head="3", t="the cat sat")
    run = run_with("the cat sat")
    pattern = made(run, all_heads.patterns, HeadAddress("encoder", 1)).pattern[2]
    (matrix,) = pictures(at, "heads-matrix")
    np.testing.assert_array_equal(matrix["values"][0], pattern)
    (grid,) = pictures(at, "heads-grid")
    np.testing.assert_array_equal(grid["values"][0], made(run, all_heads.overview, HeadAddress()).shades())
    assert grid["selected"] == [1, 2] and grid["pickable"]
    assert all(plain(sentence) in said(at) for sentence in read_link(pattern, matrix["panels"][0]["rows"]))


def test_layers_that_overflow_are_left_out_with_one_sentence(open_page: Open) -> None:
    params = {"norm": "none", "act": "swiglu", "n": "12"}
    at = open_page(FILE, **params)
    assert not at.error and pictures(at, "heads-matrix")
    assert "because nothing normalises them" in said(at)
    assert len(pictures(at, "heads-grid")[0]["values"][0]) < 12
    at = open_page(FILE, **params, layer="12")
    (error,) = at.error
    assert "because nothing normalises them" in error.value
    for view in PAGE.views[2:]:
        look(at, **{"heads-view": view.name})
        if view.name == "over many texts":  # which has no record of random weights, and runs nothing
            continue
        assert len(at.error) == 1, view.name


def test_the_step_of_training_is_chosen_for_all_views(open_page: Open) -> None:
    at = open_page(FILE, model="toy-copy", **{"heads-step-of-training": "300", "heads-view": "all heads"})
    assert "The weights after 300 of 2,000 steps." in said(at)
    run = run_with(str(at.text_input(key="t").value), trained="toy-copy")
    for step, name in (("300", "toy-copy/steps/000300"), ("end", "toy-copy")):
        look(at, **{"heads-step-of-training": step})
        layer, head = (int(at.session_state[key]) - 1 for key in ("layer", "head"))
        at_step = replace(run, source=parse_source(name))
        pattern = made(at_step, all_heads.patterns, HeadAddress("decoder", layer)).pattern[head]
        (matrix,) = pictures(at, "heads-matrix")
        np.testing.assert_array_equal(np.nan_to_num(matrix["values"][0], neginf=0), pattern)
        assert np.isneginf(matrix["values"][0][0, 1:]).all()
    for _ in views(at, PAGE.look_at):
        assert "The weights at the end of training, after 2,000 steps." in said(at)


def test_the_address_may_name_only_what_there_is() -> None:
    known = PAGE.all_settings
    right = {"heads-off": ["L1H1", "L2H2"], "heads-view": ["lines"], "heads-pin": ["3"], "heads-hide": ["last token"]}
    wrong = {"heads-off": ["L999H1"], "heads-view": ["<b>"], "heads-pin": ["512"], "heads-hide": ["x"]}
    assert refused(right, known) == []
    assert len(refused(wrong, known)) == 4
    (sentence,) = refused({"heads-off": ["L999H1"]}, known)
    assert len(sentence) < 250
