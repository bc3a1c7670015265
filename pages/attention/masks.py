"""What a query may not look at, and what happens if it does."""

from dataclasses import replace

import streamlit as st

from core.explorer.shared.loading import layers_below
from core.explorer.shared.places import Place
from core.model.config import TransformerConfig
from pages.ui.choices import MASK
from pages.ui.frame import current_run, model_note
from pages.ui.masks import cache
from pages.ui.masks.batch import show_batch
from pages.ui.masks.choices import MVIEW, OTHER
from pages.ui.masks.chosen import Chosen, choose, choose_head, chosen_row, paintable, worth
from pages.ui.masks.effect import show_effect
from pages.ui.masks.empty import show_empty
from pages.ui.masks.leak import show_leak
from pages.ui.masks.wrong import show_row, show_ways
from pages.ui.say import notes, opening, shielded
from pages.ui.settings import ask

MASK_WIDTH = 290  # pixels
BESIDE = {"before and after": show_effect, "wrong ways": show_row, "empty rows": show_empty}
PASSES = {"before and after": 2, "wrong ways": 1, "leak test": 2, "empty rows": 2}
UP_TO_HEAD = ("before and after", "wrong ways")


@st.fragment
def masks() -> None:
    """Which experiment, its controls, the mask to paint on, and what the experiment finds."""
    run = current_run()
    with st.container(horizontal=True, gap="medium"):
        view = ask(MVIEW)
        place = Place(run.config.stacks[-1]) if view == "leak test" else choose_head(run)
    with shielded():
        if view == "padding in a batch":
            show_batch(choose(run, place, OTHER))
        else:
            _painted(view, choose(run, place, with_row=view in BESIDE))


def _painted(view: str, chosen: Chosen) -> None:
    length = len(cache.painted(chosen.run, chosen.painting).tokens)
    row, runs = chosen_row(length), False
    with st.container(horizontal=True, gap="medium"):
        left = st.container(width=MASK_WIDTH)
        with left:
            paintable(chosen, row if view in BESIDE else None)
        with st.container(), shielded():
            runs = worth(_needed(view, chosen), length, PASSES[view])
            if runs and view in BESIDE:
                BESIDE[view](chosen, row, left)
            elif runs:
                show_leak(chosen)
    if runs and view == "wrong ways":
        show_ways(chosen, row)


def _needed(view: str, chosen: Chosen) -> TransformerConfig:
    """The model as far up as this view needs it."""
    config = chosen.run.config
    return replace(config, layers=layers_below(chosen.run, chosen.place)) if view in UP_TO_HEAD else config


opening(
    "Who may look at whom?",
    "In attention each token (a row, a **query**) gathers from the tokens that it looks at (columns, **keys**). A "
    "**mask** says which keys a query may look at; the others get a score of −∞, and so a weight of exactly 0.",
    "Choose a mask, then paint on it: the model runs again with every stroke.",
)
model_note()
if len(current_run().config.stacks) == 2:
    st.caption("In an encoder-decoder, this page masks the decoder's self-attention.")
if tuple(st.session_state[MASK.key]) != MASK.default:
    notes(["The mask of the sidebar does not act here: this page has its own."])
masks()
