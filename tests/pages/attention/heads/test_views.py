"""What the views of heads show is what the core computed, and what they say of it is true."""

from typing import Any

import numpy as np
import pytest

from core.analysis.aggregate import hide_and_renormalise
from core.analysis.heads import effective_keys, row_mean
from core.limits import FILE_HEADS
from core.readings.patterns import read_link
from core.registry import parse_source
from core.text.labels import token_name
from core.topics.heads import all_heads
from core.topics.shared.places import HeadAddress
from pages.attention.heads.lines import heads_beside
from pages.attention.heads.page import PAGE
from pages.attention.heads.settings import (
    COMBINED_BY,
    EFFECT,
    EFFECTS,
    HIDDEN_KEYS,
    MIN_WEIGHT,
    QUERY_ROW,
    SCORE,
    SHOWN_HEADS,
    STEP,
    UNIT,
    VIVID,
)
from pages.attention.heads.training import at_step, step_words, training_controls
from pages.canvas.head_grid.head_grid import HeadGrid
from pages.canvas.lines.lines import MAX_LINE_HEADS, TokenLines
from pages.canvas.matrices.matrices import Matrices
from pages.shell.view import Shown
from pages.widgets.chart import Chart
from pages.widgets.parts import Caption, Columns, Markdown
from pages.widgets.place import ATTENTION, HEAD, LAYER
from pages.widgets.setting import Values
from pages.widgets.source import resolve
from pages.widgets.table import Table
from tests.pages.attention.heads.looking import every, made, only, run_with, takeaways

show_matrix = PAGE.view("all heads").show
show_lines = PAGE.view("lines").show
show_projections = PAGE.view("Q, K, V").show
show_contributions = PAGE.view("what each adds").show
show_layers = PAGE.view("layers combined").show

CAT = "the cat sat on the mat"
TWO: dict[str, Any] = {"kind": "encoder-decoder"}
CROSS = HeadAddress("decoder", cross=True)


def panel(shown: Shown) -> Any:
    """The chosen head's pattern, beside that of another head where there is one."""
    found, *_ = only(shown, Matrices, "heads-matrix").panels
    return found


def test_keys_are_hidden_and_weak_weights_left_out() -> None:
    run = run_with("the cat, the end.")
    shown = show_matrix(run, Values({HIDDEN_KEYS: ("punctuation",), MIN_WEIGHT: 10.0, QUERY_ROW: 1}))
    drawn, pattern = panel(shown), made(run, all_heads.patterns, HeadAddress()).pattern[0]
    hidden = [n for n, label in enumerate(drawn.cols) if label.split(":")[1] in ",."]
    expected = hide_and_renormalise(pattern, hidden)
    np.testing.assert_allclose(drawn.values, np.where(expected < 0.1, 0, expected), atol=1e-7)
    assert drawn.outlines == [(1, None)] and len(hidden) == 2
    said = " ".join(note for note in shown.notes if note)
    assert "Hidden as keys" in said and "below 10%" in said and "divided by what is left" in said


def test_a_threshold_does_not_change_what_is_read() -> None:
    run = run_with(CAT)
    pattern = made(run, all_heads.patterns, HeadAddress()).pattern[0]
    assert float(row_mean(pattern, effective_keys(pattern))) > 3
    shown = show_matrix(run, Values({MIN_WEIGHT: 30.0}))
    assert takeaways(shown)[2:] == list(read_link(pattern, panel(shown).rows))


def test_a_pinned_query_is_outlined_and_read_out() -> None:
    run = run_with("unbelievable cat")
    rows = panel(show_matrix(run, Values())).rows
    assert panel(show_matrix(run, Values({QUERY_ROW: 400}))).outlines == panel(show_matrix(run, Values())).outlines
    shown = show_matrix(run, Values({QUERY_ROW: 2}))
    assert panel(shown).outlines == [(2, None)] and takeaways(shown)[-1].startswith(f"{token_name(rows, 2)} gives")
    click = only(shown, Matrices, "heads-matrix").sets
    assert click is not None
    assert click("pattern", 0, 1) == {QUERY_ROW.key: 0} and click("pattern", 2, 1) == {QUERY_ROW.key: None}


