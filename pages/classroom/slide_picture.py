"""A slide as one picture: a question, how the answers of a class are spread, what is right, and a table of weights."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape

from core.lessons.spread import Bar, BarGroup
from pages.classroom.slides import Slide

WIDTH, HEIGHT, EDGE, GAP = 1920, 1080, 72, 48
TABLE_WIDTH = 820
LETTER, LINE = 0.51, 1.3  # the mean width of a letter and the height of a line, in sizes of the letters
MOST_ROW, SPACE_FOR_WORDS = 64, 190  # pixels: the height of a bar with its room, and the width of what stands after it
INK, QUIET, BAR, ROW = "#1a1f2b", "#555e70", "#7c8db0", "#d8437d"
MARKS = re.compile(r"\*\*|`")  # of bold words and code
NOT_IN_XML = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
SIZE = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)"')


def slide_svg(slide: Slide, table: str = "") -> str:
    """Return a slide of WIDTH by HEIGHT pixels as SVG.

    table: the table of weights that the question is about, as SVG; "" if there is none.
    """
    wide = WIDTH - 2 * EDGE
    marks, top = list[str](), float(EDGE)
    heads = ((f"{slide.number}. {slide.screen.question}", 52, 3, INK), (f"“{slide.sentence}”", 34, 2, QUIET))
    for text, size, most, colour in heads:
        found = _lines(text, size, wide, most)
        marks += _text(found, EDGE, top, size, colour)
        top += len(found) * size * LINE + 12
    bottom = float(HEIGHT - EDGE)
    for text, size, most in ((slide.outcome, 30, 1), (f"Right: {slide.right}", 38, 2)):
        found = _lines(text, size, wide, most)
        bottom -= len(found) * size * LINE
        marks += _text(found, EDGE, bottom, size, INK)
    top, bottom = top + GAP / 2, bottom - GAP / 2
    if table:
        marks.append(_placed(table, WIDTH - EDGE - TABLE_WIDTH, top, bottom - top))
        wide -= TABLE_WIDTH + GAP
    marks += _bars(slide.groups, top, bottom, wide)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif"><rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{"".join(marks)}</svg>\n'
    )


def _lines(text: str, size: float, width: float, most: int) -> list[str]:
    letters = max(int(width / (size * LETTER)), 1)
    return textwrap.wrap(NOT_IN_XML.sub(" ", MARKS.sub("", text)), letters, max_lines=most, placeholder=" …")


def _text(lines: Sequence[str], x: float, top: float, size: float, colour: str) -> Iterator[str]:
    for number, line in enumerate(lines):
        y = top + size * (LINE * number + 1)
        yield f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" fill="{colour}">{escape(line)}</text>'


def _placed(table: str, left: float, top: float, height: float) -> str:
    """Return a table at a place, as large as TABLE_WIDTH and a height allow."""
    found = SIZE.match(table)
    assert found
    scale = min(TABLE_WIDTH / int(found[1]), height / int(found[2]))
    return f'<g transform="translate({left:.0f} {top:.0f}) scale({scale:.3f})">{table}</g>'


def _bars(groups: Sequence[BarGroup], top: float, bottom: float, width: float) -> Iterator[str]:
    """Yield the bars of a class's answers: below one another, with their labels at the left of them."""
    rows: list[str | Bar] = []
    for group in groups:
        rows += [*([group.title] if group.title else []), *group.bars]
    if any(isinstance(row, Bar) and row.model is not None for row in rows):
        rows.append("Upper bars: the class. Lower bars: the model.")
    height = min(MOST_ROW, (bottom - top) / len(rows))
    for number, row in enumerate(rows):
        y = top + number * height
        if isinstance(row, str):
            yield from _text([row], EDGE, y, height * 0.45, QUIET)
        else:
            yield from _bar(row, y, height, width)


def _bar(bar: Bar, y: float, height: float, width: float) -> Iterator[str]:
    size, left = height * 0.46, EDGE + 0.45 * width
    room = 0.55 * width - SPACE_FOR_WORDS
    label = _lines(("✓ " if bar.right else "") + bar.label, size, 0.45 * width - 16, 1)
    yield from _text(label, EDGE, y, size, INK)
    shares = [(bar.share, BAR)] if bar.model is None else [(bar.share, ROW), (bar.model, INK)]
    each = 0.64 * height / len(shares)
    for number, (share, colour) in enumerate(shares):
        place = f'x="{left:.0f}" y="{y + number * each:.1f}" width="{share * room:.1f}" height="{each:.1f}"'
        yield f'<rect {place} fill="{colour}"/>'
    yield from _text([bar.words], left + max(share for share, _ in shares) * room + 14, y, size, INK)
