"""The cards of all trained models, in a dialog."""

import streamlit as st

from core.readings.models import ELSEWHERE, describe_card
from pages.queries import models
from pages.widgets import plain


@st.dialog("The trained models", width="medium")
def show_cards(first: str) -> None:
    """One model's card, `first` to begin with, and the choice of another."""
    cards = models.cards()
    name = st.selectbox("Card", cards, index=list(cards).index(first) if first in cards else 0)
    if name is None:
        return
    card = cards[name]
    if words := ELSEWHERE.get(card.family):
        st.caption(words)
    rows = describe_card(card)
    st.table({"": [what for what, _ in rows], name: [plain(said) for _, said in rows]}, hide_index=True)
    for title, command in card.commands.items():
        st.caption(f"Command: {plain(title)}")
        st.code(command, language="bash", wrap_lines=True)