@pytest.mark.parametrize("show", [show_matrix, show_lines], ids=["matrix", "lines"])
def test_the_pattern_to_compare_has_the_pinned_query_outlined(show: Any) -> None:
    run = run_with("unbelievable cat", h=1)
    for row, outlines in ((None, []), (0, [(0, None)]), (2, [(2, None)])):
        pattern = show(run, Values({QUERY_ROW: row})).pattern
        assert pattern is not None and list(pattern.outlines) == outlines


def test_a_pin_stays_on_its_token_where_pieces_are_words() -> None:
    run = run_with("unbelievable cat")
    row = made(run, all_heads.patterns, HeadAddress()).queries
    assert len(set(row.words)) < len(row)
    shown = show_matrix(run, Values({QUERY_ROW: len(row) - 1, UNIT: "words"}))
    assert panel(shown).outlines == [(row.words[-1], None)]
    click = only(shown, Matrices, "heads-matrix").sets
    assert click is not None and click("pattern", 0, 0) == {QUERY_ROW.key: 0}


def test_the_lines_are_the_patterns_of_the_layer() -> None:
    run = run_with()
    shown = show_lines(run, Values({SHOWN_HEADS: "all heads", LAYER: "2", QUERY_ROW: 2, MIN_WEIGHT: 20.0}))
    lines = only(shown, TokenLines)
    np.testing.assert_array_equal(lines.weights, made(run, all_heads.patterns, HeadAddress("encoder", 1)).pattern)
    assert lines.pinned == 2 and lines.threshold == 0.2
    assert lines.sets_pin is not None and lines.sets_threshold is not None
    assert lines.sets_pin(3) == {QUERY_ROW.key: 3} and lines.sets_pin(None) == {QUERY_ROW.key: None}
    assert lines.sets_threshold(0.123456789) == {MIN_WEIGHT.key: 12.3457}
    assert all(sentence.startswith("Layer 2 · head 1: ") for sentence in takeaways(shown))


def test_heads_whose_lines_are_drawn_together_have_a_colour_each_and_none_is_left_out() -> None:
    for count in range(1, FILE_HEADS + 1):
        together = [heads_beside(head, count) for head in range(count)]
        assert all(head in heads for head, heads in enumerate(together))
        assert all(together[other] == heads for heads in together for other in heads)
        sizes = {len(heads) for heads in together}
        assert max(sizes) <= MAX_LINE_HEADS and min(sizes) >= min(count, MAX_LINE_HEADS / 2), count


def test_lines_say_which_of_many_heads_they_are() -> None:
    run = run_with("the cat", d=80, h=20)
    shown = show_lines(run, Values({SHOWN_HEADS: "all heads", HEAD: "12"}))
    lines = only(shown, TokenLines)
    np.testing.assert_array_equal(lines.weights, made(run, all_heads.patterns, HeadAddress()).pattern[10:])
    assert list(lines.head_names) == [f"head {number}" for number in range(11, 21)]
    assert lines.caption.startswith("Layer 1, heads 11 to 20: ")
    assert str(shown.notes[0]).startswith("Layer 1 has 20 heads, and 16 can be told apart by their colours: these are")
    alone = show_lines(run, Values({HEAD: "12"}))
    assert only(alone, TokenLines).head_names == ["head 12"] and not any("heads 11" in str(n) for n in alone.notes)


def test_colours_may_go_up_to_the_largest_weight_of_the_picture() -> None:
    run = run_with("a cat, a dog. " * 20)
    overview = made(run, all_heads.overview, HeadAddress())
    largest = float(made(run, all_heads.patterns, HeadAddress()).pattern[0].max())
    for vivid, limits in ((False, (None, 1.0)), (True, (largest, overview.largest_weight))):
        shown = show_matrix(run, Values({VIVID: vivid}))
        grid = only(shown, HeadGrid)
        assert overview.tile == 2 and "largest of 2 × 2 weights" in grid.caption
        assert (panel(shown).limit, grid.limit) == pytest.approx(limits)
        np.testing.assert_array_equal(grid.shades, overview.shades(limits[1]))
    assert grid.shades.max() == 255


