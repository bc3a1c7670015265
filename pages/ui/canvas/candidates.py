"""The likeliest next tokens as rows with bars, one of which can be picked."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.explorer.generation_records import Candidate
from pages.ui.canvas.assets import script, style
from pages.ui.canvas.pack import pack

HTML = '<div class="canvas-root"><ol class="rows"></ol><p class="caption"></p></div>'

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
) -> None:
    """Draw one row for each candidate; `on_pick(token id)` runs before the rerun that a pick causes.

    The full bar is the probability after all filters, the outline the model's own. chosen: the id that was written.
    before: what the outlined bar is called in the numbers.
    """
    ids = {row.id for row in rows}

    def picked() -> None:
        token = st.session_state[key]["pick"]
        if on_pick and type(token) is int and token in ids:
            on_pick(token)

    _component(data=packed(rows, name, chosen, on_pick is not None, caption, before), key=key, on_pick_change=picked)


def packed(
    rows: Sequence[Candidate], name: str, chosen: int | None, pickable: bool, caption: str = "", before: str = "own"
) -> bytes:
    """The rows as bytes for candidates.js."""
    described = [
        {"id": row.id, "piece": row.piece, "after": float(row.probability), "own": float(row.own)} for row in rows
    ]
    meta = {"name": name, "rows": described, "chosen": chosen, "pickable": pickable}
    return pack(meta | {"caption": caption, "before": before}, {})
