"""The cards of all trained models, in a dialog."""

import streamlit as st

from core.checkpoints.card import Card
from pages.queries import models
from pages.widgets import plain

ELSEWHERE = {
    "recurrent": "A recurrent network has no queries, keys and values; it stands here for comparison.",
    "word-vectors": "Word vectors have no attention; they are what a transformer's table of embeddings grew from.",
}


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
    rows = card_rows(card)
    st.table({"": [what for what, _ in rows], name: [plain(said) for _, said in rows]}, hide_index=True)
    for title, command in card.commands.items():
        st.caption(f"Command: {plain(title)}")
        st.code(command, language="bash", wrap_lines=True)


def card_rows(card: Card) -> list[tuple[str, str]]:
    """A card in words, without its commands."""
    data = [(f"Data {n}" if len(card.data) > 1 else "Data", each) for n, each in enumerate(card.data, 1)]
    return [
        ("What it is", card.what),
        *((title, f"{each['text']} (licence: {each['licence']})") for title, each in data),
        ("Split", card.split),
        ("Seed", str(card.seed)),
        ("Steps of training", f"{card.steps:,}"),
        ("Minutes of training", f"{card.minutes:,g}"),
        ("Parameters", f"{card.parameters:,}"),
        *_scores(card.scores, "Score: "),
    ]


def _scores(scores: object, name: str) -> list[tuple[str, str]]:
    """One row for each number, however deep it stands."""
    if isinstance(scores, dict):
        return [row for key, value in scores.items() for row in _scores(value, f"{name}{key} ")]
    return [(name.strip(), f"{scores:,g}" if isinstance(scores, int | float) else str(scores))]
