"""The views about positions, called as functions: they show the core's own numbers."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.checkpoints import shipped
from core.topics.positions.analysis.encodings import closest, wavelength, wavelength_in_theory
from core.topics.positions.analysis.orthogonality import SIZES, histogram, random_cosines
from core.topics.positions.encodings import KINDS, Encoding, dot_products, encode, moved_penalties, shifted
from core.topics.positions.far import long_text, pair, turned
from core.topics.positions.readings import measures as readings
from core.topics.positions.readings.terms import read_terms
from core.topics.positions.shuffle import trained_run
from core.topics.positions.terms import TERMS, angles, terms
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.positions import settings
from pages.attention.positions.page import PAGE
from pages.canvas.matrices.matrices import Matrices
from pages.canvas.token_buttons.token_buttons import TokenButtons
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.settings import TEXT
from pages.shell.view import Shown
from pages.widgets.chart import Chart
from pages.widgets.parts import Columns, Message, Part
from pages.widgets.place import ATTENTION, HEAD, LAYER
from pages.widgets.setting import Setting, Values

RUN = make_run(DEFAULTS, TEXT.default, "")
TOY = trained_run("kdvkdv", shipped.read("toy-copy"))
Chosen = dict[Setting, Any]


def show(view: str, chosen: Chosen | None = None, run: Run = RUN) -> Shown:
    """What the view shows with these settings, each kept within the end that its control has."""
    values = Values(chosen)
    for control in PAGE.view(view).controls(run, values):
        if "high" in control.options:
            values[control.setting] = min(values[control.setting], control.options["high"])
    return PAGE.view(view).show(run, values)


def fresh(**more: Any) -> Run:
    return make_run(DEFAULTS | more, TEXT.default, "")


def behind(run: Run) -> tuple[Any, Any, Run]:
    """The run with its model and tokenizer, loaded past every cache of the pages."""
    return *open_run(run), run


def parts(pictures: Sequence[Part]) -> Iterator[Part]:
    for part in pictures:
        yield from (each for column in part.columns for each in parts(column)) if isinstance(part, Columns) else [part]


def lines(shown: Shown) -> list[TokenButtons]:
    return [part for part in parts(shown.pictures) if isinstance(part, TokenButtons)]


def frames(shown: Shown) -> list[pd.DataFrame]:
    return [part.data for part in parts(shown.pictures) if isinstance(part, Chart)]


def matrices(shown: Shown) -> dict[str, np.ndarray]:
    pictures = (part for part in parts(shown.pictures) if isinstance(part, Matrices))
    return {panel.name: panel.values for picture in pictures for panel in picture.panels}


def message(shown: Shown) -> str:
    (part,) = (part for part in parts(shown.pictures) if isinstance(part, Message))
    return part.text.replace("\\", "")


def line(frame: pd.DataFrame, name: str) -> np.ndarray:
    return frame[frame["line"] == name]["y"].to_numpy()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("length", "width", "k"), [(64, 64, 5), (512, 1024, 511), (2, 7, 1)])
def test_every_encoding_is_shown_in_every_view(kind: str, length: int, width: int, k: int) -> None:
    chosen: Chosen = {settings.KIND: kind, settings.LENGTH: length, settings.WIDTH: width, settings.SHIFT: k}
    chosen[settings.DIMENSIONS] = ("0", "1")
    for view in ("heatmap", "waves", "how alike", "shift"):
        if kind == "rotary" and width % 2 and view != "shift":
            with pytest.raises(ValueError, match="must be even"):
                show(view, chosen)
            continue
        shown = show(view, chosen)
        assert shown.takeaway and "nan" not in f"{shown.takeaway}{shown.formula}{shown.about}", view


def test_the_heatmap_is_the_table_and_a_number_is_worked_out() -> None:
    chosen: Chosen = {settings.LENGTH: 20, settings.WIDTH: 10, settings.BASE: 50.0}
    chosen |= {settings.AT_ROW: 7, settings.AT_COLUMN: 3}
    table, shown = encode(Encoding("sinusoidal", 20, 10, 50.0)), show("heatmap", chosen)
    (picture,) = (part for part in shown.pictures if isinstance(part, Matrices))
    np.testing.assert_array_equal(picture.panels[0].values, table)
    assert picture.panels[0].selected == (7, 3) and picture.opened is not None
    assert picture.opened.sets("table", 2, 1) == {settings.AT_ROW.key: 2, settings.AT_COLUMN.key: 1}
    np.testing.assert_allclose(matrices(shown)["square"][3, 9], table[3] @ table[9], rtol=1e-5)
    assert picture.opened.sets("square", 2, 1) == {settings.AT_ROW.key: 2}
    assert shown.takeaway == readings.read_closest("sinusoidal", closest(table))
    assert shown.formula.endswith(rf"= \cos({7 / 50 ** (2 / 10):.5g}) = {table[7, 3]:.4f}")
    shown = show("heatmap", chosen | {settings.KIND: "learned"}, fresh(seed=5))
    np.testing.assert_array_equal(matrices(shown)["table"], encode(Encoding("learned", 20, 10, seed=5)))
    assert "here when you choose “Reader, fills in hidden words” or " in str(shown.notes)


def test_a_number_of_each_encoding_is_worked_out() -> None:
    at: Chosen = {settings.AT_ROW: 5, settings.AT_COLUMN: 2}
    slope = Encoding("alibi", head=1).slope
    value = encode(Encoding("learned"))[5, 2]
    expected = {
        "none": "P_{5,2} = 0",
        "binary": r"5 = 101_2 \qquad \text{is } 1",
        "rotary": rf"\cos(\theta) = {np.cos(5 / 10000 ** (2 / 64)):.4f}",
        "alibi": rf"\cdot |5 - 2| = {-3 * slope:.4f} \qquad m = {slope:.5g} \text{{, head }} 2 \text{{ of }} 4",
        "learned": rf"P_{{5,2}} = {value:.4f} \qquad P \in \mathbb{{R}}^{{64 \times 64}}",
    }
    for kind, formula in expected.items():
        assert formula in show("heatmap", at | {settings.KIND: kind, HEAD: "2"}).formula, kind


def test_waves_are_columns_of_the_table() -> None:
    chosen: Chosen = {settings.LENGTH: 100, settings.BASE: 30.0, settings.WIDTH: 8, settings.DIMENSIONS: ("2", "5")}
    table, shown = encode(Encoding("sinusoidal", 100, 8, 30.0)), show("waves", chosen)
    (frame,) = frames(shown)
    for dimension in (2, 5):
        np.testing.assert_allclose(line(frame, f"dimension {dimension}"), table[:, dimension], rtol=1e-6)
    expected = [wavelength_in_theory("sinusoidal", n, 8, 30.0) for n in (2, 5)]
    assert shown.takeaway == readings.read_waves([wavelength(table[:, n]) for n in (2, 5)], expected, [2, 5])
    assert "Choose a dimension" in message(show("waves", chosen | {settings.DIMENSIONS: ()}))


@pytest.mark.parametrize(("kind", "word", "many"), [("sinusoidal", "dimension", 12), ("alibi", "key", 20)])
def test_at_most_eight_waves_may_be_chosen_and_are_drawn(kind: str, word: str, many: int) -> None:
    chosen: Chosen = {settings.KIND: kind, settings.LENGTH: 20, settings.WIDTH: 12}
    asked = {each.setting: each.options for each in PAGE.view("waves").controls(RUN, Values(chosen))}
    assert asked[settings.DIMENSIONS]["max_selections"] == 8
    assert list(asked[settings.DIMENSIONS]["options"]) == [str(number) for number in range(many)]
    shown = show("waves", chosen | {settings.DIMENSIONS: tuple(str(number) for number in range(9, 0, -1))})
    (frame,) = frames(shown)
    assert list(frame["line"].unique()) == [f"{word} {number}" for number in range(1, 9)]


@pytest.mark.parametrize("kind", KINDS)
def test_dot_products_are_measured_beside_theory(kind: str) -> None:
    shown = show("how alike", {settings.KIND: kind, settings.LENGTH: 40}, fresh(seed=3))
    found, (frame,) = dot_products(Encoding(kind, 40, 64, seed=3)), frames(shown)
    measured = frame[~frame["theory"]]
    np.testing.assert_allclose(measured["y"], found.measured.mean, rtol=1e-6)
    np.testing.assert_allclose(measured["high"], found.measured.mean + found.measured.spread, rtol=1e-6)
    assert (found.theory is None) == frame[frame["theory"]].empty
    assert shown.takeaway == readings.read_distances(kind, found.measured, found.theory)
    for line, row in zip(lines(shown), (5, 15), strict=True):
        shades = np.array([tile.shade for tile in line.tokens])
        span = np.ptp(found.square)
        assert line.selected == row and len(shades) == 20
        expected = (found.square[row, :20] - found.square.min()) / span if span else np.zeros(20)
        np.testing.assert_allclose(shades, expected, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [64, 7])
def test_the_band_is_named_only_where_there_is_one(kind: str, width: int) -> None:
    if kind == "rotary" and width % 2:
        return
    shown = show("how alike", {settings.KIND: kind, settings.WIDTH: width, settings.BASE: 50.0})
    (frame,) = frames(shown)
    drawn = bool((frame["high"] - frame["low"] > 1e-3).any())
    assert drawn == (kind in ("binary", "learned") or (kind == "sinusoidal" and width == 7))
    assert ("the band is one standard deviation" in str(shown.about)) == drawn
    assert ("no spread to draw" in str(shown.about)) != drawn
    assert "over all 2,080 pairs" in str(shown.about)


@pytest.mark.parametrize("kind", ["none", "binary", "sinusoidal", "learned"])
def test_the_shift_is_what_was_fitted(kind: str) -> None:
    chosen: Chosen = {settings.KIND: kind, settings.SHIFT: 9, settings.LENGTH: 50, settings.WIDTH: 12}
    shown, found = show("shift", chosen), shifted(Encoding(kind, 50, 12), 9)
    if kind in ("none", "sinusoidal"):  # the shift is exact, so there is no error to draw
        assert not frames(shown) and found.errors_fitted.max() < readings.EXACT_ERROR
    else:
        (frame,) = frames(shown)
        np.testing.assert_allclose(line(frame, "fitted"), found.errors_fitted, rtol=1e-5, atol=1e-12)
    matrix = found.fitted if found.constructed is None else found.constructed
    np.testing.assert_allclose(matrices(shown)["matrix"], matrix, atol=1e-6)
    assert shown.takeaway == readings.read_shift(kind, found, 9, 12)


def test_the_shift_of_rotary_is_tried_on_the_texts_own_vectors() -> None:
    chosen: Chosen = {settings.KIND: "rotary", settings.SHIFT: 9, settings.LENGTH: 50}
    chosen |= {settings.QUERY: 4, settings.KEY: 2, HEAD: "2", LAYER: "2"}
    shown, found = show("shift", chosen), turned(*behind(RUN), HeadAddress("encoder", 1, 1), (4, 2), 9, 50, 10000.0)
    np.testing.assert_allclose(line(frames(shown)[0], "turned"), found.scores, rtol=1e-5)
    words = (found.query, found.key)
    assert shown.takeaway == readings.read_turned(*words, found.scores, 9, found.theory, found.unturned)
    assert "give the same score" in shown.takeaway[0]
    shown = show("shift", chosen | {settings.KIND: "alibi"})
    alibi = Encoding("alibi", 50, head=1)
    assert not frames(shown)[0]["y"].any()
    assert shown.takeaway == readings.read_moved(moved_penalties(alibi, 9), alibi.slope, 9)


@pytest.mark.parametrize("kind", ["rotary", "sinusoidal", "learned"])
def test_a_pair_beyond_the_length_is_the_cores(kind: str) -> None:
    run = fresh(pos=kind)
    shown = show("longer texts", {settings.QUERY: 4, settings.KEY: 2, HEAD: "3"}, run)
    found, frame = pair(*behind(run), HeadAddress("encoder", 0, 2), 4, 2, 1024), frames(shown)[0]
    np.testing.assert_allclose(frame[~frame["theory"]]["y"], found.scores, rtol=1e-5)
    assert (found.theory is not None) == (kind == "rotary") == (frame["line"] == "theory").any()
    assert frame["limit"][0] == (511 if kind == "learned" else 512)
    assert shown.takeaway == readings.read_pair(found.query, found.key, found.scores, found.limit, found.theory)


def test_a_trained_model_reads_the_text_twice_its_length() -> None:
    shown, found = (
        show("longer texts", {settings.DISTANCE_MEASURE: "surprise"}, TOY),
        long_text(*behind(TOY), HeadAddress("decoder", 0, 0)),
    )
    assert found.surprisal is not None
    np.testing.assert_allclose(frames(shown)[0]["y"], found.surprisal[:-1], rtol=1e-4, atol=1e-5)
    assert shown.takeaway == readings.read_long(True, found.surprisal, found.limit)
    shown = show("longer texts", {settings.DISTANCE_MEASURE: "whole text", LAYER: "2", HEAD: "2"}, TOY)
    found = long_text(*behind(TOY), HeadAddress("decoder", 1, 1))
    np.testing.assert_allclose(frames(shown)[0]["y"], found.keys, rtol=1e-5)


def test_what_cannot_be_measured_is_said() -> None:
    cross: Chosen = {ATTENTION: "cross"}
    both = make_run(DEFAULTS | {"kind": "encoder-decoder"}, TEXT.default, TEXT.default)
    whole: Chosen = {settings.DISTANCE_MEASURE: "whole text"}
    assert "Choose a trained model" in message(show("longer texts", whole))
    assert "Toy, repeats letters" in message(show("longer texts", whole))
    encoder = trained_run("a film", shipped.read("sentiment"))
    assert "predicts no next token" in message(show("longer texts", {settings.DISTANCE_MEASURE: "surprise"}, encoder))
    for view, chosen in (
        ("longer texts", cross),
        ("token and position", cross),
        ("shift", cross | {settings.KIND: "rotary"}),
    ):
        assert "share no positions" in message(show(view, chosen, both))
    assert "has rotary positions, which are not added" in message(show("token and position", {}, fresh(pos="rotary")))
    assert "passes through tanh" in message(show("token and position", {}, fresh(score="additive")))
    assert "only one order" in message(show("shuffle", {}, make_run(DEFAULTS, "cat", "")))


def test_the_terms_are_the_cores() -> None:
    run = make_run(DEFAULTS | {"norm": "pre"}, "the cat sat", "")
    shown, found = show("token and position", {HEAD: "2"}, run), terms(*behind(run), HeadAddress("encoder", 0, 1))
    kept = [n for n in range(5) if n < 4 or found.sizes[n] > 0]
    for values, expected in zip(matrices(shown).values(), [*found.values[kept], found.raw], strict=True):
        np.testing.assert_allclose(values, expected, atol=1e-6)
    assert shown.takeaway == read_terms(TERMS, found.sizes)
    (tiles,) = lines(shown)
    squares = found.sizes[:4] ** 2
    np.testing.assert_allclose([tile.shade for tile in tiles.tokens], squares / squares.sum(), atol=1e-6)
    assert [tile.piece for tile in tiles.tokens] == list(TERMS[:4])
    assert "12,288 with positions added, 24,576 with 64 numbers" in str(shown.about)


def test_random_cosines_are_what_was_drawn() -> None:
    shown = show("random vectors", {settings.SIZE: "16", settings.DRAWS: 1500, settings.DRAW_SEED: 6})
    found, (cosines, variances, means) = random_cosines(16, 1500, 6), frames(shown)
    np.testing.assert_allclose(variances["variance"], found.variance, rtol=1e-6)
    np.testing.assert_allclose(variances["theory"], 1 / np.array(SIZES), rtol=1e-6)
    np.testing.assert_allclose(means["mean"], found.mean, rtol=1e-5)
    np.testing.assert_allclose(means["high"], found.high, rtol=1e-6)
    np.testing.assert_allclose(cosines["density"], histogram(found.of_size, 16).density, rtol=1e-6)
    assert shown.takeaway == readings.read_random(found, 16)
    (tiles,) = lines(shown)
    drawn = [float(tile.piece.removesuffix("°")) for tile in tiles.tokens]
    np.testing.assert_allclose(np.cos(np.radians(drawn)), found.of_size[:12], atol=0.01)


def test_tokens_and_positions_of_a_model_are_measured_against_each_other() -> None:
    shown, found = show("random vectors", {settings.VECTORS: "this model's"}), angles(*behind(RUN))
    np.testing.assert_allclose(frames(shown)[0]["density"], found.histogram.density, rtol=1e-4)
    numbers = (found.mean, found.variance, found.largest, found.pieces, 512, found.width)
    assert shown.takeaway == readings.read_angles(*numbers)
