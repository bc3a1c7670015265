"""Charts on a projector."""

from core.charts.bars import tokens_bars_spec
from pages.widgets.chart import PROJECTOR_LEAST, PROJECTOR_TEXT_FACTOR, enlarged, spec


def test_a_chart_for_a_projector_has_larger_type_and_leaves_its_height_to_its_place_unless_it_has_rows() -> None:
    bars = spec(tokens_bars_spec, "What comes next?", "probability")
    larger = enlarged(bars)
    assert larger["height"] == bars["height"]
    assert larger["config"]["axis"]["labelFontSize"] > bars["config"]["axis"].get("labelFontSize", 0)
    assert "height" not in enlarged({"height": 520}) and enlarged({"width": "container"})["width"] == "container"


def test_text_among_the_marks_is_larger_on_a_projector_wherever_it_stands() -> None:
    bar, fixed, made = (
        {"type": "bar"},
        {"type": "text", "fontSize": 10},
        {"type": "text", "fontSize": {"expr": "width"}},
    )
    layered = {"layer": [{"mark": bar}, {"layer": [{"mark": fixed}]}, {"mark": made}]}
    first, (second,), third = (each.get("layer", each) for each in enlarged(layered)["layer"])
    assert first["mark"] == bar and second["mark"] == fixed | {"fontSize": PROJECTOR_LEAST}
    assert (
        third["mark"]["fontSize"] == {"expr": f"max({PROJECTOR_LEAST}, {PROJECTOR_TEXT_FACTOR} * (width))"}
        and fixed["fontSize"] == 10
    )