@pytest.mark.parametrize("heads", [1, 8, 16])
@pytest.mark.parametrize("effect", ["", *EFFECTS])
def test_the_large_pictures_stand_beside_all_heads(heads: int, effect: str) -> None:
    run = run_with("the cat sat", kind="decoder", h=heads)
    shown = PAGE.view("switch off").show(run, Values({EFFECT: effect})) if effect else show_matrix(run, Values())
    (sides,) = shown.pictures
    assert isinstance(sides, Columns)
    small, large = sides.columns
    assert isinstance(small[0], HeadGrid) and isinstance(large[0], Matrices | Chart | Markdown)


def test_a_click_on_a_head_chooses_it() -> None:
    grid = only(show_matrix(run_with(h=16), Values()), HeadGrid)
    assert grid.sets is not None and grid.sets(2, 15) == {LAYER.key: "3", HEAD.key: "16"}


@pytest.mark.parametrize("show", [show_matrix, show_lines])
def test_rows_that_attend_to_nothing_are_said_to_be_zeros(show: Any) -> None:
    def said(values: Values, text: str = CAT, **chosen: Any) -> tuple[str, str]:
        shown = show(run_with(text, **chosen), values)
        drawn = every(shown, Matrices, "heads-matrix")
        state = drawn[0].panels[0].title if drawn else only(shown, TokenLines).caption
        return " ".join(note for note in shown.notes if note), state

    notes, state = said(Values({ATTENTION: "cross"}), **TWO, mask=("padding",))
    assert "may attend to nothing" not in notes and state.endswith("rows sum to 1")
    notes, state = said(Values(), mask=("padding", "block"), pads=3, block=1)
    assert "may attend to nothing, so" in notes and state.endswith("those that may attend to nothing are zeros")
    notes, _ = said(Values({HIDDEN_KEYS: ("first token", "last token", "punctuation")}), "the cat")
    assert "a row with nothing left is all zeros" in notes


def test_projections_are_the_tensors() -> None:
    run = run_with()
    shown = show_projections(run, Values({HEAD: "2"}))
    projected = made(run, all_heads.projections, HeadAddress())
    tensors = [tensor[1] for tensor in (projected.q, projected.k, projected.v)]
    for drawn, tensor in zip(only(shown, Matrices).panels, tensors, strict=True):
        np.testing.assert_array_equal(drawn.values, tensor)
    assert isinstance(shown.table, Table)
    np.testing.assert_array_equal(shown.table.values, np.concatenate(tensors))
    assert len(every(show_projections(run, Values({SHOWN_HEADS: "all heads"})), Matrices)) == 4


def test_narrow_values_leave_cells_of_the_table_empty() -> None:
    run = run_with("the cat", dk=6, dv=3)
    table = show_projections(run, Values()).table
    projected = made(run, all_heads.projections, HeadAddress())
    assert isinstance(table, Table) and table.values.shape == (3 * len(projected.queries), 6)
    np.testing.assert_array_equal(table.values[-len(projected.keys) :, :3], projected.v[0].astype(float))
    assert np.isnan(table.values[-len(projected.keys) :, 3:]).all() and table.rows[-1].startswith("v ")


def test_contributions_add_up() -> None:
    run = run_with()
    shown = show_contributions(run, Values({HEAD: "2"}))
    added = made(run, all_heads.contributions, HeadAddress(head=1))
    panels = only(shown, Matrices, "heads-sum").panels
    for drawn, tensor in zip(panels, [*added.every, added.b_o[None], added.attn_out], strict=True):
        np.testing.assert_array_equal(drawn.values, tensor)
    np.testing.assert_allclose(sum(drawn.values for drawn in panels[:-1]), panels[-1].values, atol=1e-5)
    assert "add up to the output" in takeaways(shown)[-1]


