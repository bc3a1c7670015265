"""What the records of positions hand out: tables with their labels, corners, and why a measure cannot be taken."""

from pathlib import Path

import numpy as np
import pytest

from core.checkpoints import shipped
from core.topics.positions.directions import bins_table, cosine_table, histogram, random_cosines
from core.topics.positions.encodings import (
    KINDS,
    Encoding,
    dot_products,
    encode,
    own_table,
    run_table,
    shifted,
    shifted_rows,
    trained_kinds,
    waves,
)
from core.topics.positions.far import MEASURES, in_first_layer, pair, why_no_measure
from core.topics.positions.shuffle import trained_run
from core.topics.positions.terms import input_weights, layer_weights, terms
from core.topics.shared.labels import with_labels
from core.topics.shared.places import HeadAddress
from tests.core import shelf
from tests.core.topics.positions.test_positions import made


def test_a_table_has_a_label_for_each_row_and_column() -> None:
    values, rows, columns = with_labels(np.zeros((2, 3)))
    assert values.shape == (2, 3) and rows == ["0", "1"] and columns == ["0", "1", "2"]
    values, rows, columns = with_labels(np.arange(3), "change")
    assert values.tolist() == [[0, 1, 2]] and rows == ("change",) and columns == ["0", "1", "2"]


def test_waves_are_columns_of_the_table_by_name() -> None:
    encoding = Encoding("sinusoidal", 20, 8)
    found = waves(encoding, (1, 4))
    values, rows, positions = found.table
    np.testing.assert_array_equal(values, encode(encoding)[:, [1, 4]].T)
    assert rows == ("dimension 1", "dimension 4") and len(positions) == 20
    assert waves(Encoding("alibi", 20), (0,)).table[1] == ("key 0",)


def test_dot_products_have_no_theory_where_there_is_none() -> None:
    for kind in ("sinusoidal", "binary"):
        found = dot_products(Encoding(kind, 9, 8))
        values, rows, columns = found.table
        assert rows == ("pairs", "mean", "spread", "theory", "mean from theory") and len(columns) == 9
        np.testing.assert_array_equal(values[1], found.measured.mean)
        assert np.isnan(values[3]).all() == (found.theory is None) == (kind == "binary")


def test_the_table_of_a_run_is_its_models_own() -> None:
    model, tokenizer, run = made(positions="learned")
    np.testing.assert_array_equal(run_table(model, tokenizer, run, 9), own_table(model, 9))
    assert run_table(*made(positions="alibi"), 9) is None


def test_trained_models_are_listed_under_every_kind(tmp_path: Path) -> None:
    shelf.fill(tmp_path)
    found = trained_kinds(tmp_path)
    assert tuple(found) == KINDS and found["rotary"] == ("Small toy-copy",) and found["alibi"] == ()


@pytest.mark.parametrize("kind", ["learned", "binary", "rotary"])
def test_a_pair_knows_where_the_models_length_ends(kind: str) -> None:
    model, tokenizer, run = made(positions=kind, max_length=32)
    found = pair(model, tokenizer, run, HeadAddress("encoder"), 1, 0, 64)
    assert found.end == (31 if kind == "learned" else 32)
    assert found.table[1] == (("score", "theory") if kind == "rotary" else ("score",))
    assert in_first_layer(run, "one pair") == (kind != "rotary") and not in_first_layer(run, "surprise")


def test_why_a_measure_cannot_be_taken() -> None:
    fresh, trained = made()[2], {"none": ("one", "two"), "rotary": (), "alibi": ("three",)}
    assert why_no_measure(fresh, HeadAddress("encoder"), "one pair", trained) == ""
    assert "share no positions" in why_no_measure(fresh, HeadAddress("decoder", cross=True), "one pair", trained)
    for measure in MEASURES[1:]:
        assert why_no_measure(fresh, HeadAddress("encoder"), measure, trained).endswith(
            "none: one · two; alibi: three."
        )
    known = trained_run("a film", shipped.read("sentiment"))
    assert "predicts no next token" in why_no_measure(known, HeadAddress("encoder"), "surprise", trained)
    assert why_no_measure(known, HeadAddress("encoder"), "whole text", trained) == ""


def test_a_corner_keeps_the_sizes_of_the_whole() -> None:
    model, tokenizer, run = made()
    found = terms(model, tokenizer, run, HeadAddress("encoder"))
    corner = found.corner(3)
    assert corner.labels == found.labels[:3] and corner.sizes is found.sizes
    np.testing.assert_array_equal(corner.values, found.values[:, :3, :3])
    np.testing.assert_array_equal(corner.raw, found.raw[:3, :3])
    assert corner.limit == np.abs(corner.values).max() <= found.limit
    assert found.present == [n for n in range(5) if n < 4 or found.values[4].any()]


def test_a_layer_has_the_weights_of_its_three_projections() -> None:
    config = made(d_k=3, d_v=5)[2].config
    assert layer_weights(config) == input_weights(16, 16, 2 * (3 + 3 + 5))


def test_random_directions_have_a_row_for_each_statistic() -> None:
    found = random_cosines(8, 50, 0)
    values, rows, columns = cosine_table(found)
    assert values.shape == (len(rows), len(columns)) and columns[2] == "n = 8"
    np.testing.assert_allclose(values[4], 1 / found.sizes)
    bins = histogram(found.of_size, 8)
    values, rows, columns = bins_table(bins)
    np.testing.assert_array_equal(values, [bins.density, bins.theory])
    assert len(rows) == 2 and columns[0] == f"{bins.centres[0]:.4f}"


def test_the_shown_rows_are_the_first_ones_turned_by_the_matrix_and_those_k_further_on() -> None:
    encoding = Encoding("sinusoidal", length=16, width=8)
    table = encode(encoding).astype(np.float64)
    turned, there = shifted_rows(encoding, 3, 5)
    matrix = shifted(encoding, 3).matrix
    np.testing.assert_allclose(turned.values[4], matrix @ table[4], atol=1e-12)
    np.testing.assert_allclose(turned.values, there.values, atol=1e-6)
    np.testing.assert_array_equal(there.values, table[3:8])
    assert turned.rows[0] == "0 → 3" and list(there.rows) == ["3", "4", "5", "6", "7"]
    assert len(shifted_rows(encoding, 15, 5)[0].values) == 1
