"""A matrix with labels that shows itself: as text in a terminal, as a table in a notebook, and as SVG for a paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

LABEL_LETTERS = 16  # of a row's label in text
COLUMN_LETTERS = 5, 11  # of a column's label in text, which stands above a number: the fewest and the most
CELL, ROOM, LETTER = 24, 9, 7.2  # pixels of a cell, of the room around labels, and of one letter of a label
NUMBER = 10  # pixels of the digits in a cell
HUE = (216, 67, 125)  # of weights, as on the pages


@dataclass(frozen=True, eq=False)
class Matrix:
    """Numbers (R, C) with the names of their rows and columns.

    title: what the numbers are.
    largest: the number with the full colour; 0 for no colours.
    """

    values: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    title: str
    largest: float = 1.0

    def __str__(self) -> str:
        """Return the numbers with two decimals below one another, for a terminal; NaN, a hidden pair, as a dot."""
        width = max(min(LABEL_LETTERS, max(map(len, self.rows))), 1)
        least, most = COLUMN_LETTERS
        names = [_cut(name, most) for name in self.columns]
        room = [max(least, len(name)) for name in names]
        lines = [self.title, " " * width + "".join(f" {name:>{wide}}" for name, wide in zip(names, room, strict=True))]
        for name, row in zip(self.rows, self.values, strict=True):
            numbers = ["·" if np.isnan(x) else f"{x:.2f}" for x in row]
            cells = "".join(f" {each:>{wide}}" for each, wide in zip(numbers, room, strict=True))
            lines.append(f"{_cut(name, LABEL_LETTERS):<{width}}{cells}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the numbers as an HTML table with shaded cells, as a notebook shows it."""
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.columns)
        rows = "".join(
            f'<tr><th scope="row" style="text-align: right">{escape(name)}</th>{"".join(map(self._cell, row))}</tr>'
            for name, row in zip(self.rows, self.values, strict=True)
        )
        return (
            f"<table><caption>{escape(self.title)}</caption>"
            f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def to_html(self) -> str:
        """Return the table as an HTML page of its own, light or dark as the reader's system is."""
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
            f"<title>{escape(self.title)}</title>{self._repr_html_()}</html>\n"
        )

    def to_svg(self, with_numbers: bool = False, marked: tuple[int, int] | None = None) -> str:
        """Return the numbers as an SVG picture whose labels are text.

        with_numbers: whether each cell has its number with two decimals in it, for paper; a hidden pair has a dot.
        marked: a cell, as its row and its column, with a thick frame.
        """
        left = ROOM + LETTER * max(map(len, self.rows))
        top = 2 * CELL + LETTER * max(map(len, self.columns))
        width, height = left + CELL * len(self.columns) + ROOM, top + CELL * len(self.rows) + ROOM
        width = max(width, 2 * ROOM + LETTER * len(self.title))
        marks = [f'<text x="{ROOM}" y="{CELL * 0.7:.1f}">{escape(self.title)}</text>']
        for number, name in enumerate(self.columns):
            x = left + CELL * (number + 0.65)
            marks.append(f'<text transform="translate({x:.1f} {top - 6:.1f}) rotate(-90)">{escape(name)}</text>')
        for number, (name, row) in enumerate(zip(self.rows, self.values, strict=True)):
            y = top + CELL * number
            marks.append(f'<text x="{left - 6:.1f}" y="{y + CELL * 0.68:.1f}" text-anchor="end">{escape(name)}</text>')
            marks += [self._mark(x, left + CELL * column, y) for column, x in enumerate(row)]
            if with_numbers:
                marks += [_number(x, left + CELL * (column + 0.5), y) for column, x in enumerate(row)]
        if marked:
            row, column = marked
            place = f'x="{left + CELL * column:.1f}" y="{top + CELL * row:.1f}" width="{CELL - 1}" height="{CELL - 1}"'
            marks.append(f'<rect {place} fill="none" stroke="#000000" stroke-width="3"></rect>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" font-family="sans-serif" font-size="12">{"".join(marks)}</svg>\n'
        )

    def _cell(self, value: float) -> str:
        if np.isnan(value):
            return "<td>·</td>"
        red, green, blue = HUE
        return f'<td style="background: rgba({red}, {green}, {blue}, {self._share(value):.3f})">{value:.2f}</td>'

    def _mark(self, value: float, x: float, y: float) -> str:
        place = f'x="{x:.1f}" y="{y:.1f}" width="{CELL - 1}" height="{CELL - 1}"'
        if np.isnan(value):
            return f'<rect {place} fill="#888888" fill-opacity="0.15"><title>hidden</title></rect>'
        red, green, blue = HUE
        fill = f'fill="rgb({red}, {green}, {blue})" fill-opacity="{self._share(value):.3f}"'
        return f'<rect {place} {fill} stroke="#888888" stroke-opacity="0.2"><title>{value:.4f}</title></rect>'

    def _share(self, value: float) -> float:
        return float(np.clip(abs(value) / self.largest, 0, 1)) if self.largest > 0 else 0.0


def _number(value: float, middle: float, y: float) -> str:
    """Return a number to stand in a cell."""
    place = f'x="{middle - 0.5:.1f}" y="{y + CELL * 0.62:.1f}" text-anchor="middle" font-size="{NUMBER}"'
    return f"<text {place}>{'·' if np.isnan(value) else f'{value:.2f}'}</text>"


def shaded_row(pieces: Sequence[str], title: str) -> str:
    """Return tokens in one line of HTML, with their positions below them."""
    cells = "".join(f"<td>{escape(piece)}</td>" for piece in pieces)
    numbers = "".join(f'<th scope="col">{number}</th>' for number in range(len(pieces)))
    return f"<table><caption>{escape(title)}</caption><thead><tr>{numbers}</tr></thead><tr>{cells}</tr></table>"


def _cut(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[: letters - 1] + "…"
