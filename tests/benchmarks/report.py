"""What every benchmark prints: a table for people, or with --json one JSON object."""

import json
from collections.abc import Mapping, Sequence
from statistics import quantiles


def table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns lined up on the right."""
    lines = [[str(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def as_json(result: Mapping[str, object]) -> str:
    return json.dumps(result, ensure_ascii=False)


def quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile of two numbers or more."""
    lower, middle, upper = quantiles(numbers, n=4, method="inclusive")
    return lower, middle, upper
