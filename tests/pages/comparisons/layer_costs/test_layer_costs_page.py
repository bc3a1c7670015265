"""The page What a layer costs: each view on its own numbers, and measuring, which waits to be asked."""

from typing import Any

import numpy as np
import pytest

from core.model.layer_kinds import LAYER_KINDS, LayerSizes
from core.topics.layer_costs.analysis import layer_operations, layers_to_reach, table_operations
from core.topics.layer_costs.own_words import own_words
from core.topics.layer_costs.timing import SIZES
from core.tracing.run import Run
from pages.canvas import Matrices, TokenButtons
from pages.comparisons.layer_costs import measured, queries, settings
from pages.comparisons.layer_costs.page import PAGE
from pages.compute.heavy_queue import exclusive
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.widgets.chart import Chart
from pages.widgets.parts import Columns, Markdown, Message
from pages.widgets.progress import JobButton
from pages.widgets.setting import Values
from pages.widgets.table import Table
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import charts, said


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(DEFAULTS, "the wolf and the ship", "")


def shown(run: Run, view: str, values: dict[Any, Any] | None = None) -> Shown:
    chosen = Values(values)
    list(PAGE.view(view).controls(run, chosen))
    found: Shown = PAGE.view(view).show(run, chosen)
    return found


def test_each_word_is_drawn_with_its_step_and_the_operations_as_counted(run: Run) -> None:
    found = shown(run, "your text", {settings.D: "64", settings.K: 2})
    lines = [part for part in found.pictures if isinstance(part, TokenButtons)]
    readings = own_words(LayerSizes(5, 64, 2))
    for line, reading in zip(lines, readings, strict=True):
        assert [tile.piece for tile in line.tokens] == run.text.split()
        assert [tile.under for tile in line.tokens] == [f"step {step}" for step in reading.steps]
        assert [tile.shade for tile in line.tokens] == reading.reached.tolist()
    (columns,) = [part for part in found.pictures if isinstance(part, Columns)]
    for (chart,), field in zip(columns.columns, ("operations", "operations_longer"), strict=True):
        assert isinstance(chart, Chart)
        np.testing.assert_allclose(chart.data["value"], [getattr(reading, field) for reading in readings])


def test_one_word_is_answered_in_words_and_of_many_the_last_are_drawn() -> None:
    (message,) = shown(make_run(DEFAULTS, "wolf", ""), "your text").pictures
    assert isinstance(message, Message) and "at least two words" in message.text
    many = shown(make_run(DEFAULTS, " ".join(map(str, range(60))), ""), "your text")
    line = next(part for part in many.pictures if isinstance(part, TokenButtons))
    assert [tile.piece for tile in line.tokens] == [str(number) for number in range(20, 60)]
    assert many.notes == ["Of your 60 words the last 40 are drawn."]


def test_table_1_is_drawn_and_written_for_the_chosen_sizes(run: Run) -> None:
    found = shown(run, "table 1", {settings.N: "64", settings.D: "256"})
    (bars, text, columns), sizes = found.pictures, LayerSizes(64, 256, 3, 8)
    assert isinstance(columns, Columns) and isinstance(text, Markdown) and isinstance(found.table, Table)
    (operations,), (steps, paths) = columns.columns
    counts = [table_operations(kind, sizes) for kind in LAYER_KINDS]
    np.testing.assert_array_equal(found.table.values[:, 0], counts)
    assert isinstance(bars, Chart) and bars.data.value.tolist() == counts
    for chart, column in zip((operations, steps, paths), found.table.values.T, strict=True):
        assert isinstance(chart, Chart)
        here = chart.data[(chart.data.x == 64) & chart.data.y.notna()]
        np.testing.assert_array_equal(here.y, column)
    assert isinstance(operations, Chart) and set(operations.data[operations.data.y.isna()].x) == {64, 256}
    assert "4.19 million" in text.text and "1.05 million" in found.said[1] and "4 times as many" in found.said[0]


