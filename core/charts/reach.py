"""Shared axes for charts side by side: they extend over the numbers of both."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import pandas as pd


def reaching(spec: dict[str, Any], frames: Sequence[pd.DataFrame]) -> dict[str, Any]:
    """Return a copy of a chart's spec whose axes extend over the numbers of all these frames.

    An axis with a domain of its own keeps it, and an axis that the chart's parts do not share stays as it is.
    """
    made = deepcopy(spec)
    for channel in ("x", "y"):
        if made.get("resolve", {}).get("scale", {}).get(channel) == "independent":
            continue
        along = [
            encoding[name] for encoding in _encodings(made) for name in (channel, f"{channel}2") if name in encoding
        ]
        measured = [
            definition for definition in along if definition.get("type") == "quantitative" and "field" in definition
        ]
        if not measured or any("domain" in (definition.get("scale") or {}) for definition in measured):
            continue
        fields = {definition["field"] for definition in along if "field" in definition}
        logarithmic = any((definition.get("scale") or {}).get("type") == "log" for definition in measured)
        if (ends := _ends(fields, frames, logarithmic)) is not None:
            measured[0]["scale"] = (measured[0].get("scale") or {}) | {"domain": {"unionWith": ends}}
    return made


def _encodings(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "encoding" in spec:
        yield spec["encoding"]
    for layer in spec.get("layer", ()):
        yield from _encodings(layer)


def _ends(fields: set[str], frames: Sequence[pd.DataFrame], positive: bool) -> list[float] | None:
    """Return the least and the greatest finite number in columns of all frames, or None if there is none.

    fields: the names of the columns.
    positive: whether only numbers above 0 count.
    """
    columns = [frame[field] for frame in frames for field in sorted(fields) if field in frame]
    numbers = [pd.to_numeric(column, errors="coerce").to_numpy(np.float64) for column in columns]
    values = np.concatenate([*numbers, np.empty(0)])
    values = values[np.isfinite(values) & ((values > 0) | (not positive))]
    return [float(values.min()), float(values.max())] if values.size else None
