"""What the views of a model's costs show is what the core counts: each view is called by itself."""

import json
from typing import Any

import numpy as np
import pytest

from core.analysis.model_sizes import config_sizes
from core.model.transformer import parameter_count
from core.readings.kv_cache import stored
from core.topics.architecture.analysis.parts import model_parts
from core.topics.architecture.analysis.training_costs import kept_bytes
from core.topics.architecture.known import TITLES
from pages.canvas import ModelDrawing
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.transformer.architecture.page import PAGE
from pages.transformer.architecture.settings import (
    BATCH,
    COSTS_OF,
    KNOWN_MODEL,
    ONE_PASS,
    THIS_MODEL,
    TOKENS,
    TRAINING,
    WRITING,
)
from pages.widgets.chart import Chart
from pages.widgets.parts import Columns, Markdown, Message
from pages.widgets.setting import Setting, Values
from pages.widgets.table import Listing, Table

FRESH: dict[str, Any] = {"kind": "decoder", "d": 16, "h": 2, "n": 2, "tok": "unigram-1000"}
COSTS, KNOWN_MODELS = "what each part costs", "known models"


def shown(view: str, chosen: dict[Setting, Any], settings: dict[str, Any] = FRESH) -> tuple[Any, Shown]:
    """The page's subject, and what a view makes of it."""
    trained = None if settings else cache.trained("storyteller")
    values = Values(chosen)
    subject = PAGE.subject(make_run(DEFAULTS | settings, "the cat sat", "the dog", trained), values)
    return subject, PAGE.view(view).show(subject, values)


def charts_of(view: Shown) -> list[Chart]:
    parts = [
        part
        for each in view.pictures
        for part in ([p for c in each.columns for p in c] if isinstance(each, Columns) else [each])
    ]
    return [part for part in parts if isinstance(part, Chart)]


@pytest.mark.parametrize("settings", [{}, FRESH, FRESH | {"kind": "encoder-decoder", "act": "swiglu", "tied": False}])
def test_one_pass_over_the_text(settings: dict[str, Any]) -> None:
    subject, view = shown(COSTS, {COSTS_OF: ONE_PASS}, settings)
    parts = model_parts(subject.run.config, subject.source, subject.target)
    (chart,) = charts_of(view)
    bars = chart.data.set_index(["label", "kind"]).value
    own = sum(part.parameters for part in parts if part.kind == "feed-forward")
    assert bars["feed-forward", "parameters"] == pytest.approx(own / parameter_count(subject.run.config))
    work = sum(part.multiply_adds for part in parts)
    assert bars["unembedding", "multiply-adds"] == pytest.approx(parts[-1].multiply_adds / work)
    assert isinstance(view.table, list)
    kinds, every = view.table
    assert isinstance(kinds, Table) and isinstance(every, Listing)
    assert every.columns["part"] == [part.key for part in parts] and kinds.values[:, 3].sum() == work
    assert f"{parameter_count(subject.run.config):,}" in view.said[1]
    assert "PyTorch counts the same" in view.about[0]


@pytest.mark.parametrize("batch", [1, 7])
def test_training(batch: int) -> None:
    subject, view = shown(COSTS, {COSTS_OF: TRAINING, BATCH: batch})
    kept = sum(kept_bytes(config_sizes(subject.run.config), 0, subject.target, batch).values())
    total = 16 * parameter_count(subject.run.config) + kept
    (chart,) = charts_of(view)
    ends = chart.data[chart.data["last"]].end
    assert ends.sum() * 2**20 == pytest.approx(total) and stored(total) in view.said[0] and stored(kept) in view.said[1]
    assert f"{total:,}".replace(",", "{,}") in view.formula


def test_writing() -> None:
    subject, view = shown(COSTS, {COSTS_OF: WRITING, BATCH: 3})
    (chart,) = charts_of(view)
    row = 2 * 16 * 2 * 4 * 3  # layers, d_model, keys and values, bytes, texts
    keys = chart.data[chart.data.kind == "keys kept"]
    np.testing.assert_allclose((keys.end - keys.start) * 2**20, [row * subject.target / 2, row * 512 / 2])
    assert stored(row * subject.target) in view.said[1]


def test_an_encoder_keeps_nothing() -> None:
    _, view = shown(COSTS, {COSTS_OF: WRITING}, FRESH | {"kind": "encoder"})
    (message,) = view.pictures
    assert isinstance(message, Message) and not view.takeaway


@pytest.mark.parametrize("title", KNOWN_MODEL.options)
def test_every_known_model_is_taken_apart(title: str) -> None:
    subject, view = shown(KNOWN_MODELS, {KNOWN_MODEL: title, TOKENS: "64"})
    totals, parts = charts_of(view)
    chosen = totals.data[totals.data.chosen]
    assert list(chosen.label) == [title] and totals.sets is not None
    assert totals.sets(int(chosen.place.iloc[0])) == {KNOWN_MODEL.key: title}
    assert parts.data[parts.data.kind == "parameters"].value.sum() == pytest.approx(1)
    columns, _, drawing = view.pictures
    assert isinstance(columns, Columns) and isinstance(drawing, ModelDrawing)
    assert drawing.plan.parameters == int(chosen.value.iloc[0])
    costs = columns.columns[1][1]
    assert isinstance(costs, Markdown) and costs.text.startswith("Reading 64 tokens takes")
    assert f"{int(chosen.value.iloc[0]):,} parameters" in " ".join(view.said)
    if title == THIS_MODEL:
        assert chosen.value.iloc[0] == parameter_count(subject.run.config)


def test_a_click_on_a_model_that_was_trained_here_sets_nothing() -> None:
    _, view = shown(KNOWN_MODELS, {})
    totals, _ = charts_of(view)
    assert totals.sets is not None and totals.sets(len(TITLES)) == {}


@pytest.mark.parametrize(("title", "longest"), [("BERT base", "512"), ("Mistral 7B", "8192"), (THIS_MODEL, "256")])
def test_no_longer_text_is_offered_than_a_model_reads(title: str, longest: str) -> None:
    subject, _ = shown(KNOWN_MODELS, {}, {})
    *_, lengths = PAGE.view("known models").controls(subject, Values({KNOWN_MODEL: title}))
    assert lengths.setting is TOKENS and lengths.options["options"][-1] == longest


@pytest.mark.parametrize(
    ("view", "way"), [(COSTS, ONE_PASS), (COSTS, TRAINING), (COSTS, WRITING), (KNOWN_MODELS, ONE_PASS)]
)
def test_specs_of_costs_are_strict_json(view: str, way: str) -> None:
    for chart in charts_of(shown(view, {COSTS_OF: way})[1]):
        assert json.loads(json.dumps(chart.spec, allow_nan=False))["title"]
