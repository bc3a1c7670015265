"""The page about a block: it opens on what it found in the data, and its numbers are the core's."""

import numpy as np

from core.analysis.norms import layer_norm_terms
from core.text.special import MASK
from core.topics.block.norms import norm
from core.topics.block.readings.norms import read_norm
from core.topics.block.stream import stream
from pages.canvas import TokenButtons
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.transformer.block.page import PAGE
from pages.transformer.block.parts import token_at
from pages.transformer.block.settings import NUMBER, STEP, TOKEN
from pages.widgets import Chart, Values

show_stream = PAGE.view("residual stream").show
show_norm = PAGE.view("norm").show

TEXT = "Once upon a time there was a little girl"


def test_the_stream_opens_at_the_last_token_and_its_largest_addition() -> None:
    run = make_run(DEFAULTS, TEXT, "", cache.trained("storyteller-small"))
    shown = show_stream(run, Values())
    row, chart = shown.pictures[:2]
    assert isinstance(row, TokenButtons) and isinstance(chart, Chart)
    found = cache.compute(stream, run, "decoder", len(row.tokens) - 1)
    assert row.selected == len(row.tokens) - 1
    np.testing.assert_allclose(chart.data["size"], [step.size for step in found.steps], rtol=1e-6)
    largest = max((step for step in found.steps if step.layer >= 0), key=lambda step: step.size)
    assert chart.data.step[chart.data.here].tolist() == [largest.label]
    assert f"“{found.heard[-1][0]}”" in shown.said[0]


def test_a_click_on_a_step_or_a_token_opens_it() -> None:
    run = make_run(DEFAULTS, TEXT, "", cache.trained("storyteller-small"))
    shown = show_stream(run, Values({TOKEN: 2, STEP: 1}))
    row, chart = shown.pictures[:2]
    assert isinstance(row, TokenButtons) and isinstance(chart, Chart)
    assert row.selected == 2 and row.sets is not None and row.sets(3) == {TOKEN.key: 3}
    assert chart.sets is not None and chart.sets(4) == {STEP.key: 4}
    assert shown.arithmetic.startswith("attention 1 adds a vector of length")


def test_a_reader_opens_at_what_is_hidden() -> None:
    run = make_run(DEFAULTS, "She opened the [MASK] and went in.", "", cache.trained("reader"))
    ids = cache.check(run)["encoder"].ids
    assert ids[token_at(run, Values())] == MASK
    assert token_at(run, Values({TOKEN: 500})) == len(ids) - 1


def test_the_norm_is_worked_out_for_the_number_that_was_opened() -> None:
    run = make_run(DEFAULTS, TEXT, "", cache.trained("storyteller-small"))
    shown = show_norm(run, Values({NUMBER: 5}))
    found = cache.compute(norm, run, "decoder", 0, "last", token_at(run, Values()))
    assert found.made is not None and f"gave {found.made[5]:.4g}".replace("-", "−")[:9] in shown.arithmetic
    assert "number 5" in shown.arithmetic
    chart = shown.pictures[1]
    assert isinstance(chart, Chart)
    ticks = chart.data[(chart.data.kind == "number") & (chart.data.place == 1)]
    np.testing.assert_allclose(ticks.value, found.own.normalised, rtol=1e-5)
    wide = chart.data[(chart.data.kind == "number") & (chart.data.place == 0)].left
    assert wide.max() - wide.min() > 2 * (ticks.left.max() - ticks.left.min()), "one scale shows what the norm does"


def test_a_model_without_norms_says_so() -> None:
    run = make_run(DEFAULTS | {"norm": "none", "kind": "encoder"}, TEXT, "")
    shown = show_norm(run, Values())
    assert any(note and "no norms" in note for note in shown.notes) and shown.said[0].startswith("A LayerNorm would ")


def test_a_vector_of_equal_numbers_is_not_said_to_spread_by_1() -> None:
    terms = layer_norm_terms(np.full(4, 3.0), np.ones(4), np.zeros(4), 1e-5)
    said = read_norm("“a”", "the norm", "layernorm", terms, float("nan"), True)
    assert said == [
        "This norm shrinks the spread of the numbers of “a” from 0.00316 to 0.",
        "It is the norm; the spread is measured around their mean.",
    ]
    missing = read_norm("“a”", "the norm", "rmsnorm", terms, 0.5, False)
    assert missing == [
        "An RMSNorm would shrink the spread of the numbers of “a” from 0.00316 to 0.",
        "The spread is measured around 0.",
        "LayerNorm would give another direction (cosine 0.500).",
    ]


def test_a_norm_widens_what_is_narrow_and_the_gain_is_named() -> None:
    terms = layer_norm_terms(np.array([-0.25, 0.25]), np.array([1.0, 2.0]), np.zeros(2), 0)
    assert read_norm("“a”", "the norm", "layernorm", terms, float("nan"), True) == [
        "Before its gain this norm widens the spread of the numbers of “a” from 0.250 to 1.",
        "It is the norm; the spread is measured around their mean.",
    ]


def test_an_encoder_opens_at_its_last_word() -> None:
    run = make_run(DEFAULTS, "The dog sat down.", "Le chien", cache.trained("translator"))
    row = cache.check(run)["encoder"]
    assert row.pieces[-2:] == (".", "(end)") and row.pieces[token_at(run, Values())] == "down"
