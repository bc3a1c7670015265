"""Which query and which key of the visitor's text, and which head of the first layer."""

import streamlit as st

from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.ui.frame import tokens
from pages.ui.place import ATTENTION, HEAD
from pages.ui.positions.choices import KEY, QUERY
from pages.ui.settings import ask


def choose_tokens(run: Run, place: Place) -> tuple[int, int]:
    """The numbers of the query token and the key token."""
    last = len(tokens(run)[place.stack]) - 1
    with st.container(horizontal=True, gap="medium"):
        chosen = [ask(setting, high=last, default=min(setting.default, last), width=130) for setting in (QUERY, KEY)]
    return int(chosen[0]), int(chosen[1])


def choose_head(run: Run) -> Place:
    """A head of the first layer, where a query follows from its token and position alone."""
    config = run.config
    with st.container(horizontal=True, gap="medium"):
        attention = ask(ATTENTION) if len(config.stacks) == 2 else config.stacks[0]
        head = ask(HEAD, options=HEAD.options[: config.heads])
    cross = attention == "cross"
    return Place("decoder" if cross else attention, 0, int(head) - 1, cross)
