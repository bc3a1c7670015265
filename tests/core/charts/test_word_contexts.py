"""The charts of words in context: valid, constant, and with the numbers that they were given."""

import numpy as np
import pytest

from core.charts import word_contexts
from tests.core.chart_specs import assert_sound

STAGES = ("embedding", "layer 1")
CHARTS = {
    "stages": (
        lambda: word_contexts.stages_spec("How alike?", "cosine", ("1 and 2",), ("word2vec", "others")),
        word_contexts.stages_data(STAGES, {"1 and 2": np.array([1, 0.5]), "word2vec": 1.0, "others": np.nan}),
    ),
    "map": (
        lambda: word_contexts.context_map_spec("After layer 1", ("sentence 1", "sentence 2")),
        word_contexts.context_map_data(np.eye(2), ["a", "a"], ["sentence 1", "sentence 2"], [True, True]),
    ),
    "drawn": (
        lambda: word_contexts.drawn_spec("What it drew from"),
        word_contexts.drawn_data(["0:a", "1:b"], np.array([1.2, -0.2]), np.array([0.9, 0.1]), np.ones(2), (-0.2, 1.2)),
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_specs_are_valid_bare_and_constant(name: str) -> None:
    assert_sound(*CHARTS[name])


def test_what_is_undefined_has_no_line() -> None:
    frame = CHARTS["stages"][1]
    assert frame["series"].tolist() == ["1 and 2"] * 2 + ["word2vec"] * 2 and frame["value"].tolist() == [1, 0.5, 1, 1]


def test_the_upper_of_two_points_has_the_upper_name() -> None:
    frame = CHARTS["map"][1]  # the second point, (0, 1), lies above the first
    assert frame["shift"].tolist() == [7.5, -7.5]


def test_occurrences_on_one_point_have_one_label_with_their_sentences() -> None:
    places = np.array([[0.0, 0], [0, 0], [1, 1], [1, 0]])
    names = ["sentence 1", "sentence 2", "sentence 3", "sentence 3"]
    found = word_contexts.context_map_data(places, ["spring"] * 3 + ["clock"], names, [True] * 3 + [False])
    assert found.label.tolist() == ["spring (1, 2)", "", "spring (3)", "clock"]
    assert found["shift"].tolist() == [7.5, 7.5, -7.5, 0]
