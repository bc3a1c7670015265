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
        along = [each[name] for each in _encodings(made) for name in (channel, f"{channel}2") if name in each]
        measured = [each for each in along if each.get("type") == "quantitative" and "field" in each]
        if not measured or any("domain" in (each.get("scale") or {}) for each in measured):
            continue
        fields = {each["field"] for each in along if "field" in each}
        logarithmic = any((each.get("scale") or {}).get("type") == "log" for each in measured)
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
    found = np.concatenate([*numbers, np.empty(0)])
    found = found[np.isfinite(found) & ((found > 0) | (not positive))]
    return [float(found.min()), float(found.max())] if found.size else None
