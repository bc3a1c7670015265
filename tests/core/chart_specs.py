"""What every chart's spec must be."""

import json
from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd

from core.charts.style import QUIET_TEXT


def found(spec: Any, key: str) -> list[Any]:
    """Every value that stands under a key, at any depth."""
    if isinstance(spec, list):
        return [hit for item in spec for hit in found(item, key)]
    if not isinstance(spec, dict):
        return []
    here = [spec[key]] if key in spec else []
    return here + [hit for item in spec.values() for hit in found(item, key)]


def assert_sound(spec: Callable[[], dict[str, Any]], frame: pd.DataFrame) -> None:
    """The spec never changes, holds no data, names no column that its frame has not, and Vega-Lite accepts both."""
    built = spec()
    assert json.dumps(built) == json.dumps(spec())
    assert not any(found(built, key) for key in ("data", "datasets", "$schema"))
    assert built["config"] == QUIET_TEXT
    assert built["usermeta"] == {"embedOptions": {"renderer": "svg"}}
    assert built["title"] and set(found(built, "field")) <= set(frame.columns)
    values = json.loads(frame.to_json(orient="records"))
    alt.Chart.from_dict({**built, "data": {"values": values}}).to_dict()
