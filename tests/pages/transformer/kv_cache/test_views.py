"""What the views of a KV cache show is what the core computes: each view is called by itself."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.analysis.kv_costs import cache_bytes, operations, with_cache, without_cache
from core.readings.kv_cache import counted, stored
from core.topics.generate import setup, texts
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import KINDS, MOVES, TimesAlong, Timing
from core.topics.kv_cache.steps import cache_step, check_cache, unchanged
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas import TokenButtons
from pages.canvas.matrices.matrices import Matrices
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown, View
from pages.transformer.kv_cache.page import PAGE
from pages.transformer.kv_cache.settings import ATTENTION, BATCH, COUNT
from pages.transformer.kv_cache.timing import time_chart
from pages.widgets.chart import Chart
from pages.widgets.parts import Columns, Message
from pages.widgets.place import HEAD, LAYER
from pages.widgets.setting import Setting, Values
from pages.widgets.source import source
from pages.widgets.table import Table
from tests.pages.screen import HOSTILE

FRESH = {"kind": "decoder", "d": 16, "h": 2, "n": 2, "tok": "unigram-1000"}
BOTH = FRESH | {"kind": "encoder-decoder"}
Chosen = dict[Setting, Any]


def run_of(settings: dict[str, Any], text: str = "the cat sat") -> Run:
    """A run of fresh weights, or of the storyteller where nothing is said of them."""
    trained = None if settings else cache.trained("storyteller")
    return make_run(DEFAULTS | settings, text, "the dog", trained)


def moment_of(chosen: Chosen, settings: dict[str, Any]) -> tuple[Moment, Values]:
    values = Values(chosen)
    return PAGE.subject(run_of(settings), values), values


def shown(view: str, chosen: Chosen, settings: dict[str, Any] = FRESH) -> Shown:
    return PAGE.view(view).show(*moment_of(chosen, settings))


def behind(settings: dict[str, Any], count: int) -> tuple[Any, Any, Run, tuple[int, ...], int]:
    """Model, tokenizer, run, what the decoder has read after `count` steps, and how much of it the text began with."""
    run = run_of(settings)
    model, tokenizer = cache.compute(lambda model, tokenizer, run: (model, tokenizer), run)
    start = setup.start_ids(tokenizer, run)
    written = texts.generate_tokens(model, tokenizer, run, max_tokens=count) if count else ()
    return model, tokenizer, run, (*start, *(each.chosen for each in written)), len(start)


@pytest.mark.parametrize("view", PAGE.views, ids=lambda view: view.name)
@pytest.mark.parametrize(
    ("settings", "chosen", "text"),
    [
        (FRESH, {COUNT: 0}, "cat"),
        (FRESH | {"pos": "rotary", "score": "additive", "norm": "none"}, {COUNT: 4}, HOSTILE),
        (FRESH | {"n": 1}, {COUNT: 4}, "a cat, a dog. " * 200),
        (BOTH | {"score": "general"}, {COUNT: 0, ATTENTION: "cross"}, "the cat sat"),
        (BOTH | {"dk": 3, "dv": 5}, {COUNT: 4, ATTENTION: "cross", LAYER: "2", HEAD: "2"}, "the cat sat"),
    ],
    ids=range(5),
)
def test_every_view_is_made_of_everything(view: View, settings: dict[str, Any], chosen: Chosen, text: str) -> None:
    values = Values(chosen)
    made = view.show(PAGE.subject(run_of(settings, text), values), values)
    assert made.pictures and all(source(path) for path in made.source)


def charts_of(view: Shown) -> list[Chart]:
    parts = [part for each in view.pictures for part in _inside(each)]
    return [part for part in parts if isinstance(part, Chart)]


def _inside(part: Any) -> list[Any]:
    return [each for column in part.columns for each in column] if isinstance(part, Columns) else [part]


def tables_of(view: Shown) -> list[Table]:
    assert isinstance(view.table, list)
    return [table for table in view.table if isinstance(table, Table)]


def table_of(view: Shown) -> Table:
    assert isinstance(view.table, Table)
    return view.table


def values_of(data: pd.DataFrame, kind: str) -> list[float]:
    return list(data[data.kind == kind].value)


@pytest.mark.parametrize(
    ("settings", "count", "layer", "head"), [({}, 4, 1, 1), ({}, 2, 4, 7), ({}, 0, 1, 1), (FRESH, 3, 2, 2)]
)
def test_the_picture_is_the_step(settings: dict[str, Any], count: int, layer: int, head: int) -> None:
    model, tokenizer, run, ids, start = behind(settings, count)
    new = len(ids) if len(ids) == start else 1
    record = cache_step(model, tokenizer, run, ids, new, HeadAddress("decoder", layer - 1, head - 1))
    view = shown("one step", {COUNT: count, LAYER: str(layer), HEAD: str(head)}, settings)
    vectors, weights = view.pictures
    assert isinstance(vectors, Matrices) and isinstance(weights, Matrices)
    for panel, tensor in zip(vectors.panels, (record.q, record.k, record.v), strict=True):
        np.testing.assert_allclose(panel.values, tensor, atol=1e-5)
    np.testing.assert_allclose(weights.panels[0].values, record.scores, atol=1e-5)
    seen = np.isfinite(record.scores)
    np.testing.assert_allclose(weights.panels[1].values[seen], record.pattern[seen], atol=1e-6)
    assert {panel.faded for panel in vectors.panels} == {len(ids) - new}
    assert [panel.grey for panel in vectors.panels] == [True, False, False]
    assert all(list(panel.outlines) == ([(len(ids) - 1, None)] if new == 1 else []) for panel in vectors.panels)
    kept, apart = tables_of(view)
    np.testing.assert_allclose(kept.values, np.concatenate([record.k, record.v], axis=1), atol=1e-5)
    assert list(apart.columns) == list(record.differences) and apart.values.max() < 1e-4


@pytest.mark.parametrize("over", ["self", "cross"])
def test_every_matrix_of_a_step_names_its_rows_and_columns(over: str) -> None:
    view = shown("one step", {COUNT: 3, ATTENTION: over}, BOTH | {"dk": 3, "dv": 5})
    named = {
        panel.name: (panel.row_axis, panel.col_axis)
        for picture in view.pictures
        if isinstance(picture, Matrices)
        for panel in picture.panels
    }
    assert named == {
        "q": ("queries", "d_k numbers"),
        "k": ("keys", "d_k numbers"),
        "v": ("values", "d_v numbers"),
        "scores": ("queries", "keys"),
        "pattern": ("queries", "keys"),
        "z": ("queries", "d_v numbers"),
    }


def test_the_sources_keys_are_kept() -> None:
    view = shown("one step", {COUNT: 3, ATTENTION: "cross"}, BOTH)
    vectors, _ = view.pictures
    assert isinstance(vectors, Matrices)
    keys = vectors.panels[1]
    assert keys.faded == len(keys.rows) == len(keys.values)
    assert "computed once" in view.takeaway[0]


def test_cross_attention_is_offered_where_there_is_a_source() -> None:
    for settings, offered in ((FRESH, False), (BOTH, True)):
        asked = [control.setting for control in PAGE.view("one step").controls(*moment_of({}, settings))]
        assert (ATTENTION in asked) == offered and asked[-2:] == [LAYER, HEAD]


def test_movements_are_the_cores() -> None:
    found = unchanged(*behind({}, 4)[:4])
    view = shown("why it may be kept", {COUNT: 4}, {})
    (chart,) = charts_of(view)
    for kind, values in zip(MOVES, (found.masked, found.unmasked), strict=True):
        np.testing.assert_allclose(values_of(chart.data, kind), values.max(1), atol=1e-5)


def test_one_token_alone_has_nothing_before_it_that_could_move() -> None:
    moment = PAGE.subject(run_of(FRESH | {"mask": ("causal",)}, text="a"), Values({COUNT: 0}))
    assert moment.length == 1
    view = PAGE.view("why it may be kept").show(moment, Values())
    (message,) = view.pictures
    assert isinstance(message, Message) and "Only one token has been read" in message.text and not view.takeaway


@pytest.mark.parametrize(("settings", "count"), [(FRESH, 4), (BOTH, 4), (BOTH, 0)])
def test_operations_are_the_cores(settings: dict[str, Any], count: int) -> None:
    _, tokenizer, run, ids, start = behind(settings, count)
    source = 0 if settings is FRESH else len(tokenizer.encode("the cat sat", limit=40).ids)
    mine, other = with_cache(len(ids), source, start), without_cache(len(ids), source)
    view = shown("operations", {COUNT: count}, settings)
    bars, lines = (chart.data for chart in charts_of(view))
    for kind, each in zip(KINDS, (mine, other), strict=True):
        terms = operations(run.config, each)
        assert values_of(bars, kind) == list(terms.values())
        assert counted(sum(terms.values())) in view.takeaway[1]
    last = lines[lines.tokens == 512].set_index("kind").value
    assert last["without a cache"] == sum(operations(run.config, without_cache(512, source)).values())
    assert last["with the cache"] == sum(operations(run.config, with_cache(512, source)).values())


def test_a_term_that_the_cache_spares_whole_has_no_ratio() -> None:
    table = table_of(shown("operations", {COUNT: 2}, BOTH))
    spared = list(table.rows).index("cross: keys and values")
    assert table.values[spared, 0] == 0 < table.values[spared, 1] and np.isnan(table.values[spared, 2])
    assert np.isfinite(np.delete(table.values, spared, axis=0)).all()


def test_bytes_are_the_cores() -> None:
    *_, run, ids, _ = behind({}, 4)
    held = cache_bytes(run.config, len(ids), 0, 8)
    view = shown("memory", {COUNT: 4, BATCH: 8}, {})
    assert stored(held) in view.takeaway[1] and f"{held:,}".replace(",", "{,}") in view.formula
    (chart,) = charts_of(view)
    full = chart.data[(chart.data.tokens == run.config.max_length) & (chart.data.kind == "the cache")].value
    assert list(full) == [cache_bytes(run.config, run.config.max_length, 0, 8) / 2**20]


def test_the_same_answer_step_by_step() -> None:
    model, tokenizer, run, ids, start = behind({}, 5)
    found = check_cache(model, tokenizer, run, ids, start)
    view = shown("same answer", {COUNT: 5}, {})
    (chart,) = charts_of(view)
    points = chart.data[chart.data.kind != "now"]
    assert list(points.tokens) == list(found.lengths)
    np.testing.assert_allclose(points.value, found.difference, atol=1e-4)
    same = "With the cache and without, the model chooses the same token at all 6 steps"
    assert view.takeaway[0] == f"{same}: the cache saves work and changes nothing."
    rows = [part for part in view.pictures if isinstance(part, TokenButtons)]
    assert [[token.piece for token in row.tokens] for row in rows] == [list(found.with_cache), list(found.without)]
    assert all(token.shade == 1 for row in rows for token in row.tokens)


def test_what_was_measured_is_what_is_drawn() -> None:
    timings = (Timing(1, 15, (1.0, 2.0, 3.0), (1.5, 2.5, 3.5)), Timing(9, 7, (2.0, 3.0, 4.0), (5.0, 6.0, 7.0)))
    found = TimesAlong(timings)
    data = time_chart(found, 4).data
    assert values_of(data, KINDS[0]) == [2.0, 3.0] and values_of(data, KINDS[1]) == [2.5, 6.0]
    assert list(data[data.kind == KINDS[1]].low) == [1.5, 5.0] and list(data[data.kind == KINDS[1]].high) == [3.5, 7.0]
    np.testing.assert_array_equal(found.table[0][1], [2, 3, 4, 5, 6, 7, 7])


@pytest.mark.parametrize("view", ["why it may be kept", "operations", "memory", "same answer"])
def test_charts_are_strict_json(view: str) -> None:
    for chart in charts_of(shown(view, {COUNT: 3})):
        assert json.loads(json.dumps(chart.spec, allow_nan=False))["title"]


def test_the_whole_context_leaves_nothing_to_write() -> None:
    moment = PAGE.subject(run_of(FRESH, text="a cat, a dog. " * 200), Values({COUNT: 4}))
    assert (moment.length, moment.start, moment.limit, moment.new, moment.over) == (512, 512, 512, 512, True)
