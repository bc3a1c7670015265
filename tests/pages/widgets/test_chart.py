"""Charts on a projector."""

from core.charts.bars import tokens_bars_spec
from pages.widgets.chart import HIGHEST, enlarged, spec


def test_a_chart_for_a_projector_has_larger_type_and_is_no_higher_than_fits() -> None:
    bars = spec(tokens_bars_spec, "What comes next?", "probability")
    larger = enlarged(bars)
    assert larger["height"] == bars["height"]
    assert larger["config"]["axis"]["labelFontSize"] > bars["config"]["axis"].get("labelFontSize", 0)
    assert enlarged({"height": 520})["height"] == HIGHEST and enlarged({"height": 100})["height"] == 100
    assert "height" not in enlarged({})
