"""What the records of a KV cache hand to tables and charts: shapes, names and numbers worked by hand."""

from dataclasses import replace

import numpy as np

from core.charts.kv_pairs import kv_pairs_data
from core.model.config import TransformerConfig
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import (
    KINDS,
    STORED,
    CacheCheck,
    CacheMemory,
    CacheStep,
    CostsAlong,
    StepCosts,
    TimesAlong,
    Timing,
    Unchanged,
)
from core.tracing.run import Run

RUN = Run("a b", TransformerConfig("decoder", 1000, 16, 2, 2, max_length=40))


def test_the_first_step_reads_everything_and_a_later_one_a_single_token() -> None:
    first = Moment(RUN, 3, (1, 2, 3), ("a", "b", "c"), 0, 40, False)
    later = replace(first, ids=(1, 2, 3, 4), pieces=("a", "b", "c", "d"))
    assert (first.length, first.new, first.old) == (3, 3, 0) and (later.length, later.new, later.old) == (4, 1, 3)


def test_a_step_names_its_rows_and_hides_what_is_masked() -> None:
    scores = np.where(np.tri(2, dtype=bool), 1.0, -np.inf)
    q, v = np.ones((2, 3)), np.full((2, 1), 5.0)
    step = CacheStep(("a", "b"), ("a", "b"), 1, 1, q, 2 * q, v, scores, np.array([[1, 0], [0.5, 0.5]]), v, {})
    assert step.old == 1 and step.labels == step.key_labels == ("0:a", "1:b")
    np.testing.assert_array_equal(step.masked_pattern, [[1, -np.inf], [0.5, 0.5]])
    numbers, rows, columns = step.table
    np.testing.assert_array_equal(numbers, [[2, 2, 2, 5]] * 2)
    assert list(columns) == ["k0", "k1", "k2", "v0"] and rows == ("0:a", "1:b")


def test_movements_are_told_layer_by_layer() -> None:
    found = Unchanged(3, np.array([[1.0, 2.0], [4.0, 3.0]]), np.array([[5.0, 6.0], [7.0, 8.0]]), 9.0)
    masked, unmasked = found.largest
    assert masked.tolist() == [2, 4] and unmasked.tolist() == [6, 8] and found.layers == ["1", "2"]
    numbers, rows, columns = found.table
    assert numbers[1].tolist() == [4, 3, 7, 8] and rows == ["layer 1", "layer 2"]
    assert list(columns) == ["keys, masked", "values, masked", "keys, no mask", "values, no mask"]


def test_a_check_s_table_says_which_steps_agree() -> None:
    numbers, rows, _ = CacheCheck((3, 4), (0.5, 0.25), ("x", "y"), ("x", "z"), 1.0).table
    assert numbers.tolist() == [[0.5, 1], [0.25, 0]] and rows == ["3: x | x", "4: y | z"]
    assert CacheCheck((3, 4), (0.5, 0.25), ("x", "y"), ("x", "z"), 1.0).largest == 0.5


def test_quartiles_stand_beside_their_medians() -> None:
    found = TimesAlong((Timing(1, 15, (1, 2, 3), (4, 5, 6)), Timing(9, 7, (2, 3, 4), (5, 6, 7))))
    assert found.lengths == [1, 9] and found.quartiles.shape == (2, 3, 2)
    assert [(kind, values.tolist()) for kind, values in found.lines] == [(KINDS[0], [2, 3]), (KINDS[1], [5, 6])]
    assert [(low.tolist(), high.tolist()) for low, high in found.spread] == [([1, 2], [3, 4]), ([4, 5], [6, 7])]
    numbers, rows, columns = found.table
    assert numbers[1].tolist() == [2, 3, 4, 5, 6, 7, 7] and list(rows) == ["1", "9"] and len(columns) == 7


def test_costs_have_a_ratio_where_something_is_computed() -> None:
    costs = StepCosts(("a", "b"), np.array([2, 0]), np.array([6, 5]))
    numbers, rows, _ = costs.table
    np.testing.assert_array_equal(numbers, [[2, 6, 3], [0, 5, np.nan], [2, 11, 5.5]])
    assert rows == ("a", "b", "together")
    along = CostsAlong((1, 2), np.array([1, 2]), np.array([3, 4]))
    assert [(kind, values.tolist()) for kind, values in along.lines] == [(KINDS[0], [1, 2]), (KINDS[1], [3, 4])]


def test_bytes_are_drawn_in_mib_and_listed_as_they_are() -> None:
    found = CacheMemory((1, 2), np.array([2**20, 2**21]), 2**20, 2**20, 2**22, 4)
    assert [(kind, values.tolist()) for kind, values in found.lines] == [(STORED, [1, 2])]
    numbers, rows, _ = found.table
    assert numbers.tolist() == [[2**20, 2**22], [2**21, 2**22]] and rows == ["1", "2"]


def test_pairs_of_bars_bear_their_numbers() -> None:
    data = kv_pairs_data(["a", "b"], KINDS, np.array([1, 2]), np.array([3, 4]), lambda number: f"{number} x")
    assert data.label.tolist() == ["a", "a", "b", "b"] and data.kind.tolist() == [*KINDS, *KINDS]
    assert data.value.tolist() == [1, 3, 2, 4] and data.text.tolist() == ["1 x", "3 x", "2 x", "4 x"]
