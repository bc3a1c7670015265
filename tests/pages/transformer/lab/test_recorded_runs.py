"""Recorded runs on the page The lab: their numbers are those of the files, and every step opens on other pages."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.lab.comparisons import COMPARISONS, DIGITS, LAYERS, MODULAR, SEGMENTS
from core.lab.findings import waves_of
from core.lab.live import shades
from core.lab.measured import probe_patterns
from core.lab.recorded import RECORDED_FOLDER, RecordedRun, recorded_run
from core.tracing.run import Run
from pages.canvas import HeadGrid
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.transformer.lab import recorded_charts, recorded_runs
from pages.transformer.lab.page import PAGE
from pages.transformer.lab.recorded_words import read_difference
from pages.transformer.lab.settings import RECORDED, RECORDED_STEP
from pages.widgets import Chart, Columns, Listing, Part, Values
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import look, pictures, said

VIEW = recorded_runs.VIEW.name


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(DEFAULTS, "the wolf", "")


def shown(run: Run, comparison: str, step: int) -> Shown:
    result: Shown = recorded_runs.VIEW.show(run, Values({RECORDED: comparison, RECORDED_STEP: str(step)}))
    return result


def parts(result: Shown) -> list[Part]:
    columns = [part.columns for part in result.pictures if isinstance(part, Columns)]
    return [part for row in columns for column in row for part in column]


def charts(result: Shown) -> dict[str, Chart]:
    return {part.key: part for part in parts(result) if isinstance(part, Chart)}


def measured(name: str, step: int) -> dict[str, Any]:
    """What the file of a run has at a step."""
    history = json.loads((RECORDED_FOLDER / name / "measured.json").read_text())
    entry: dict[str, Any] = next(entry for entry in history if entry["step"] == step)
    return entry


def at_step(chart: Chart, line: str, step: int) -> float:
    """The number that a line of a chart has at a step."""
    (value,) = chart.data.loc[(chart.data["line"] == line) & (chart.data["x"] == step), "y"]
    return float(value)


def share_of_tokens(name: str, step: int) -> float:
    """The share of right tokens in held-out rows, counted from the model."""
    recorded = RecordedRun(name)
    rows = recorded.recipe.of.held_out_rows()
    right = recorded.model(step)(None, torch.from_numpy(rows.given)).argmax(-1).numpy() == rows.ids[:, 1:]
    return float(right[rows.asked[:, 1:]].mean())


@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("asked", [0, 500, 10**6])
def test_the_heads_are_those_of_the_nearest_kept_step(run: Run, comparison: str, asked: int) -> None:
    grids = [part for part in parts(shown(run, comparison, asked)) if isinstance(part, HeadGrid)]
    assert len(grids) == len(COMPARISONS[comparison].runs)
    for grid, name in zip(grids, COMPARISONS[comparison].runs, strict=True):
        recorded = RecordedRun(name)
        step = min(recorded.steps, key=lambda kept: abs(kept - asked))
        assert np.array_equal(grid.shades, shades(probe_patterns(recorded.model(step), recorded.recipe.of)))
        assert f"at step {step:,}" in grid.caption and (", its last" in grid.caption) == (asked == 10**6)


@pytest.mark.parametrize("step", [0, 427, 3000])
def test_the_shares_of_one_layer_and_two_are_those_of_the_models(run: Run, step: int) -> None:
    result = shown(run, LAYERS, step)
    for label, name in (("1 layer", "induction-1-layer"), ("2 layers", "induction-2-layers")):
        share = share_of_tokens(name, step)
        assert at_step(charts(result)["lab-recorded-right"], label, step) == pytest.approx(share, abs=0.003)
        assert at_step(charts(result)["lab-recorded-loss"], label, step) == pytest.approx(
            measured(name, step)["held_out_loss"]
        )
        highest = np.max(np.nan_to_num(np.array(measured(name, step)["scores"]["induction"], dtype=float)))
        assert at_step(charts(result)["lab-recorded-induction"], label, step) == pytest.approx(highest)


def test_the_sentences_change_with_the_step(run: Run) -> None:
    assert shown(run, LAYERS, 3000).said == [
        "With one layer 34% of the letters are right, with two layers 95%.",
        "These are the models at step 3,000.",
    ]
    headline, said = shown(run, SEGMENTS, 3000).said
    assert headline.startswith("In longer rows 5.3% of the letters are right with fixed segments, and ")
    assert headline.endswith("% with random segments.") and "at step 1,000, and 5.3% in longer rows" in said
    assert "4.6% of the letters are right at step 0" in shown(run, SEGMENTS, 0).said[1]
    assert shown(run, MODULAR, 1187).said[0].endswith("it knows its pairs by heart.")
    headline, said = shown(run, MODULAR, 4800).said
    assert headline.endswith(": it has found the rule.") and said.startswith("At step 4,800 6 of 29 frequencies")
    headline, said = shown(run, MODULAR, 0).said
    assert headline.endswith("right, and 0.78% of the pairs that it never saw.") and "26 of 29" in said
    assert shown(run, DIGITS, 877).said == [
        "First digit first, 0.78% of the sums are right; last digit first, 100%.",
        "First digit first, 0.78% of the sums are right at step 877, and digit 1 nearly always; last digit first, 100% "
        "of the sums are right at step 874, and every digit nearly always.",
    ]
    assert "no digit nearly always" in shown(run, DIGITS, 0).said[1]


@pytest.mark.parametrize("step", [0, 1187, 4800])
def test_pairs_and_waves_are_those_of_the_run(run: Run, step: int) -> None:
    drawn, entry = charts(shown(run, MODULAR, step)), measured("modular", step)
    pairs, waves = drawn["lab-recorded-pairs"], drawn["lab-recorded-waves"].data
    assert at_step(pairs, "pairs of training", step) == pytest.approx(entry["exact"])
    assert at_step(pairs, "pairs it never saw", step) == pytest.approx(entry["held_out_exact"])
    spectrum = waves_of(RecordedRun("modular").model(step))
    assert np.allclose(waves["share"], spectrum.shares) and waves["share"].sum() == pytest.approx(1, abs=1e-5)
    marked = set(waves.loc[waves["kind"] == recorded_charts.STRONG[0], "number"])
    assert marked == set(spectrum.strongest)


def test_charts_of_other_runs_are_laid_out_anew(run: Run) -> None:
    specs = [chart.spec for name in COMPARISONS for chart in charts(shown(run, name, 0)).values()]
    assert len({json.dumps(spec) for spec in specs}) == len(specs)


def test_no_bar_reaches_the_end_of_its_axis() -> None:
    run = recorded_run("modular")
    assert max(waves_of(run.model(step)).shares.max() for step in run.steps) < recorded_charts.MOST_SHARE


@pytest.mark.parametrize(("asked", "first", "last"), [(0, 0, 0), (877, 877, 874), (4000, 4000, 2000)])
def test_digits_are_right_as_measured(run: Run, asked: int, first: int, last: int) -> None:
    drawn = charts(shown(run, DIGITS, asked))
    for key, name, step in (("first-digit-first", "add", first), ("last-digit-first", "add-reversed", last)):
        chart = drawn[f"lab-recorded-places-{key}"]
        shares = [at_step(chart, f"digit {place + 1}", step) for place in range(4)]
        assert shares == pytest.approx(measured(name, step)["by_place"])
        assert set(chart.data.loc[chart.data["line"] == recorded_charts.CHOSEN, "x"]) == {asked}


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_what_was_seen_and_the_table_are_those_of_the_files(run: Run, comparison: str) -> None:
    result = shown(run, comparison, COMPARISONS[comparison].opens)
    written = " ".join(str(part.text).replace("\\", "") for part in parts(result) if hasattr(part, "text"))
    for name, table in zip(COMPARISONS[comparison].runs, result.table, strict=True):  # type: ignore[arg-type]
        card = json.loads((RECORDED_FOLDER / name / "card.json").read_text())
        for finding in card["scores"]["seen"]:
            when = "" if finding["step"] is None else f"Step {finding['step']:,}: "
            assert when + finding["sentence"] in written
        assert isinstance(table, Listing)
        frame = table.frame()
        last = frame.iloc[-1]
        entry = measured(name, int(last["step"]))
        assert last["held-out loss"] == entry["held_out_loss"] and last["right at place 1"] == entry["by_place"][0]


def test_what_differs_is_named() -> None:
    one, two, fixed = (recorded_run(f"induction-{name}").recipe for name in ("1-layer", "2-layers", "fixed"))
    assert read_difference(one, two) == "In their settings only the number of layers (1 or 2) differs."
    assert "the number of steps (1,000 or 3,000) differ." in read_difference(fixed, two)


def opened_view(open_page: Open, **settings: str) -> AppTest:
    return open_page(path_of(PAGE), **{PAGE.look_at.key: VIEW, **settings})


def test_each_comparison_opens_with_steps_of_its_own(open_page: Open) -> None:
    at = opened_view(open_page)
    slider = at.select_slider(key=RECORDED_STEP.key)
    assert slider.value == "3000" and len(slider.options) == 34
    for name, comparison in COMPARISONS.items():
        look(at, **{RECORDED.key: name})
        slider = at.select_slider(key=RECORDED_STEP.key)
        assert str(slider.value) in [str(step) for step in comparison.steps] and not at.error
        assert len(pictures(at, "lab-recorded")) == len(comparison.runs)


def test_a_step_out_of_range_is_refused_and_the_view_stands(open_page: Open) -> None:
    at = opened_view(open_page, **{RECORDED_STEP.key: "99999"})
    assert at.select_slider(key=RECORDED_STEP.key).value == "3000"
    assert any("Step of the training cannot be “99999” here" in warning.value for warning in at.warning)
    assert "These are the models at step 3,000." in said(at).replace("\\", "")


@pytest.mark.parametrize("page", ["heads", "self-attention", "the-block", "generate", "kv-cache", "patching"])
def test_a_step_opens_on_other_pages(open_page: Open, page: str) -> None:
    at = opened_view(open_page, **{RECORDED_STEP.key: "427"})
    at.button(key=f"lab-open-recorded-induction-2-layers-{page}").click().run()
    opened = at.session_state["visit"].run
    assert at.session_state["model"] == opened.source.address == "recorded:induction-2-layers@427"
    recorded = RecordedRun("induction-2-layers")
    assert opened.text == recorded.recipe.of.probe
    assert not at.exception and not at.error
    if page == "heads":
        patterns = probe_patterns(recorded.model(427), recorded.recipe.of)
        (grid,) = (picture["values"][0] for picture in pictures(at) if picture["values"][0].shape == patterns.shape)
        assert np.abs(grid.astype(int) - shades(patterns).astype(int)).max() <= 1


def test_a_text_of_another_task_gives_way_to_one_that_the_model_reads(open_page: Open) -> None:
    at = opened_view(open_page, t="the cat sat on the mat", **{RECORDED.key: MODULAR})
    at.button(key="lab-open-recorded-modular-heads").click().run()
    assert at.session_state["visit"].run.text == recorded_run("modular").recipe.of.probe and not at.error
