"""Charts on a projector."""

from core.charts.bars import tokens_bars_spec
from pages.widgets.chart import LARGER, enlarged, spec


def test_a_chart_for_a_projector_is_higher_and_its_type_larger() -> None:
    bars = spec(tokens_bars_spec, "What comes next?", "probability")
    larger = enlarged(bars)
    assert larger["height"] == bars["height"] | {"step": bars["height"]["step"] * LARGER}
    assert larger["config"]["axis"]["labelFontSize"] > 12 and "config" not in bars
    assert enlarged({"height": 400})["height"] == 400 * LARGER and "height" not in enlarged({})
