"""How a model can know where a token stands."""

from collections.abc import Callable

import streamlit as st

from core.tracing.run import Run
from pages.ui.frame import current_run
from pages.ui.positions.adding import show_adding
from pages.ui.positions.beyond import show_beyond
from pages.ui.positions.choices import PVIEW
from pages.ui.positions.distance import show_distance, show_shift
from pages.ui.positions.encoding import show_heatmap, show_waves
from pages.ui.positions.random import show_random
from pages.ui.positions.shuffle import show_shuffle
from pages.ui.say import opening, shielded
from pages.ui.settings import ask

VIEWS: dict[str, Callable[[Run], None]] = {
    "heatmap": show_heatmap,
    "waves": show_waves,
    "dot product": show_distance,
    "shift": show_shift,
    "beyond": show_beyond,
    "adding": show_adding,
    "random vectors": show_random,
    "shuffle": show_shuffle,
}


@st.fragment
def positions() -> None:
    """The one view that is chosen."""
    view = ask(PVIEW)
    with shielded():
        VIEWS[view](current_run())


opening(
    "How does attention know the order of the words?",
    "By itself it does not: attention compares every token with every other, wherever they stand. So a model is told "
    "each token's **position**, as numbers added to its vector, as a turn of its queries and keys, or as a penalty on "
    "distance.",
    "Compare six ways to do it, and see what your own model does with them.",
)
positions()
