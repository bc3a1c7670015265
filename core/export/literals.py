"""Lists and texts of a run as Python literals in lines of at most a hundred characters."""

import json
from collections.abc import Sequence
from textwrap import wrap

WIDTH = 100


def assigned(name: str, values: Sequence[str] | Sequence[int], comment: str = "") -> list[str]:
    """Return the lines that give a name to a list, on one line if it fits, else as many values on each as do.

    Formatters are told to leave the lines as they are: they would give each value a line of its own.
    """
    written = [_literal(value) for value in values]
    note = f"  # {comment}" if comment else ""
    if len(line := f"{name} = [{', '.join(written)}]{note}") <= WIDTH:
        return [line]
    lines, row = [f"{name} = [{note}"], "   "
    for value in written:
        if len(row) + len(value) + 2 > WIDTH and row.strip():
            lines.append(row)
            row = "   "
        row += f" {value},"
    return [*lines, row, "]  # fmt: skip"]


def paragraph(name: str, text: str) -> list[str]:
    """Return the lines that give a name to a text whose words stand one space apart."""
    written = f'{name} = """{_literal(text)[1:-1]}"""'
    rows = wrap(written, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return [*(f"{row} \\" for row in rows[:-1]), rows[-1]]


def _literal(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
