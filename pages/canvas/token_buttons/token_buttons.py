"""A text's tokens as a running line of buttons, each shaded by a number; one of them can be picked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing, joined
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.opened import Opened
from pages.canvas.runtime.pack import pack

HUES = ("weight", "chance", "size", "q", "k", "v")

_component = component("token_buttons")


@dataclass(frozen=True)
class Token:
    """One token of a `TokenButtons` row.

    note: text that is shown and read out beside the piece.
    shade: the strength of its colour, 0 to 1.
    new: written by the model, in a frame.
    struck: crossed out.
    dim: not part of the text yet.
    still: cannot be picked although others can.
    forced: new, but not the model's choice.
    under: small text below it.

    Raises ValueError for a shade outside [0, 1].
    """

    piece: str
    note: str = ""
    shade: float = 0.0
    new: bool = False
    struck: bool = False
    dim: bool = False
    still: bool = False
    forced: bool = False
    under: str = ""

    def __post_init__(self) -> None:
        if not -1e-4 <= self.shade <= 1 + 1e-4:
            raise ValueError(f"a shade lies from 0 to 1, not {self.shade:.4g}")


@dataclass(frozen=True)
class OpenedRow:
    """What a row of tokens shows of the cell that settings open: the weights of its row.

    opened: the cell.
    weights: (R, C) of all rows.
    of: the matrices whose rows these are; for a cell of another one the row is `row`.
    matrix: what a click on a token chooses as the matrix.
    who: a word for each row.
    name, caption: those of the drawing, with "{}" in the place of the word.
    """

    opened: Opened
    weights: np.ndarray
    of: Sequence[str]
    row: int
    matrix: str
    who: Sequence[str]
    name: str
    caption: str

    def described(self) -> dict[str, Any]:
        """Return what opened.js reads."""
        line = {"matrix": self.matrix, "of": list(self.of), "row": self.row, "who": list(self.who)}
        return self.opened.described() | {"line": line | {"name": self.name, "caption": self.caption}}


@dataclass(frozen=True)
class TokenButtons(CanvasDrawing):
    """A row of buttons, one for each token, that wraps.

    name: the name of the line for screen readers.
    hue: whose colour the shades have.
    large: in larger type and stronger colours, for a line that is the picture; the less shade, the paler the word.
    item: what one button stands for.
    lines: a fixed height in lines, in which the text scrolls.
    language: that of the pieces, as HTML names it; "" if it is that of the page.
    click: what a click does, said after the caption where something can be clicked.
    sets: returns the settings that a click on the token at a position changes.
    opened: the cell that settings open, if the tokens show its row; `sets` then only says whether tokens can be picked.

    Raises ValueError for an unknown hue.
    """

    tokens: Sequence[Token]
    _: KW_ONLY
    key: str
    name: str
    selected: int | None = None
    caption: str = ""
    click: str = ""
    hue: str = "weight"
    item: str = "token"
    large: bool = False
    lines: int | None = None
    language: str = ""
    sets: Callable[[int], Settings] | None = None
    opened: OpenedRow | None = None
    clicks: ClassVar = ("sets", "opened")

    def __post_init__(self) -> None:
        if self.hue not in HUES:
            raise ValueError(f"hue {self.hue!r} is not one of {', '.join(HUES)}")

    def packed(self) -> bytes:
        """Return the line as bytes for token_buttons.js."""
        meta = {
            "name": self.name,
            "tokens": [_described(token) for token in self.tokens],
            "selected": self.selected,
            "pickable": self.sets is not None,
            "caption": joined(self.caption, self.click if self.sets else ""),
            "hue": self.hue,
            "item": self.item,
            "large": self.large,
            "lines": self.lines,
            "language": self.language,
        }
        if self.opened is None:
            return pack(meta, {})
        return pack(meta | {"openCell": self.opened.described()}, {"shares": self.opened.weights})

    @property
    def follows(self) -> frozenset[str]:
        return self.opened.opened.follows if self.opened else frozenset()

    def token_labels(self) -> Sequence[str]:
        return [token.piece for token in self.tokens]

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets and not self.opened:
            yield from ((index, self.sets(index)) for index in range(len(self.tokens)))

    def draw(self) -> None:
        """Put the line on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        index = sent(self.key, "pick")
        if self.sets and type(index) is int and 0 <= index < len(self.tokens):
            store(self.sets(index))


def _described(token: Token) -> dict[str, Any]:
    return {
        "piece": token.piece,
        "note": token.note,
        "under": token.under,
        "shade": round(min(1.0, max(0.0, float(token.shade))), 4),
        "still": token.still,
        "kinds": [kind for kind in ("new", "struck", "dim", "forced") if getattr(token, kind)],
    }
