"""Charts: specs that Vega-Lite's schema accepts and no data can change, and frames that hold just what was given."""

import ast
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.heads import HEADS_COMPARED
from core.charts import bars
from core.charts.style import printed
from core.topics.heads.charts import scores, similarity
from tests.core.chart_specs import assert_sound, found

ALIKE = np.array([[1, 0.25], [0.25, 1]], dtype=np.float32)
BARS = ("Which output moves most?", "change of the output")
CHARTS: dict[str, tuple[Callable[[], dict[str, Any]], pd.DataFrame]] = {
    "head_scores": (scores.head_scores_spec, scores.head_scores_data(np.ones((2, 3)), (0, 1))),
    "similarity": (similarity.similarity_spec, similarity.similarity_data(ALIKE, ["1·1", "1·2"])),
    "layer_bars": (partial(bars.layer_bars_spec, *BARS), bars.bars_data(np.array([0.5, -1]), ["layer 1", "layer 2"])),
    "tokens_bars": (partial(bars.tokens_bars_spec, *BARS), bars.bars_data(np.array([0.5]), ["0:the"])),
}


@pytest.mark.parametrize("name", CHARTS)
def test_specs_are_valid_bare_and_constant(name: str) -> None:
    spec, frame = CHARTS[name]
    assert_sound(spec, frame)
    assert all(found(spec(), "title"))


@pytest.mark.parametrize("name", CHARTS)
def test_every_column_that_a_spec_names_is_in_its_frame(name: str) -> None:
    spec, frame = CHARTS[name]
    assert set(found(spec(), "field")) <= set(frame.columns)
    assert all(kind in {"quantitative", "ordinal", "nominal"} for kind in found(found(spec(), "encoding"), "type"))


@pytest.mark.parametrize("name", ["head_scores", "similarity"])
def test_colours_have_a_fixed_domain(name: str) -> None:
    colours = [colour for colour in found(CHARTS[name][0](), "color") if "field" in colour]
    assert [colour["scale"]["domain"] for colour in colours] == [[0, 1]]


def test_a_title_is_all_that_changes_a_spec() -> None:
    named = scores.head_scores_spec("How sharp is each head?")
    assert named["title"] == "How sharp is each head?"
    assert {**named, "title": None} == {**scores.head_scores_spec(), "title": None}


def test_head_scores_by_hand() -> None:
    values = np.ma.masked_array([[0.5, 2.0], [1.0, 9.0]], mask=[[False, False], [False, True]])
    frame = scores.head_scores_data(values, (0, 2))
    assert frame["layer"].tolist() == [1, 1, 2, 2] and frame["head"].tolist() == [1, 2, 1, 2]
    assert frame["share"].tolist()[:3] == [0.25, 1, 0.5] and frame["share"].isna().tolist() == [False] * 3 + [True]
    assert frame["text"].tolist() == ["0.50", "2.00", "1.00", "–"]
    assert [str(dtype) for dtype in frame.dtypes] == ["int16", "int16", "float32", "float32", "str"]


def test_head_scores_where_only_one_value_is_possible() -> None:
    assert scores.head_scores_data(np.zeros((1, 1)), (0, 0))["share"].tolist() == [0]


def test_the_map_has_room_for_all_heads_that_are_compared() -> None:
    assert HEADS_COMPARED <= similarity.MOST_HEADS


def test_similarity_by_hand() -> None:
    frame = similarity.similarity_data(ALIKE, ["1·1", "1·2"])
    assert frame["head"].tolist() == ["1·1", "1·1", "1·2", "1·2"]
    assert frame["other"].tolist() == ["1·1", "1·2"] * 2
    assert frame["similarity"].tolist() == [1, 0.25, 0.25, 1]


def test_bars_by_hand() -> None:
    frame = bars.bars_data(np.ma.masked_array([0.5, -1.25, 7], mask=[False, False, True]), ["0:the", "1:cat", "2:the"])
    assert frame["label"].tolist() == ["0:the", "1:cat", "2:the"]
    assert frame["value"].tolist()[:2] == [0.5, -1.25] and np.isnan(frame["value"][2])
    assert frame["text"].tolist() == ["0.500", "−1.250", "–"]
    assert frame["text_at"].tolist() == [0.5, 0, 0]


def test_numbers_are_written_without_a_negative_zero() -> None:
    assert printed(np.array([-0.001, -0.5, np.nan])) == ["0.00", "−0.50", "–"]


@given(st.integers(1, 12), st.integers(1, 16), st.integers(0, 999))
def test_frames_hold_exactly_the_numbers_given(layers: int, heads: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(layers, heads)).astype(np.float32)
    frame = scores.head_scores_data(values, (0, 1))
    assert np.array_equal(frame["value"].to_numpy().reshape(layers, heads), values)
    assert frame["share"].between(0, 1).all()
    labels = [f"{index}:x" for index in range(heads)]
    assert np.array_equal(bars.bars_data(values[0], labels)["value"], values[0])


def test_charts_import_neither_torch_nor_streamlit() -> None:
    for path in Path(bars.__file__).parent.glob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        assert not [name for name in names if name.split(".")[0] in ("torch", "streamlit", "pages")]
