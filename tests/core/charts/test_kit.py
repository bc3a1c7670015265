"""The parts that charts share: one frame, tooltips, colours by name, and data as rows and as cells."""

from typing import Any

import numpy as np

from core.charts.kit import cell_data, chart, clickable, framed, named, row_data, texts, tips


def test_layers_share_one_data_set_and_one_frame() -> None:
    layers = chart(x="a:Q").mark_bar(), clickable(chart(x="b:Q").mark_point())
    spec = framed("Why?", *layers, height=90, margin=24, fitted=True)
    assert (spec["title"], spec["width"], spec["height"]) == ("Why?", "container", 90)
    assert spec["padding"]["right"] == 24 and spec["autosize"]["type"] == "fit"
    assert not any("data" in layer for layer in spec["layer"])
    assert [param["name"] for param in spec["params"]] == ["picked"]
    assert "layer" not in framed("Why?", layers[0], height=90)


def test_a_line_of_a_tooltip_has_a_title_and_a_format_only_if_they_are_given() -> None:
    said: list[Any] = [each.to_dict() for each in tips("a:N", ("b:N", "Bee"), ("c:Q", "", ".2f"))]
    assert said[0] == {"field": "a", "type": "nominal"} and said[1]["title"] == "Bee"
    assert said[2] == {"field": "c", "format": ".2f", "type": "quantitative"}


def test_colours_by_name_keep_their_order_and_may_have_no_legend() -> None:
    hues = {"b": "#000000", "a": "#ffffff"}
    made: list[Any] = [named("kind:N", hues, **more).to_dict() for more in ({"columns": 2}, {"orient": None})]
    assert made[0]["scale"] == {"domain": ["b", "a"], "range": ["#000000", "#ffffff"]}
    assert made[0]["legend"] == {"orient": "top", "columns": 2} and made[1]["legend"] is None


def test_rows_and_cells_are_numbered_by_place() -> None:
    rows = row_data("word", ["b", "a"], value=np.array([1.0, 2.0]))
    assert rows.to_dict("list") == {"place": [0, 1], "word": ["b", "a"], "value": [1, 2]}
    cells = cell_data(("row", ["b", "a"]), ("column", ["x", "y", "z"]), value=np.arange(6).reshape(2, 3))
    assert cells["place"].tolist() == [0, 0, 0, 1, 1, 1] and cells["row"].tolist() == [*"bbbaaa"]
    assert cells["column"].tolist() == [*"xyzxyz"] and cells["value"].tolist() == [*range(6)]


def test_text_is_text_even_if_there_is_none() -> None:
    assert texts([]).dtype == texts(["a"]).dtype == row_data("word", [])["word"].dtype
