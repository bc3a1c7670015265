"""Charts side by side have axes of one length."""

from typing import Any

import pandas as pd

from core.charts.bars import bars_data, word_bars_spec
from core.charts.reach import reaching

ONE = pd.DataFrame({"a": [1.0, 4.0], "low": [0.5, float("nan")], "b": [0.0, 1.0]})
TWO = pd.DataFrame({"a": [-2.0, 3.0], "low": [0.25, 9.0], "b": [5.0, 6.0]})


def layered(**scale: Any) -> dict[str, Any]:
    x, y = {"field": "b", "type": "quantitative"}, {"field": "a", "type": "quantitative", "scale": scale}
    return {"layer": [{"encoding": {"x": x, "y": y}}, {"encoding": {"y": dict(y), "y2": {"field": "low"}}}]}


def ends(spec: dict[str, Any], channel: str) -> list[float]:
    scale: dict[str, Any] = spec["layer"][0]["encoding"][channel]["scale"]
    return list(scale["domain"]["unionWith"])


def test_axes_reach_as_far_as_the_numbers_of_both() -> None:
    spec = layered(zero=False)
    found = reaching(spec, [ONE, TWO])
    assert ends(found, "x") == [0, 6] and ends(found, "y") == [-2, 9]
    assert found["layer"][0]["encoding"]["y"]["scale"]["zero"] is False
    assert spec == layered(zero=False)  # it is shared by all visitors


def test_a_logarithmic_axis_has_no_number_below_0() -> None:
    assert ends(reaching(layered(type="log"), [ONE, TWO]), "y") == [0.25, 9]


def test_an_axis_with_a_domain_and_axes_of_parts_stay_as_they_are() -> None:
    for spec in (layered(domain=[0, 1]), layered() | {"resolve": {"scale": {"y": "independent"}}}):
        found = reaching(spec, [ONE, TWO])
        assert found["layer"][0]["encoding"]["y"] == spec["layer"][0]["encoding"]["y"]
        assert ends(found, "x") == [0, 6]


def test_bars_of_the_house() -> None:
    frames = [bars_data(pd.Series(values).to_numpy(), ["p", "q"]) for values in ([0.2, 0.9], [-0.4, 0.1])]
    found = reaching(word_bars_spec("Near"), frames)
    domain = found["layer"][0]["encoding"]["x"]["scale"]["domain"]["unionWith"]
    assert [round(each, 5) for each in domain] == [-0.4, 0.9]
    assert "scale" not in found["layer"][0]["encoding"]["y"]
