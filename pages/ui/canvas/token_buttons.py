"""A text's tokens as a running line of buttons, shaded by a number each, one of which can be picked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui.canvas.assets import script, style
from pages.ui.canvas.pack import pack

HTML = '<div class="canvas-root"><div class="line" role="group"></div><p class="caption"></p></div>'
HUES = ("weight", "q", "k", "v")

_component = st.components.v2.component(
    "token_buttons", html=HTML, css=style("token_buttons"), js=script("token_buttons")
)


@dataclass(frozen=True)
class Token:
    """One token. shade: 0 to 1, how strong its colour is; note: what is read out beside the piece.

    new: written by the model, in a frame; struck: crossed out; dim: not part of the text yet;
    still: cannot be picked where others can; forced: new, but not the model's choice.
    """

    piece: str
    note: str = ""
    shade: float = 0.0
    new: bool = False
    struck: bool = False
    dim: bool = False
    still: bool = False
    forced: bool = False


def token_buttons(
    tokens: Sequence[Token],
    *,
    key: str,
    name: str,
    selected: int | None = None,
    on_pick: Callable[[int], None] | None = None,
    caption: str = "",
    hue: str = "weight",
    lines: int | None = None,
) -> None:
    """Draw the tokens in lines that wrap; `on_pick(place)` runs before the rerun that a pick causes.

    name: what a screen reader calls the line. hue: whose colour the shades have. lines: a height that does not change
    with the text, which scrolls in it. Raises ValueError for a shade outside [0, 1] and an unknown hue.
    """

    def picked() -> None:
        place = st.session_state[key]["pick"]
        if on_pick and type(place) is int and 0 <= place < len(tokens):
            on_pick(place)

    data = packed(tokens, name, selected, on_pick is not None, caption, hue, lines)
    _component(data=data, key=key, on_pick_change=picked)


def packed(
    tokens: Sequence[Token],
    name: str,
    selected: int | None,
    pickable: bool,
    caption: str = "",
    hue: str = "weight",
    lines: int | None = None,
) -> bytes:
    """The line as bytes for token_buttons.js."""
    if hue not in HUES:
        raise ValueError(f"hue {hue!r} is not one of {', '.join(HUES)}")
    if wrong := [token.shade for token in tokens if not -1e-4 <= token.shade <= 1 + 1e-4]:
        raise ValueError(f"a shade lies from 0 to 1, not {wrong[0]:.4g}")
    described: list[dict[str, Any]] = [
        {
            "piece": token.piece,
            "note": token.note,
            "shade": round(min(1.0, max(0.0, float(token.shade))), 4),
            "still": token.still,
            "kinds": [kind for kind in ("new", "struck", "dim", "forced") if getattr(token, kind)],
        }
        for token in tokens
    ]
    meta = {"name": name, "tokens": described, "selected": selected, "pickable": pickable}
    return pack(meta | {"caption": caption, "hue": hue, "lines": lines}, {})
