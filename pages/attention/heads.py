"""Heads: all of them at a glance, one of them large, and what each does."""

from collections.abc import Callable, Sequence

import streamlit as st
from pages.ui.choices import LOOK, VIVID
from pages.ui.frame import current_run, model_note
from pages.ui.models import choose_step
from pages.ui.place import choose_place, pick_head
from pages.ui.say import notes, opening, shielded
from pages.ui.settings import ask
from streamlit.delta_generator import DeltaGenerator

from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.canvas.head_grid.head_grid import HeadGrid
from pages.ui import cache
from pages.ui.heads_ablate import choose_silence, show_ablation, toggle
from pages.ui.heads_behaviour import show_behaviour
from pages.ui.heads_layers import show_layers
from pages.ui.heads_parts import show_contributions, show_projections
from pages.ui.heads_pattern import show_lines, show_matrix

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
    run = choose_step(current_run())
    look = ask(LOOK)
    place = choose_place(run, with_head=look != "over layers")
    with shielded():
        if look in WIDE:
            WIDE[look](run, place)
        elif look == "ablate":
            _ablation(run, place)
        else:
            grid, large = _halves(run)
            with grid:
                vivid = _all_heads(run, place, pick_head, "Click a head to see it large.")
            with large:
                if look == "matrix":
                    show_matrix(run, place, vivid)
                else:
                    show_lines(run, place)


def _ablation(run: Run, place: Place) -> None:
    grid, controls = _halves(run)
    with controls:
        off, effect = choose_silence(run, place)
    with grid:
        _all_heads(run, place, toggle, "Click a head to switch it off or on.", off)
    show_ablation(run, place, off, effect)


def _halves(run: Run) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Side by side, or below each other where the heads are many."""
    if run.config.heads > FEW_HEADS:
        return st.container(), st.container()
    small, large = st.columns([2, 3], gap="large")
    return small, large


def _all_heads(
    run: Run, place: Place, on_pick: Callable[[int, int], None], caption: str, off: Sequence[tuple[int, int]] = ()
) -> bool:
    """The grid of heads; returns whether colours go up to the largest weight of a picture only."""
    vivid = ask(VIVID)
    record = cache.overview(run, Place(place.stack, cross=place.cross))
    limit = record.most if vivid else 1.0
    if record.tile > 1:
        caption += f" Each dot is the largest of {record.tile} × {record.tile} weights."
    HeadGrid(
        record.shades(limit),
        key="heads-grid",
        name="All heads",
        selected=(place.layer, place.head),
        sets=on_pick,
        hidden=off,
        caption=caption,
        limit=limit,
    ).draw()
    notes([record.overflow and f"Later layers are left out. {record.overflow}"])
    return vivid


opening(
    "What does each head look at?",
    "A layer has several attention **heads**: each compares the tokens in its own way, with its own queries, keys "
    "and values.",
    "Each small square is one head: rows are the tokens that look (queries), columns the tokens looked at (keys), and "
    "every row of weights sums to 1, or is all zeros where the query may attend to nothing.",
)
model_note()
heads()
