"""Write down which settings each click on a drawing changes, so that the browser knows what to draw next."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pages.canvas.runtime.clicks import Settings

Answers = dict[str, Mapping[str, Any]]  # the settings that a click changes, by what it sends as JSON
Cells = dict[tuple[str, int, int], Mapping[str, Any] | None]  # by panel, row and column


def click_answers(picks: Iterable[tuple[Any, Settings]]) -> Answers:
    """Return the settings that each click changes; clicks that change none are left out.

    If all cells of a row or of a column change the same, they have one entry without the other index.

    picks: the value that each click sends, with the settings that it changes.
    """
    answers: Answers = {}
    cells: Cells = {}
    for value, settings in picks:
        known = settings if isinstance(settings, Mapping) and settings else None
        if isinstance(value, dict) and value.keys() == {"panel", "row", "col"}:
            cells[value["panel"], value["row"], value["col"]] = known
        elif known:
            answers[_written(value)] = known
    rows, columns = _common(cells, 1), _common(cells, 2)
    answers |= {_written({"panel": panel, "row": row}): settings for (panel, row), settings in rows.items()}
    answers |= {_written({"panel": panel, "col": col}): settings for (panel, col), settings in columns.items()}
    for (panel, row, col), settings in cells.items():
        if settings and (panel, row) not in rows and (panel, col) not in columns:
            answers[_written({"panel": panel, "row": row, "col": col})] = settings
    return answers


def _common(cells: Cells, index: int) -> dict[tuple[str, Any], Mapping[str, Any]]:
    """Return the settings of each row (index 1) or column (index 2) of a panel whose cells all change the same."""
    lines: dict[tuple[str, Any], list[Mapping[str, Any] | None]] = {}
    for cell, settings in cells.items():
        lines.setdefault((cell[0], cell[index]), []).append(settings)
    return {line: held[0] for line, held in lines.items() if held[0] and all(each == held[0] for each in held)}


def _written(value: Any) -> str:
    """Return the value that a click sends, written as frames.js writes it."""
    return _written_items(tuple(value.items())) if isinstance(value, dict) else _json(value)


@lru_cache(maxsize=4096)  # a drawing's states have the same clicks
def _written_items(items: tuple[tuple[str, Any], ...]) -> str:
    return _json(dict(items))


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
