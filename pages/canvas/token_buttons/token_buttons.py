"""A text's tokens as a running line of buttons, shaded by a number each, one of which can be picked."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

HUES = ("weight", "chance", "size", "q", "k", "v")

_component = component("token_buttons")


@dataclass(frozen=True)
class Token:
    """One token. shade: 0 to 1, how strong its colour is; note: what is read out beside the piece; under: what stands
    small below it.

    new: written by the model, in a frame; struck: crossed out; dim: not part of the text yet;
    still: cannot be picked where others can; forced: new, but not the model's choice.
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
class TokenButtons:
    """The tokens in lines that wrap.

    name: what a screen reader calls the line. hue: whose colour the shades have. lines: a height that does not change
    with the text, which scrolls in it. sets: the settings that a click on the token at this place changes.
    Raises ValueError for an unknown hue.
    """

    tokens: Sequence[Token]
    _: KW_ONLY
    key: str
    name: str
    selected: int | None = None
    caption: str = ""
    hue: str = "weight"
    lines: int | None = None
    sets: Callable[[int], Settings] | None = None

    def __post_init__(self) -> None:
        if self.hue not in HUES:
            raise ValueError(f"hue {self.hue!r} is not one of {', '.join(HUES)}")

    def packed(self) -> bytes:
        """The line as bytes for token_buttons.js."""
        meta = {
            "name": self.name,
            "tokens": [_described(token) for token in self.tokens],
            "selected": self.selected,
            "pickable": self.sets is not None,
            "caption": self.caption,
            "hue": self.hue,
            "lines": self.lines,
        }
        return pack(meta, {})

    def draw(self) -> None:
        """Put the line on the page."""
        _component(data=self.packed(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        place = sent(self.key, "pick")
        if self.sets and type(place) is int and 0 <= place < len(self.tokens):
            store(self.sets(place))


def _described(token: Token) -> dict[str, Any]:
    return {
        "piece": token.piece,
        "note": token.note,
        "under": token.under,
        "shade": round(min(1.0, max(0.0, float(token.shade))), 4),
        "still": token.still,
        "kinds": [kind for kind in ("new", "struck", "dim", "forced") if getattr(token, kind)],
    }
