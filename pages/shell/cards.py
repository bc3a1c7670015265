"""The dialog that shows the card of each model."""

import streamlit as st

from core.charts.reliability import reliability_data, reliability_spec
from core.readings.models import OTHER_PAGES, RELIABILITY, describe_card, read_reliability, read_sizes
from pages.compute import cache
from pages.compute.run_slots import run_slots
from pages.session.visit import visit_state
from pages.shell.model_links import list_pages
from pages.shell.settings import RANDOM_WEIGHTS
from pages.widgets import Chart, plain, spec

RANDOM = (
    "Every weight is drawn at random from the seed, and nothing was trained. All numbers are computed from your text, "
    "and the arithmetic is that of any model, but the patterns mean nothing. Every size is free: change them in the "
    "sidebar."
)


@st.dialog("About this model", width="medium")
def show_cards(first: str) -> None:
    """Open a dialog with the card of one model, and a list to choose another.

    first: the name of the model to show at first; random weights are shown if there is no card of this name.
    """
    with run_slots().turn():
        _show(first)


def _show(first: str) -> None:
    cards, run = dict(cache.cards()), visit_state().run
    if cache.is_model(first) and not cache.source(first).listed:
        cards[first] = cache.trained(first).card
    names = [RANDOM_WEIGHTS, *cards]
    index = names.index(first) if first in names else 0
    name = st.selectbox(
        "Card",
        names,
        index,
        format_func=lambda card_name: "Random weights" if card_name == RANDOM_WEIGHTS else cache.model_title(card_name),
    )
    if name == RANDOM_WEIGHTS:
        st.markdown(RANDOM)
        if run and not run.is_trained:
            st.caption(f"Here: {plain(read_sizes(run.config))}.")
        return
    card = cards[name]
    if words := OTHER_PAGES.get(card.family):
        st.caption(words)
    list_pages(name)
    rows = describe_card(card)
    st.table({"": [what for what, _ in rows], card.title: [plain(value) for _, value in rows]}, hide_index=True)
    if reliability := card.scores.get(RELIABILITY):
        Chart(reliability_data(reliability["parts"]), spec(reliability_spec), "card-reliability", "reliability").draw()
        st.caption(read_reliability(reliability))
    for title, command in card.commands.items():
        st.caption(f"Command: {plain(title)}")
        st.code(command, language="bash", wrap_lines=True)
