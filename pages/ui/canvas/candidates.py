"""The likeliest next tokens as rows with bars, one of which can be picked."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.explorer.generation.records import Candidate
from pages.ui.canvas.assets import script, style
from pages.ui.canvas.pack import pack

HTML = '<div class="canvas-root"><ol class="rows"></ol><p class="caption"></p></div>'
LIMITS = (0.1, 0.25, 0.5, 1.0)

_component = st.components.v2.component("candidates", html=HTML, css=style("candidates"), js=script("candidates"))


def candidates(
    rows: Sequence[Candidate],
    *,
    key: str,
    name: str,
    chosen: int | None = None,
    on_pick: Callable[[int], None] | None = None,
    caption: str = "",
    before: str = "own",
    widest: float = 1.0,
) -> None:
    """Draw one row for each candidate; `on_pick(token id)` runs before the rerun that a pick causes.

    The full bar is the probability after all filters, the outline the model's own. chosen: the id that was written.
    before: what the outlined bar is called in the numbers. widest: the largest chance that a bar must have room for;
    the bars end at the next of 10, 25, 50 and 100 %, which is said below them.
    """
    ids = {row.id for row in rows}

    def picked() -> None:
        token = st.session_state[key]["pick"]
        if on_pick and type(token) is int and token in ids:
            on_pick(token)

    data = packed(rows, name, chosen, on_pick is not None, caption, before, widest)
    _component(data=data, key=key, on_pick_change=picked)


def packed(
    rows: Sequence[Candidate],
    name: str,
    chosen: int | None,
    pickable: bool,
    caption: str = "",
    before: str = "own",
    widest: float = 1.0,
) -> bytes:
    """The rows as bytes for candidates.js."""
    described = [
        {"id": row.id, "piece": row.piece, "after": float(row.probability), "own": float(row.own)} for row in rows
    ]
    limit = next((end for end in LIMITS if widest <= end), 1.0)
    said = f"{caption} The bars end at {100 * limit:g} %." if limit < 1 else caption
    meta = {"name": name, "rows": described, "chosen": chosen, "pickable": pickable}
    return pack(meta | {"caption": said, "before": before, "limit": limit}, {})
