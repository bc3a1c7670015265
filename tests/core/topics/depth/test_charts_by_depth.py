"""The chart along depth and the vectors of the power method: sound specs, and what is told of what cannot be drawn."""

import numpy as np
import pytest

from core.topics.depth.charts.by_depth import GREY, HUES, TRAINED, depth_data, depth_spec
from core.topics.depth.charts.iterates import iterates_data, iterates_spec
from core.topics.depth.curves import norm_curve
from tests.core.chart_specs import assert_sound, found

SEEDS = norm_curve("no norm", "with residual", np.array([[1.0, 4.0, np.inf], [4.0, 0.0, 2.0]]))
ALONE = norm_curve(TRAINED, "", np.array([[3.0, np.nan]]))
GROUPS = ("no norm", TRAINED)
CHARTS = {
    "depth": (
        lambda: depth_spec("Same?", "layer", "norm", GROUPS, ("with residual",)),
        depth_data([SEEDS, ALONE], now=1),
    ),
    "linear": (
        lambda: depth_spec("Alike?", "layer", "cosine", GROUPS, ("with residual",), log=False),
        depth_data([SEEDS]),
    ),
    "iterates": (lambda: iterates_spec("Where?", "along", "across"), iterates_data(np.eye(3)[:, :2], 2)),
}


@pytest.mark.parametrize("name", CHARTS)
def test_specs_are_valid_bare_and_constant(name: str) -> None:
    assert_sound(*CHARTS[name])


def test_numbers_beyond_float32_are_told_in_words() -> None:
    frame = depth_data([SEEDS, ALONE], now=1)
    assert frame["text"].tolist() == [*("", "exactly 0 in 1 of 2", "∞ in 1 of 2", "", "")]
    np.testing.assert_allclose(frame["middle"], [2, np.nan, np.nan, 3, np.nan])
    assert frame["now"].tolist()[0] == 1 and frame["now"].notna().sum() == 1
    assert frame["name"].tolist()[0] == "no norm, with residual" and frame["name"].tolist()[-1] == TRAINED


def test_a_trained_model_is_grey_wherever_it_stands() -> None:
    ranges = found(depth_spec("Same?", "layer", "norm", GROUPS), "range")
    assert [HUES[0], GREY] in ranges


def test_only_vectors_up_to_the_step_are_drawn() -> None:
    frame = iterates_data(np.arange(8.0).reshape(4, 2), 1)
    assert frame["step"].tolist() == [0, 1] and frame["now"].tolist() == [False, True]
    assert frame["x"].tolist() == [0, 2] and frame["name"].tolist()[1] == "step 1"
