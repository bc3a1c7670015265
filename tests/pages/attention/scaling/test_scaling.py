"""The page about scores and scaling: every view opens with anything, and shows the core's own numbers."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.topics.scaling.analysis import WIDTHS, measure_softmax, measure_variance, theory_of_ties
from core.topics.scaling.comparison import compare, own_scores, rescored
from core.topics.scaling.readings import read_entropies, read_gradients, read_variances, read_weights
from core.topics.self_attention import one_head
from core.topics.self_attention.cells import cell
from core.topics.self_attention.records import HeadRecord
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.scaling.page import PAGE
from pages.attention.scaling.settings import COL, DRAWN_FROM, DRAWS, KEYS, ROW, SCORE, SEED, SHOWN_QUANTITY, WIDTH
from pages.canvas.matrices.matrices import Matrices
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.url_params import refused
from pages.shell.view import Shown
from pages.widgets.chart import Chart
from pages.widgets.parts import Cards
from pages.widgets.place import HEAD
from pages.widgets.setting import Values
from tests.pages.conftest import Open
from tests.pages.house import KNOWN, path_of
from tests.pages.screen import HOSTILE, called, views

show_scores = PAGE.view("four scores").show
show_variance = PAGE.view("variance").show
show_weights = PAGE.view("weights").show
show_entropy = PAGE.view("entropy").show
show_gradient = PAGE.view("gradient").show

TEXT = "the animal crossed the street"
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder", "score": "general", "pos": "rotary"},
    {"kind": "encoder-decoder", "attention": "cross", "layer": "3", "head": "2", "t": HOSTILE, "tt": HOSTILE},
    {
        "t": "a",
        "pos": "none",
        "scaling_keys": "1",
        "scaling_draws": "2",
        "scaling_drawn_from": "signs",
        "scaling_width": "1",
    },
    {"pos": "alibi", "score": "additive", "mask": ["padding", "block"], "pads": "3", "block": "1"},
    {"d": "2", "h": "1", "n": "1", "dk": "1", "scaling_row": "900", "scaling_col": "900", "scaling_width": "1024"},
    {"kind": "decoder", "t": "a cat, a dog. " * 200, "dtype": "bfloat16", "h": "16", "n": "2", "dk": "256"},
    {"model": "storyteller-small", "scaling_score": "additive", "scaling_keys": "64"},
]


def run_of(text: str = TEXT, **chosen: Any) -> Run:
    return make_run(DEFAULTS | chosen, text, "")


def head_of(run: Run, head: int = 0) -> HeadRecord:
    return cache.compute(one_head.head, run, HeadAddress(run.config.stacks[0], head=head))


def chart_of(shown: Shown) -> Chart:
    chart = shown.pictures[-1]  # the two bars of a newcomer's view are above it
    assert isinstance(chart, Chart)
    return chart


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(path_of(PAGE), **params)
    assert list(views(at, PAGE.look_at)) == [view.name for view in PAGE.views]


@pytest.mark.parametrize("what", SHOWN_QUANTITY.options)
def test_the_four_matrices_are_the_four_scores(what: str) -> None:
    run = run_of("the cat sat", kind="decoder")
    shown = show_scores(run, Values({SHOWN_QUANTITY: what, SEED: 5, SCORE: "general", ROW: 2, COL: 1}))
    (cards,) = shown.pictures
    assert isinstance(cards, Cards)
    matrices = [part for card in cards.cards for part in card if isinstance(part, Matrices)]
    assert [matrix.panels[0].name for matrix in matrices] == list(SCORE.options)
    for matrix, one in zip(matrices, compare(head_of(run), 5), strict=True):
        (panel,) = matrix.panels
        later = np.triu(np.ones((len(one.pattern),) * 2), 1) > 0
        weights = np.where(later, -np.inf, one.pattern)
        np.testing.assert_array_equal(panel.values, weights if what == "weights" else one.masked)
        chosen = panel.name == "general"
        assert (panel.selected, list(panel.outlines)) == ((2, 1) if chosen else None, [] if chosen else [(2, 1)])
        assert matrix.opened is not None
        assert matrix.opened.sets(panel.name, 0, 1) == {SCORE.key: panel.name, ROW.key: 0, COL.key: 1}


def words_of(shown: Shown) -> str:
    (cards,) = shown.pictures
    assert isinstance(cards, Cards)
    return " ".join(getattr(part, "text", "") for card in cards.cards for part in card)


def test_what_a_score_has_to_learn_is_written_out() -> None:
    words = words_of(show_scores(run_of(d=32, h=2), Values({SEED: 5})))
    assert "**528** = 2 d_k² + d_k = 2 · 16² + 16" in words and "**256** = d_k² = 16²" in words
    assert "W is random, from seed 5" in words and words.count("The model's own score") == 1


@pytest.mark.parametrize("number", range(4))
def test_the_cells_arithmetic_is_written_out(number: int) -> None:
    run, name = run_of("the cat sat"), SCORE.options[number]
    record = head_of(run)
    one = compare(record, 0)[number]
    shown = show_scores(run, Values({SCORE: name, ROW: 1, COL: 2})).arithmetic
    for matrix in ("raw S", "S", "masked S", "A"):
        expected = cell(rescored(record, one), matrix, 1, 2).text
        whose = expected if one.own else expected.replace("the model's value", "computed in float32")
        assert whose in shown, matrix
    assert ("the model's value" in shown) == (name == "scaled dot")


def test_alibis_penalty_is_said_only_where_it_is() -> None:
    assert any(show_scores(run_of(pos="alibi"), Values()).notes) and not any(show_scores(run_of(), Values()).notes)


def test_the_variance_is_what_was_measured() -> None:
    run = run_of()
    shown = show_variance(run, Values({DRAWN_FROM: "uniform", DRAWS: 40, SEED: 9, HEAD: "2"}))
    found, own = measure_variance("uniform", 40, 9), own_scores(head_of(run, 1))
    frame = chart_of(shown).data
    measured, mine = frame[frame["own"].isna()], frame[frame["own"].notna()]
    np.testing.assert_allclose(measured["mean"], [*found.raw.mean, *found.scaled.mean], rtol=1e-6)
    np.testing.assert_allclose(measured["theory"], [*WIDTHS, *[1] * len(WIDTHS)])
    np.testing.assert_allclose(mine["own"], [own.variance, own.variance / 16], rtol=1e-6)
    assert mine["width"].tolist() == [16, 16] and "Diamonds" in shown.about
    assert shown.takeaway[:2] == read_variances(found)
    assert f"This head's {own.pairs:,} dot products" in shown.takeaway[2]


def test_one_token_has_no_variance_to_mark() -> None:
    shown = show_variance(run_of("cat"), Values())
    assert "single dot product has no variance" in shown.takeaway[2] and "Diamonds" not in shown.about
    assert chart_of(shown).data["own"].isna().all()


def test_the_weights_are_what_was_measured() -> None:
    values = Values({DRAWN_FROM: "signs", DRAWS: 30, KEYS: 5, SEED: 2, WIDTH: "256"})
    found = measure_softmax("signs", 30, 5, 2)
    shown = show_weights(run_of(), values)
    expected = [*found.raw.weights.mean[8], *found.scaled.weights.mean[8]]
    np.testing.assert_allclose(chart_of(shown).data["mean"], expected, rtol=1e-6, atol=1e-9)
    assert tuple(shown.takeaway[:2]) == read_weights(found, 8) and shown.takeaway[2].startswith("In this head")
    assert shown.takeaway[1] == "Here d_k = 256, and a query has 5 weights."
    many = show_weights(run_of(), Values({DRAWS: 10, KEYS: 16, WIDTH: "256"}))
    drawn = chart_of(many).data["rank"].max()
    assert many.takeaway[1] == f"Here d_k = 256, and a query has 16 weights, of which the {drawn} largest are drawn."
    assert r"\sqrt{256} = 16" in shown.formula


@pytest.mark.parametrize("name", ["entropy", "gradient"])
def test_entropy_and_gradient_are_what_was_measured(name: str) -> None:
    show, read = {"entropy": (show_entropy, read_entropies), "gradient": (show_gradient, read_gradients)}[name]
    found, run = measure_softmax("signs", 30, 5, 2), run_of()
    shown = show(run, Values({DRAWN_FROM: "signs", DRAWS: 30, KEYS: 5, SEED: 2}))
    frame, own = chart_of(shown).data, own_scores(head_of(run))
    raw, scaled = (getattr(each, name) for each in (found.raw, found.scaled))
    np.testing.assert_allclose(frame["mean"][:-2], [*raw.mean, *scaled.mean], rtol=1e-6)
    assert own.raw and own.scaled
    np.testing.assert_allclose(frame["own"][-2:], [getattr(own.raw, name), getattr(own.scaled, name)], rtol=1e-6)
    theory = theory_of_ties(5)[name == "gradient"]
    np.testing.assert_allclose(frame["theory"][: len(WIDTHS)], theory, rtol=1e-6)
    assert shown.takeaway[:2] == read(found)
    assert f"{getattr(own.raw, name):.3g} without scaling" in shown.takeaway[2]
    if name == "entropy":
        np.testing.assert_allclose(frame["limit"][:-2], np.log2(5), rtol=1e-6)


def test_a_head_that_may_look_at_nothing_says_nothing_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("cat")
    own = replace(own_scores(head_of(run)), raw=None, scaled=None)
    monkeypatch.setattr("pages.attention.scaling.queries.own_scores", lambda run, place: own)
    assert len(show_entropy(run, Values()).takeaway) == 2 and len(show_weights(run, Values()).takeaway) == 2


def as_list(tables: Any) -> list[Any]:
    return list(tables) if isinstance(tables, list) else [tables]


def test_the_tables_hold_the_spread() -> None:
    found = measure_softmax("normal", 10, 16, 0)
    (frame,) = as_list(show_gradient(run_of(), Values({DRAWS: 10})).table)
    both = [*found.raw.gradient.error, *found.scaled.gradient.error]
    np.testing.assert_allclose(frame.frame()["standard error"], both)
    frame, own = as_list(show_weights(run_of(), Values({DRAWS: 10, WIDTH: "64"})).table)
    low = [*found.raw.weights.low[6], *found.scaled.weights.low[6]]
    np.testing.assert_allclose(frame.frame()["5%"], low)
    assert list(frame.rows)[:2] == ["q·k as it is, weight 1", "q·k as it is, weight 2"]
    found_own = own_scores(head_of(run_of()))
    assert found_own.raw and found_own.scaled
    assert own.values.tolist() == [[found_own.width, found_own.raw.largest, found_own.scaled.largest]]


def test_the_url_may_name_only_what_there_is() -> None:
    good = {PAGE.look_at.key: "gradient", DRAWN_FROM.key: "uniform", WIDTH.key: "1024", KEYS.key: "512", DRAWS.key: "2"}
    bad = {PAGE.look_at.key: "<b>", DRAWN_FROM.key: "dice", WIDTH.key: "3.5", KEYS.key: "513", DRAWS.key: "1"}
    assert refused({key: [value] for key, value in good.items()}, KNOWN) == []
    assert len(refused({key: [value] for key, value in (bad | {SEED.key: "-1"}).items()}, KNOWN)) == len(bad) + 1


def test_charts_are_saved_as_svg(open_page: Open) -> None:
    at = open_page(path_of(PAGE), scaling_view="entropy")
    charts = at.get("vega_lite_chart")
    assert len(charts) == 2  # the two bars, and the lines
    for chart in charts:
        assert json.loads(chart.proto.spec)["usermeta"] == {"embedOptions": {"renderer": "svg"}}
