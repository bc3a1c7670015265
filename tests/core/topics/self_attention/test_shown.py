"""What the records of one head hand out to be shown: its matrices, what went into a cell, and who looks at whom."""

import numpy as np
import pytest

from core.analysis.symmetry import split
from core.topics.self_attention.asymmetry import CROSS_ATTENTION_MESSAGE, asymmetry
from core.topics.self_attention.cells import cell
from core.topics.self_attention.grids import MAKERS, grid
from core.topics.self_attention.steps import MAKERS as STEPS
from core.topics.self_attention.steps import make_step
from tests.core.topics.self_attention.test_cells import matrices, record


def test_a_grid_is_laid_out_with_a_label_for_each_row_and_column() -> None:
    head = record()
    for name in matrices(head):
        shown = grid(head, name)
        title, values, rows, cols, row_axis, col_axis, scale, limit, tint = shown.drawn
        assert (title, scale, limit, tint) == (shown.title, shown.scale, None, shown.tint)
        assert (row_axis, col_axis) == (shown.row_axis, shown.col_axis)
        assert values.shape == (len(rows), len(cols)) == (len(shown.rows), len(shown.cols))


def test_a_cell_knows_what_of_each_matrix_went_into_it() -> None:
    found = cell(record(), "raw S", 2, 1)
    assert found.outlines("Q") == [(2, None)] and found.outlines("Kᵀ") == [(None, 1)] and found.outlines("V") == []
    assert cell(record(positions="rotary"), "Q rotated", 2, 3).outlines("Q") == [(2, 2), (2, 3)]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_names_its_matrices_and_ends_with_its_result(name: str) -> None:
    step = make_step(record(), name, "queries")
    assert step.names == [each for each, _ in step.matrices] and step.result == step.names[-1]
    assert set(step.names) <= set(MAKERS)


def test_one_query_is_looked_up_in_all_keys() -> None:
    head = record()
    scores, values, allowed, query, keys = head.look_up(2)
    np.testing.assert_array_equal(scores, head.scores[2])
    np.testing.assert_array_equal(allowed, head.mask[2])
    assert values is head.v and (query, keys) == (head.queries.labels[2], head.keys.labels)
    look_up = head.look_up(2)
    np.testing.assert_allclose(look_up.weights(1.0), head.pattern[2], atol=1e-6)
    halved = np.where(head.mask[2], np.exp((head.scores[2] - head.scores[2][head.mask[2]].max()) / 2.0), 0)
    np.testing.assert_allclose(look_up.weights(2.0), halved / halved.sum(), atol=1e-6)
    assert not look_up._replace(allowed=np.zeros_like(allowed)).weights(2.0).any()
    table, rows, columns = head.row_table(2)
    np.testing.assert_array_equal(table.T, [head.scores[2], head.pattern[2]])
    assert table.shape == (len(rows), len(columns)) and rows == keys


def test_the_parts_of_the_scores_add_up_and_fit_one_scale() -> None:
    head = record()
    found = asymmetry(head)
    names, signs, (raw, mirror, symmetric, antisymmetric) = zip(*found.parts, strict=True)
    assert names == ("S", "ST", "symmetric", "anti") and signs == ("", "vs", "→", "+")
    np.testing.assert_array_equal(raw, head.raw)
    np.testing.assert_array_equal(mirror, head.raw.T)
    np.testing.assert_allclose(symmetric + antisymmetric, raw, atol=1e-6)
    assert found.limit == np.abs(raw).max() >= np.abs(symmetric).max() - 1e-6
    assert found.scores.symmetric_share == split(head.raw).symmetric_share


def test_two_texts_have_no_pairs_to_swap() -> None:
    with pytest.raises(ValueError, match="there is no pair of tokens to swap") as refused:
        asymmetry(record(cross=True, architecture="encoder-decoder"))
    assert str(refused.value) == CROSS_ATTENTION_MESSAGE
