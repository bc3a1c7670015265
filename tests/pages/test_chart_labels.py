"""No label of a chart is cut short: each fits the room that its axis or legend gives it."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from pages.shell.page import Page
from pages.widgets import Chart
from tests.pages.house import PAGES
from tests.pages.sentences import run_for, show

CHARACTER = 5  # pixels of a character of a label, on average and rounded up
ROOM = {"x": 180, "y": 180, "color": 0}  # pixels where a chart says none; 0 is no limit
TEXT = "The animal couldn't cross the street because it was unfortunately too tired."


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_no_label_is_cut(page: Page) -> None:
    run = run_for(page, TEXT)
    cut = [
        (view.name, label)
        for view in page.views
        for chart in charts_in(show(page, view, run, {}).pictures)
        for label, room in labels(chart)
        if room and CHARACTER * len(label) > room
    ]
    assert not cut


def charts_in(part: Any) -> Iterator[Chart]:
    """The charts among some parts, and inside them."""
    if isinstance(part, Chart):
        yield part
    elif isinstance(part, list | tuple):
        for each in part:
            yield from charts_in(each)
    elif is_dataclass(part) and not isinstance(part, type):
        for field in fields(part):
            yield from charts_in(getattr(part, field.name))


def labels(chart: Chart) -> Iterator[tuple[str, int]]:
    """The lines of a chart's labels, with the pixels that each may take."""
    for channel, encoding in encodings(chart.spec):
        guide = encoding.get("legend" if channel == "color" else "axis", {})
        if guide is None or encoding.get("type") != "nominal" or encoding["field"] not in chart.data:
            continue
        roomy, narrow = limits(guide.get("labelLimit", ROOM[channel]))
        for name in dict.fromkeys(map(str, chart.data[encoding["field"]])):
            lines = name.split(": ") if "split" in guide.get("labelExpr", "") else [name]
            yield from ((line, narrow) for line in lines)
            if roomy != narrow:
                yield name, roomy


def limits(limit: Any) -> tuple[int, int]:
    """The pixels that a label may take in a wide picture, where it is one line, and in a narrow one."""
    if not isinstance(limit, dict):
        return limit, limit
    roomy, narrow = limit["expr"].partition(" ? ")[2].split(" : ")
    return int(roomy), int(narrow)


def encodings(spec: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The channels of a Vega-Lite specification that write labels, each with its encoding of a field."""
    if isinstance(spec, list):
        for each in spec:
            yield from encodings(each)
    elif isinstance(spec, dict):
        for channel, inner in spec.items():
            if channel in ROOM and isinstance(inner, dict) and "field" in inner:
                yield channel, inner
            else:
                yield from encodings(inner)
