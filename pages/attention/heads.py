"""Heads: all of them at a glance, one of them large, and what each does."""

from collections.abc import Callable

import streamlit as st

from core.explorer.records import Place
from core.run import Run
from pages.ui import cache
from pages.ui.canvas.head_grid import head_grid
from pages.ui.choices import LOOK
from pages.ui.frame import current_run, random_weights_note
from pages.ui.heads_ablate import show_ablation, switches, toggle
from pages.ui.heads_behaviour import show_behaviour
from pages.ui.heads_layers import show_layers
from pages.ui.heads_parts import show_contributions, show_projections
from pages.ui.heads_pattern import show_lines, show_matrix
from pages.ui.place import choose_place, pick_head
from pages.ui.say import opening, shielded
from pages.ui.settings import ask

WIDE: dict[str, Callable[[Run, Place], None]] = {
    "Q, K, V": show_projections,
    "adding up": show_contributions,
    "what heads do": show_behaviour,
    "over layers": show_layers,
}
FEW_HEADS = 8


@st.fragment
def heads() -> None:
    """The controls and the one view that they choose."""
    run = current_run()
    place = choose_place(run)
    look = ask(LOOK)
    with shielded():
        if look in WIDE:
            WIDE[look](run, place)
        else:
            _beside_grid(run, place, look)


def _beside_grid(run: Run, place: Place, look: str) -> None:
    """All heads at the left, or above where they are many, and the chosen one large."""
    small, large = (
        st.columns([2, 3], gap="large") if run.config.heads <= FEW_HEADS else (st.container(), st.container())
    )
    with small:
        off = switches(run) if look == "ablate" else []
        head_grid(
            cache.overview(run, Place(place.stack, cross=place.cross)).thumbs,
            key="heads-grid",
            name="All heads",
            selected=(place.layer, place.head),
            on_pick=toggle if look == "ablate" else pick_head,
            hidden=off,
            caption="Click a head to switch it off or on." if look == "ablate" else "Click a head to see it large.",
        )
    with large:
        if look == "ablate":
            show_ablation(run, place, off)
        else:
            (show_matrix if look == "matrix" else show_lines)(run, place)


opening(
    "What does each head look at?",
    "A layer has several attention **heads**: each compares the tokens in its own way, with its own queries, keys "
    "and values.",
    "Each small square is one head: rows are the tokens that look (queries), columns the tokens looked at (keys), and "
    "every row of weights sums to 1.",
)
random_weights_note()
heads()
