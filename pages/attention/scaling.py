"""Ways to compare a query with a key, and why they are scaled."""

from collections.abc import Callable

import streamlit as st
from pages.ui.frame import current_run, model_note
from pages.ui.place import choose_place
from pages.ui.say import opening, shielded

from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.ui.scaling.choices import VIEW
from pages.ui.scaling.compare import show_scores
from pages.ui.scaling.experiment import show_entropy, show_gradient, show_variance, show_weights

VIEWS: dict[str, Callable[[Run, Place], None]] = {
    "four scores": show_scores,
    "variance": show_variance,
    "weights": show_weights,
    "entropy": show_entropy,
    "gradient": show_gradient,
}


@st.fragment
def scaling() -> None:
    """The controls and the one view that they choose."""
    run = current_run()
    place = choose_place(run, beside=VIEW)
    with shielded():
        VIEWS[st.session_state[VIEW.key]](run, place)


opening(
    "Why divide by the square root of d_k?",
    "A **score** says how well a query fits a key; d_k is how many numbers each of them has.",
    "The wider they are, the further dot products spread, and the softmax then sees one key only. Dividing by √d_k "
    "keeps the spread the same. See it on your own text, and measure it on random vectors.",
)
model_note()
scaling()