@pytest.mark.parametrize("head", [0, 1, 3])
def test_adding_up_shows_which_head_is_chosen(head: int) -> None:
    shown = show_contributions(run_with(), Values({HEAD: str(head + 1)}))
    parts = only(shown, Matrices, "heads-sum").panels
    assert [part.title for part in parts if part.outlines] == [f"head {head + 1}"]
    (shares,) = only(shown, Matrices, "heads-share-tokens").panels
    assert list(shares.outlines) == [(head, None)]
    (joined,) = only(shown, Matrices, "heads-z").panels
    assert f"columns {16 * head}–{16 * head + 15} are head {head + 1}'s" in joined.title
    said = takeaways(shown)
    assert f" head {head + 1} adds most: " in said[0] or said[1].startswith(f"Head {head + 1} adds ")


@pytest.mark.parametrize("rolled", [False, True])
def test_layers_are_averages_or_rollout(rolled: bool) -> None:
    run = run_with()
    shown = show_layers(run, Values({COMBINED_BY: "rollout" if rolled else "average"}))
    drawn = [each.values for each in only(shown, Matrices).panels]
    np.testing.assert_array_equal(drawn, made(run, all_heads.mixing, HeadAddress(), rolled).layers)
    whose = "Up to layer 1: " if rolled else "In layer 1, on average over its heads, "
    assert takeaways(shown)[0].startswith(whose)


@pytest.mark.parametrize("rolled", [False, True])
def test_what_a_causal_mask_hides_in_every_layer_is_hatched_and_a_rollout_has_no_mask(rolled: bool) -> None:
    shown = show_layers(run_with(kind="decoder"), Values({COMBINED_BY: "rollout" if rolled else "average"}))
    for panel in only(shown, Matrices).panels:
        size = len(panel.values)
        np.testing.assert_array_equal(np.isneginf(panel.values), np.triu(np.full((size, size), not rolled), 1))


def test_rollout_says_what_it_leaves_out() -> None:
    rolled = {COMBINED_BY: "rollout", ATTENTION: "decoder"}
    left_out = "takes from the encoder through cross-attention is left out"
    assert left_out in show_layers(run_with(**TWO), Values(rolled)).about
    about = show_layers(run_with(residual=False), Values({COMBINED_BY: "rollout"})).about
    assert left_out not in about and "no residual connections" in about
    with pytest.raises(ValueError, match="two texts meet"):
        show_layers(run_with(**TWO), Values({COMBINED_BY: "rollout", ATTENTION: "cross"}))


@pytest.mark.parametrize("view", PAGE.views, ids=lambda view: view.name)
def test_all_code_that_is_shown_is_there(view: Any) -> None:
    shown = view.show(run_with(CAT), Values())
    assert shown.source and all(callable(resolve(path)) for path in shown.source)


@pytest.mark.parametrize(
    ("show", "known", "shape"),
    [
        (show_lines, {}, r"{3 \times 3}{A}"),
        (PAGE.view("what heads do").show, {SCORE: "Induction"}, r"\in [0, 1]^{3 \times 3}"),
        (PAGE.view("switch off").show, {}, r"\underset{3 \times 16}{z_h} \leftarrow 0"),
    ],
)
def test_formulas_have_this_runs_shapes(show: Any, known: Any, shape: str) -> None:
    assert shape in show(run_with("the cat sat"), Values(known)).formula


def test_a_step_of_training_that_the_model_has_is_taken() -> None:
    run = run_with("abcabc", trained="toy-copy")
    (asked,) = training_controls(run, Values())
    assert asked.options["options"][0] == "0" and asked.options["options"][-1] == "end"
    for step, address, said in (
        ("300", "toy-copy/steps/000300", "The weights after 300 of 2,000 steps."),
        ("0", "toy-copy/steps/000000", "The random weights before training."),
        ("7", "toy-copy", "The weights at the end of training, after 2,000 steps."),
        ("end", "toy-copy", "The weights at the end of training, after 2,000 steps."),
    ):
        taken = at_step(run, Values({STEP: step}))
        assert taken.source == parse_source(address) and step_words(taken, Values({STEP: step})) == [Caption(said)]


def test_fresh_weights_have_no_steps() -> None:
    run = run_with()
    assert (
        not list(training_controls(run, Values())) and at_step(run, Values()) is run and not step_words(run, Values())
    )
