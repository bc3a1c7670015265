"""The drawings among the parts of a view, also those inside columns, rows and cards."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pages.canvas.runtime.drawing import CanvasDrawing, Drawing
from pages.widgets import Cards, Choices, Columns, Part, Row


def drawings_in(parts: Sequence[Part]) -> Iterator[Drawing]:
    """Yield the drawings among parts, also those in columns, rows and cards."""
    for part in parts:
        if isinstance(part, Drawing):
            yield part
        else:
            yield from drawings_in(parts_in(part))


def parts_in(part: Part) -> list[Part]:
    """Return the parts inside a part; none if it is no container."""
    if isinstance(part, Row | Choices):
        return list(part.parts)
    groups = part.columns if isinstance(part, Columns) else part.cards if isinstance(part, Cards) else ()
    return [inner for group in groups for inner in group]


def with_data(parts: Sequence[Part], data_of: Callable[[CanvasDrawing], bytes | None]) -> list[Part]:
    """Return the parts with drawings that send other data to the browser.

    data_of: returns the data of a drawing; None to leave it as it is.
    """
    return [_with_data(part, data_of) for part in parts]


def _with_data(part: Part, data_of: Callable[[CanvasDrawing], bytes | None]) -> Part:
    if isinstance(part, CanvasDrawing):
        data = data_of(part)
        return part if data is None else part.with_data(data)
    if isinstance(part, Row | Choices):
        return replace(part, parts=with_data(part.parts, data_of))
    if isinstance(part, Columns):
        return replace(part, columns=[with_data(column, data_of) for column in part.columns])
    if isinstance(part, Cards):
        return replace(part, cards=[with_data(card, data_of) for card in part.cards])
    return part
