"""A text's tokens as a running line of buttons, each shaded by a number; one of them can be picked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
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
class TokenButtons(CanvasDrawing):
    """A row of buttons, one for each token, that wraps.

    name: the name of the line for screen readers.
    hue: whose colour the shades have.
    large: in larger type and stronger colours, for a line that is the picture; the less shade, the paler the word.
    item: what one button stands for.
    lines: a fixed height in lines, in which the text scrolls.
    sets: returns the settings that a click on the token at a position changes.

    Raises ValueError for an unknown hue.
    """

    tokens: Sequence[Token]
    _: KW_ONLY
    key: str
    name: str
    selected: int | None = None
    caption: str = ""
    hue: str = "weight"
    item: str = "token"
    large: bool = False
    lines: int | None = None
    sets: Callable[[int], Settings] | None = None

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
            "caption": self.caption,
            "hue": self.hue,
            "item": self.item,
            "large": self.large,
            "lines": self.lines,
        }
        return pack(meta, {})

    def token_labels(self) -> Sequence[str]:
        return [token.piece for token in self.tokens]

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets:
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
