"""The page about scores and scaling: every view opens with anything, and shows the core's own numbers."""

import json
from typing import Any

import numpy as np
import pytest
from pages.ui.address import refused
from pages.ui.say import plain
from streamlit.testing.v1 import AppTest

from core.analysis.scaling import WIDTHS, measure_softmax, measure_variance, theory_of_ties
from core.explorer.head import one_head
from core.explorer.head.cells import cell
from core.explorer.head.records import HeadRecord
from core.explorer.scaling.comparison import compare, own_scores, rescored
from core.explorer.shared.places import Place
from core.readings.scaling import read_entropies, read_gradients, read_variances, read_weights
from core.tracing.run import Run
from pages.ui import choices
from pages.ui.scaling.choices import FITS, SHOWN, SOURCE, VIEW
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, behind, called, charts, pictures, said, views

PAGE = "pages/attention/scaling.py"
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder", "score": "general", "pos": "rotary"},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2", "t": HOSTILE, "tt": HOSTILE},
    {"t": "a", "pos": "none", "skeys": "1", "seach": "2", "sdraw": "signs", "sdk": "1"},
    {"pos": "alibi", "score": "additive", "mask": ["padding", "block"], "pads": "3", "block": "1"},
    {"d": "2", "h": "1", "n": "1", "dk": "1", "row": "900", "col": "900", "sdraw": "uniform", "sdk": "1024"},
    {"kind": "decoder", "t": "a cat, a dog. " * 200, "dtype": "bfloat16", "h": "16", "n": "2", "dk": "256"},
    {"model": "storyteller-small", "sfit": "additive", "skeys": "64"},
]


def head_of(at: AppTest, place: Place | None = None) -> HeadRecord:
    run: Run = at.session_state["run"]
    return one_head.head(*behind(at), place or Place(run.config.stacks[0]))


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(PAGE, **params)
    assert list(views(at, VIEW)) == list(VIEW.options)


def test_an_empty_text_leaves_the_page_standing(open_page: Open) -> None:
    at = open_page(PAGE, t="")
    assert at.error and len(pictures(at, "scaling-")) == 4


@pytest.mark.parametrize("shown", SHOWN.options)
def test_the_four_matrices_are_the_four_scores(open_page: Open, shown: str) -> None:
    at = open_page(PAGE, t="the cat sat", sshow=shown, sseed="5", kind="decoder", row="2", col="1", sfit="general")
    scored = compare(head_of(at), 5)
    shots = pictures(at, "scaling-")
    assert [shot["panels"][0]["name"] for shot in shots] == list(FITS)
    for shot, one in zip(shots, scored, strict=True):
        np.testing.assert_array_equal(shot["values"][0], one.pattern if shown == "weights" else one.masked)
        (panel,) = shot["panels"]
        assert (panel["selected"] or panel["outlines"][0]) == [2, 1]
        assert (panel["selected"] is not None) == (panel["name"] == "general")
    assert "W is fresh, from seed 5" in said(at) and said(at).count("The model's own score") == 1


def test_parameters_and_the_cells_arithmetic_are_written_out(open_page: Open) -> None:
    at = open_page(PAGE, t="the cat sat", d="32", h="2", sfit="additive", row="1", col="2")
    assert "**528** = 2 d_k² + d_k = 2 · 16² + 16" in said(at) and "**256** = d_k² = 16²" in said(at)
    record = head_of(at)
    for fit, one in zip(FITS, compare(record, 0), strict=True):
        at.session_state["sfit"] = fit
        at.run()
        shown = at.code[0].value
        for name in ("raw S", "S", "masked S", "A"):
            expected = cell(rescored(record, one), name, 1, 2).text
            whose = expected if one.own else expected.replace("the model's value", "computed in float32")
            assert whose in shown, (fit, name)
        assert ("the model's value" in shown) == (fit == "scaled dot")


def test_the_variance_is_what_was_measured(open_page: Open) -> None:
    at = open_page(PAGE, sview="variance", sdraw="uniform", seach="40", sseed="9", head="2")
    found, own = measure_variance("uniform", 40, 9), own_scores(head_of(at, Place(head=1)))
    frame = charts(at)[0]
    measured = frame[frame["own"].isna()]
    np.testing.assert_allclose(measured["mean"], [*found.raw.mean, *found.scaled.mean], rtol=1e-6)
    np.testing.assert_allclose(measured["theory"], [*WIDTHS, *[1] * len(WIDTHS)])
    mine = frame[frame["own"].notna()]
    np.testing.assert_allclose(mine["own"], [own.variance, own.variance / 16], rtol=1e-6)
    assert mine["width"].tolist() == [16, 16]
    assert plain(read_variances(found)) in said(at) and "This head\\'s 225 dot products" in said(at)


def test_one_token_has_no_variance_to_mark(open_page: Open) -> None:
    at = open_page(PAGE, sview="variance", t="cat")
    assert "single dot product has no variance" in said(at) and "Diamonds" not in said(at)
    assert charts(at)[0]["own"].isna().all()


def test_weights_entropy_and_gradient_are_what_was_measured(open_page: Open) -> None:
    at = open_page(PAGE, sview="weights", sdraw="signs", seach="30", skeys="5", sseed="2", sdk="256")
    found = measure_softmax("signs", 30, 5, 2)
    frame = charts(at)[0]
    np.testing.assert_allclose(
        frame["mean"], [*found.raw.weights.mean[8], *found.scaled.weights.mean[8]], rtol=1e-6, atol=1e-9
    )
    assert plain(read_weights(found, 8)) in said(at)
    for view, read in (("entropy", read_entropies), ("gradient", read_gradients)):
        at.session_state["sview"] = view
        at.run()
        frame = charts(at)[0]
        raw, scaled = (getattr(each, view) for each in (found.raw, found.scaled))
        np.testing.assert_allclose(frame["mean"], [*raw.mean, *scaled.mean], rtol=1e-6)
        theory = theory_of_ties(5)[view == "gradient"]
        np.testing.assert_allclose(frame["theory"][: len(WIDTHS)], theory, rtol=1e-6)
        assert plain(read(found)) in said(at) and "In this head" in said(at)


def test_a_head_that_may_look_at_nothing_says_so(open_page: Open) -> None:
    at = open_page(PAGE, mask="prefix", prefix="0", kind="encoder", t="cat")
    assert not at.exception and not at.error


def test_the_table_holds_the_spread(open_page: Open) -> None:
    at = open_page(PAGE, sview="gradient", seach="10")
    at.session_state["scaling-gradient-numbers-table"] = True
    at.run()
    (frame,) = at.dataframe
    found = measure_softmax("normal", 10, 16, 0)
    np.testing.assert_allclose(frame.value["standard error"], [*found.raw.gradient.error, *found.scaled.gradient.error])


def test_the_url_may_name_only_what_there_is() -> None:
    good = {"sview": ["gradient"], "sdraw": [SOURCE.options[1]], "sdk": ["1024"], "skeys": ["512"], "seach": ["2"]}
    assert refused(good, choices.PAGES) == []
    bad = {"sview": ["<b>"], "sdraw": ["dice"], "sdk": ["3.5"], "skeys": ["513"], "seach": ["1"], "sseed": ["-1"]}
    assert len(refused(bad, choices.PAGES)) == len(bad)


def test_charts_are_saved_as_svg(open_page: Open) -> None:
    at = open_page(PAGE, sview="entropy")
    (chart,) = at.get("vega_lite_chart")
    assert json.loads(chart.proto.spec)["usermeta"] == {"embedOptions": {"renderer": "svg"}}
