"""What a query may not look at, and what happens if it does."""

import streamlit as st

from pages.ui.frame import current_run, model_note
from pages.ui.masks import cache
from pages.ui.masks.batch import show_batch
from pages.ui.masks.choices import MROW, MVIEW, OTHER
from pages.ui.masks.chosen import choose, chosen_row, paintable
from pages.ui.masks.effect import show_effect
from pages.ui.masks.empty import show_empty
from pages.ui.masks.leak import show_leak
from pages.ui.masks.wrong import show_row, show_ways
from pages.ui.say import opening, shielded
from pages.ui.settings import ask

BESIDE = {"before and after": show_effect, "wrong ways": show_row, "empty rows": show_empty}


@st.fragment
def masks() -> None:
    """Which experiment, its controls, the mask to paint on, and what the experiment finds."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        view = ask(MVIEW)
        if view in BESIDE:
            ask(MROW, width=170, placeholder="middle")
    with shielded():
        if view == "padding in a batch":
            show_batch(choose(current_run(), OTHER))
        else:
            _painted(view)


def _painted(view: str) -> None:
    chosen = choose(current_run(), with_head=view != "leak test")
    row = chosen_row(len(cache.masked(chosen.run, chosen.place, chosen.painting).tokens))
    paint, experiment = st.columns([1, 2], gap="medium")
    with paint:
        paintable(chosen, row if view in BESIDE else None)
    with experiment, shielded():
        if view in BESIDE:
            BESIDE[view](chosen, row)
        else:
            show_leak(chosen)
    if view == "wrong ways":
        show_ways(chosen, row)


opening(
    "Who may look at whom?",
    "In attention each token (a row, a **query**) gathers from the tokens that it looks at (columns, **keys**). A "
    "**mask** says which keys a query may look at; the others get a score of −∞, and so a weight of exactly 0.",
    "Choose a mask, then paint on it: the model runs again with every stroke.",
)
model_note()
if len(current_run().config.stacks) == 2:
    st.caption("In an encoder-decoder, this page masks the decoder's self-attention.")
masks()
