"""Rows keep the order of their data when a chart is given other data: they are sorted by a column of places."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.charts.bars import bars_data, tokens_bars_spec
from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.charts.positions_lines import lines_along, lines_data, lines_spec
from core.topics.architecture.charts.stacked_bars import stacked_bars_data, stacked_bars_spec
from core.topics.architecture.charts.totals import model_totals_data, model_totals_spec
from core.topics.generate.charts.along_text import along_text_data, along_text_spec, lens_data, lens_spec
from core.topics.masks.charts import masks_row_data, masks_row_spec
from tests.core.chart_specs import found

LABELS = ["7:z", "8:a", "9:m"]
TWO = ("with", "without")
THREE = np.arange(3.0)


@pytest.mark.parametrize(
    ("spec", "data", "column", "axis"),
    [
        (tokens_bars_spec("a", "b"), bars_data(THREE, LABELS), "label", "y"),
        (along_text_spec(), along_text_data(LABELS, [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], 0), "token", "x"),
        (lens_spec(), lens_data(LABELS, [LABELS], THREE[None], LABELS, 0), "token", "y"),
        (kv_pairs_spec("a", "b", "c", TWO), kv_pairs_data(LABELS, TWO, THREE, THREE, str), "label", "y"),
        (
            stacked_bars_spec("a", "b", TWO, ("#000000", "#ffffff")),
            stacked_bars_data(LABELS, TWO, np.ones((3, 2)), np.full((3, 2), "x"), LABELS),
            *("label", "y"),
        ),
        (
            model_totals_spec("a", ("b", "c", "d")),
            model_totals_data(LABELS, [1, 2, 3], LABELS, ["b"] * 3, 0, LABELS),
            *("label", "y"),
        ),
        (
            lines_spec("a", "b", "c"),
            lines_data(lines_along(dict.fromkeys(LABELS, THREE))),
            *("line", "color"),
        ),
        (masks_row_spec(), masks_row_data([THREE] * 3, np.ones(3, dtype=bool), LABELS), "key", "y"),
    ],
)
def test_rows_are_sorted_by_their_place(spec: dict[str, Any], data: pd.DataFrame, column: str, axis: str) -> None:
    assert all(each["sort"] == {"field": "place", "op": "min"} for each in found(spec, axis) if "sort" in each)
    assert any("sort" in each for each in found(spec, axis))
    places = data[[column, "place"]].drop_duplicates()
    assert dict(zip(places[column], places.place, strict=True)) == {label: n for n, label in enumerate(LABELS)}
    assert len(places) == len(LABELS)
