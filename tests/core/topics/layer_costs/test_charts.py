"""The lines of What a layer costs, and their upright rules."""

import numpy as np
import pytest

from core.model.layer_kinds import LAYER_KINDS
from core.topics.layer_costs.charts import POWER, STROKES, CostLine, cost_lines_data, cost_lines_spec
from tests.core.chart_specs import assert_sound


def test_points_spreads_and_rules_have_rows_of_their_own() -> None:
    x = np.array([1, 2, 3])
    lines = [CostLine("recurrent", x, np.array([0.0, 2, 4])), CostLine("convolution", x, x * 2.0, x * 1.0, x * 3.0)]
    frame = cost_lines_data(lines, [(2.0, "n = d"), (3.0, "n here")])
    assert frame.kind.tolist() == ["recurrent"] * 2 + ["convolution"] * 3 + ["n = d", "n here"]
    assert frame.y.dropna().tolist() == [2, 4, 2, 4, 6], "what is 0 has no place on a logarithmic scale"
    assert frame.low.dropna().tolist() == [2, 4, 1, 2, 3] and frame.high.dropna().tolist() == [2, 4, 3, 6, 9]
    assert frame[frame.y.isna()].x.tolist() == [2, 3] and frame.row.iloc[-1] > frame.row.iloc[-2], "words lie apart"


@pytest.mark.parametrize("points", [False, True])
def test_the_chart_is_sound_and_has_a_stroke_for_every_kind(points: bool) -> None:
    assert tuple(STROKES) == LAYER_KINDS and len({(hue, tuple(dash)) for hue, dash in STROKES.values()}) == 5
    frame = cost_lines_data([CostLine("recurrent", np.array([1, 2]), np.array([1.0, 2]))], [(1.0, "n = d")])
    assert_sound(lambda: cost_lines_spec("How long?", "n", "ms", POWER, points=points), frame)
