"""Which query and which key of the visitor's text."""

import streamlit as st

from core.explorer.records import Place
from core.run import Run
from pages.ui.frame import tokens
from pages.ui.positions.choices import KEY, QUERY
from pages.ui.settings import ask


def choose_tokens(run: Run, place: Place) -> tuple[int, int]:
    """The numbers of the query token and the key token."""
    last = len(tokens(run)[place.stack]) - 1
    with st.container(horizontal=True, gap="medium"):
        chosen = [ask(setting, high=last, default=min(setting.default, last), width=130) for setting in (QUERY, KEY)]
    return int(chosen[0]), int(chosen[1])
