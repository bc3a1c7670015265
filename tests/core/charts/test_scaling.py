"""The charts about scaling: specs that no data can change, and frames that hold just what was measured."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.topics.scaling.analysis import WIDTHS, measure_softmax, measure_variance
from core.topics.scaling.charts.weights import weights_data, weights_spec
from core.topics.scaling.charts.widths import SERIES, positive, widths_data, widths_spec
from tests.core.chart_specs import assert_sound

VARIANCES = measure_variance("signs", 2, 0)
SOFTMAXES = measure_softmax("normal", 4, 3, 0)
LINES = widths_data(WIDTHS, VARIANCES.raw, VARIANCES.scaled, (np.array(WIDTHS), None), own=(16, 4.0, 0.25))
CHARTS: dict[str, tuple[Callable[[], dict[str, Any]], pd.DataFrame]] = {
    "variance": (lambda: widths_spec("Why?", "variance", log=True), positive(LINES)),
    "gradient": (lambda: widths_spec("Why?", "norm", top=0.5), LINES),
    "entropy": (lambda: widths_spec("Why?", "bits"), LINES),
    "weights": (weights_spec, weights_data(SOFTMAXES.raw.weights, SOFTMAXES.scaled.weights, 6)),
}


@pytest.mark.parametrize("name", CHARTS)
def test_specs_are_valid_bare_and_constant(name: str) -> None:
    assert_sound(*CHARTS[name])


def test_a_log_axis_gets_no_zero() -> None:
    numbers = CHARTS["variance"][1].drop(columns=["width", "series"])
    assert (VARIANCES.raw.low <= 0).any(), "the case that would break a log axis"
    assert not (numbers <= 0).any(axis=None)
    own = (16, 4.0, 0.25)
    at_once = widths_data(WIDTHS, VARIANCES.raw, VARIANCES.scaled, (np.array(WIDTHS), None), own=own, log=True)
    pd.testing.assert_frame_equal(at_once, CHARTS["variance"][1])


def test_frames_hold_what_was_measured() -> None:
    both = LINES[LINES["own"].isna()]
    for series, spread in zip(SERIES, (VARIANCES.raw, VARIANCES.scaled), strict=True):
        rows = both[both["series"] == series]
        assert rows["width"].tolist() == list(WIDTHS)
        np.testing.assert_allclose(rows["mean"], spread.mean, rtol=1e-6)
        np.testing.assert_allclose(rows["more"] - rows["mean"], spread.error, rtol=1e-3, atol=1e-4)
    mine = LINES[LINES["own"].notna()]
    assert mine[["width", "series", "own"]].values.tolist() == [[16, SERIES[0], 4.0], [16, SERIES[1], 0.25]]
    weights = CHARTS["weights"][1]
    assert weights["rank"].tolist() == [1, 2, 3] * 2
    assert weights.groupby("series")["mean"].sum().tolist() == pytest.approx([1, 1])
