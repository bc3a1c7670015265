"""The step-by-step page: every view opens with anything a visitor can set, and shows the core's own numbers."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.topics.self_attention import one_head, steps
from core.topics.self_attention.cells import cell
from core.topics.self_attention.grids import grid, telling_column, telling_row
from core.topics.self_attention.records import HeadRecord
from core.topics.shared.places import HeadAddress
from pages.attention.self_attention.page import PAGE as TOPIC
from pages.attention.self_attention.settings import PROJECTION, STEP
from pages.canvas.matrices.matrices import Matrices, Panel
from tests.pages.conftest import Open
from tests.pages.screen import behind, look, unlinked

PAGE = "pages/attention/self_attention/page.py"
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/x.png) :red[x] $x$ مرحبا 👩‍🚀"
EXTREMES: list[dict[str, Any]] = [
    {"d": "2", "h": "1", "n": "1", "t": "a"},
    {"d": "64", "h": "16", "n": "12", "layer": "12", "head": "16", "t": "cat and dog " * 170},
    {"kind": "decoder", "pos": "rotary", "score": "additive", "dk": "6", "dv": "3"},
    {"kind": "encoder-decoder", "attention": "cross", "pos": "alibi", "score": "general"},
    {"kind": "encoder-decoder", "attention": "decoder", "pos": "alibi", "mask": ["as built", "padding", "block"]},
    {"mask": "prefix", "prefix": "0", "dtype": "bfloat16", "t": HOSTILE},
]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Panel]]:
    """The panels of every picture, as they are drawn."""
    pictures: list[dict[str, Panel]] = []
    real = Matrices.packed

    def keep(picture: Matrices) -> bytes:
        pictures.append({panel.name: panel for panel in picture.panels})
        return real(picture)

    monkeypatch.setattr(Matrices, "packed", keep)
    return pictures


def record_of(at: AppTest, place: HeadAddress) -> HeadRecord:
    return one_head.head(*behind(at), place)


@pytest.mark.parametrize("step", STEP.options)
def test_each_step_draws_the_tensors_of_this_run(step: str, open_page: Open, drawn: list[dict[str, Panel]]) -> None:
    at = open_page(PAGE, self_attention_step=step, kind="decoder", layer="2", head="3", t="the cat sat on the mat")
    record = record_of(at, HeadAddress("decoder", 1, 2))
    for name, panel in drawn[-1].items():
        np.testing.assert_array_equal(panel.values, grid(record, name).drawn[1])
    if "A" in drawn[-1]:
        np.testing.assert_array_equal(np.isneginf(drawn[-1]["A"].values), ~record.mask)
    assert list(drawn[-1]) == [name for name, _ in steps.make_step(record, step, PROJECTION.default).matrices]
    assert all(panel.unit for panel in drawn[-1].values() if panel.scale == "signed")


def test_the_arithmetic_on_screen_is_that_of_the_chosen_cell(open_page: Open, drawn: list[dict[str, Panel]]) -> None:
    at = open_page(PAGE, self_attention_step="2 score", self_attention_row="3", self_attention_col="1")
    expected = cell(record_of(at, HeadAddress()), "raw S", 3, 1)
    assert expected.text in [block.value for block in at.code]
    assert drawn[-1]["raw S"].selected == (3, 1)
    assert list(drawn[-1]["Q"].outlines) == [(3, None)]
    assert list(drawn[-1]["Kᵀ"].outlines) == [(None, 1)]


@pytest.mark.parametrize(("of", "one"), [("queries", "query"), ("keys", "key"), ("values", "value")])
def test_the_longest_row_is_called_by_one_word(of: str, one: str, open_page: Open) -> None:
    record = record_of(open_page(PAGE), HeadAddress())
    assert f" has the longest {one}: its length" in steps.make_step(record, "1 project", of).reading


def test_picking_a_cell_moves_the_controls(open_page: Open) -> None:
    at = open_page(PAGE, self_attention_step="2 score")
    (
        at.session_state["self-attention-matrix"],
        at.session_state["self-attention-row"],
        at.session_state["self-attention-col"],
    ) = "Q", 4, 2
    at.run()
    assert any(block.value.startswith("q4[2] = ") for block in at.code)


def test_each_step_opens_with_a_cell_of_its_own_result(open_page: Open, drawn: list[dict[str, Panel]]) -> None:
    at = open_page(PAGE, t="the cat sat")
    record = record_of(at, HeadAddress())
    for step in (*STEP.options, *reversed(STEP.options)):
        look(at, self_attention_step=step)
        result = steps.make_step(record, step, PROJECTION.default).result
        row = telling_row(record, result)
        opened = row, telling_column(record, result, row)
        assert cell(record, result, *opened).text in [block.value for block in at.code], step
        assert drawn[-1][result].selected == opened != (0, 0)


def test_a_chosen_cell_stays_in_the_steps_that_show_its_matrix(open_page: Open) -> None:
    at = open_page(PAGE, self_attention_step="3 scale", self_attention_matrix="S", self_attention_row="2")
    record = record_of(at, HeadAddress())
    for step, matrix in (("3 scale", "S"), ("4 mask", "S"), ("5 softmax", "A"), ("6 mix", "Z")):
        look(at, self_attention_step=step)
        assert cell(record, matrix, 2, telling_column(record, matrix, 2)).text in [block.value for block in at.code], (
            step
        )


def test_the_controls_stay_within_the_matrix(open_page: Open) -> None:
    at = open_page(
        PAGE,
        self_attention_step="5 softmax",
        t="one two three four",
        self_attention_row="3",
        self_attention_col="3",
    )
    assert any("A[3,3]" in block.value for block in at.code)
    at.text_input(key="t").set_value("one").run()
    rows = len(record_of(at, HeadAddress()).keys)
    assert at.number_input(key="self-attention-row").value == rows - 1
    assert any(f"A[{rows - 1},{rows - 1}]" in block.value for block in at.code)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"self_attention_step": "3 scale", "dk": "1"}, "divided by √d_k"),
        ({"self_attention_step": "3 scale", "score": "dot"}, "is not scaled"),
        ({"self_attention_step": "3 scale", "pos": "alibi"}, "grows with the distance"),
        ({"self_attention_step": "5 softmax", "mask": ["padding", "block"], "pads": "8"}, "stays at 0"),
        ({"self_attention_step": "1 project", "pos": "rotary"}, "turn it by an angle"),
    ],
)
def test_what_a_step_says_follows_the_settings(settings: dict[str, Any], words: str, open_page: Open) -> None:
    at = open_page(PAGE, **settings)
    assert any(words in unlinked(block.value) for block in at.markdown)


@pytest.mark.parametrize("view", TOPIC.look_at.options)
@pytest.mark.parametrize("settings", EXTREMES, ids=range(6))
def test_every_view_stands_every_extreme(view: str, settings: dict[str, Any], open_page: Open) -> None:
    at = open_page(PAGE, self_attention_view=view, **settings)
    assert not at.error, [error.value for error in at.error]


@pytest.mark.parametrize("step", STEP.options)
@pytest.mark.parametrize("settings", EXTREMES[2:5], ids=range(2, 5))
def test_every_step_stands_every_score_and_position(step: str, settings: dict[str, Any], open_page: Open) -> None:
    at = open_page(PAGE, self_attention_step=step, **settings)
    assert not at.error, [error.value for error in at.error]


def test_the_parts_of_the_scores_add_up(open_page: Open, drawn: list[dict[str, Panel]]) -> None:
    open_page(PAGE, self_attention_view="why it is not symmetric")
    picture = next(panels for panels in drawn if "anti" in panels)
    total = picture["symmetric"].values + picture["anti"].values
    np.testing.assert_allclose(total, picture["S"].values, atol=1e-5)
    np.testing.assert_array_equal(picture["ST"].values, np.transpose(picture["S"].values))