def test_the_path_is_drawn_from_the_gradients(run: Run) -> None:
    found = shown(run, "path length", {settings.LENGTH: 12, settings.R: "4"})
    bars, fields, chart = found.pictures
    assert isinstance(bars, Chart) and isinstance(fields, Matrices) and isinstance(chart, Chart)
    assert dict(zip(bars.data.label, bars.data.text, strict=True)) == {"recurrent, 1 layer": "12"} | {
        kind: str(layers_to_reach(kind, LayerSizes(12, 8, 3, 4))) for kind in LAYER_KINDS if kind != "recurrent"
    }
    for panel in fields.panels:
        first = int(np.flatnonzero(np.isfinite(panel.values[:, 0]))[0]) + 1
        drawn = chart.data[chart.data.kind == panel.name]
        assert first == layers_to_reach(panel.name, LayerSizes(12, 8, 3, 4)) == drawn.x.min()
    assert "4 windowed attention layers" in found.said[1]


def test_nothing_is_measured_unless_asked_for(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIZES, "n", SIZES["n"][:4])
    monkeypatch.setattr(measured, "MEASURE_SECONDS", 60)
    at = open_page(path_of(PAGE), layer_costs_view="measured", layer_costs_d="16")
    assert len(at.get("vega_lite_chart")) == 2 and "Not measured yet" in said(at)
    at.button(key="layer-costs-bench-measure").click().run()
    while at.button(key="layer-costs-bench-measure").label == "Stop":  # the clock of the page asks again and again
        at.run()
    assert not at.exception and not at.error
    counted, seconds, memory = charts(at)
    assert list(counted.label) == list(LAYER_KINDS)
    points = seconds[seconds.y.notna()]
    assert set(points.kind) == set(LAYER_KINDS) and len(points) == len(memory[memory.y.notna()]) == 4 * len(LAYER_KINDS)
    assert (points.low <= points.y).all() and (points.y <= points.high).all() and (points.low > 0).all()
    assert "times as long as" in said(at) and "Measure it." not in said(at)
    assert "the quickest" in said(at) and "exponent of the time" in said(at)
    at.session_state[settings.K.key] = 5
    at.run()
    assert "Not measured yet" in said(at), "another kernel, another measurement"


def test_a_stop_keeps_what_is_done(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "MEASURE_SECONDS", 60)
    at = open_page(path_of(PAGE), layer_costs_view="measured", layer_costs_d="16")
    at.button(key="layer-costs-bench-measure").click().run()
    while not at.get("progress"):
        at.run()
    assert at.button(key="layer-costs-bench-measure").label == "Stop" and "rounds" in str(at.get("progress")[0].proto)
    at.button(key="layer-costs-bench-measure").click().run()
    _, job = at.session_state["visit"].jobs[measured.BENCH]
    before = job.look()
    at.run()
    assert at.button(key="layer-costs-bench-measure").label == "Measure" and len(at.get("vega_lite_chart")) == 3
    assert job.look() == before and 0 < len(before) < 40


def test_a_measurement_goes_on_where_it_was_and_waits_for_others(run: Run) -> None:
    found = shown(run, "measured", {settings.D: "16"})
    bars, button = found.pictures
    assert isinstance(bars, Chart) and found.said[0].endswith("Is it slower too? Measure it.")
    counts = {kind: sum(layer_operations(kind, LayerSizes(SIZES["n"][-1], 16, 3, 8)).values()) for kind in LAYER_KINDS}
    assert dict(zip(bars.data.label, bars.data.value, strict=True)) == pytest.approx(counts)
    assert isinstance(button, JobButton) and isinstance(button.subject, measured.LayerBench)
    bench = button.subject
    first = next(queries.measured_layers(bench.tasks, "cpu", 5.0, None))
    again = next(queries.measured_layers(bench.tasks, "cpu", 5.0, first))
    assert first and again[: len(first)] == first and len(again) > len(first)
    with exclusive():
        job = bench.job()
        job.go_on()
        assert job.look(0.2) is None and job.running
        job.cancel()


def test_no_layer_chosen_is_answered_in_words(run: Run) -> None:
    (message,) = shown(run, "measured", {settings.KINDS: ()}).pictures
    assert isinstance(message, Message)
