"""Which attention a page looks at: stack, layer and head, the same on every page."""

import streamlit as st

from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.ui.choices import PLACE
from pages.ui.settings import Setting, ask

ATTENTION, LAYER, HEAD = PLACE


def choose_place(run: Run, with_head: bool = True, beside: Setting | None = None) -> Place:
    """One row of controls for attention (where there are several), layer and head; returns the place they name.

    beside: a setting of the page's own that is asked for in the same row; its value is in the session state.
    """
    config = run.config
    with st.container(horizontal=True, gap="medium"):
        attention = config.stacks[0]
        if len(config.stacks) == 2:
            attention = ask(ATTENTION)
        layer = ask(LAYER, options=LAYER.options[: config.layers])
        head = ask(HEAD, options=HEAD.options[: config.heads]) if with_head else "1"
        if beside is not None:
            ask(beside)
    cross = attention == "cross"
    return Place("decoder" if cross else attention, _index(layer, config.layers), _index(head, config.heads), cross)


def pick_head(layer: int, head: int) -> None:
    """Make the controls point at this layer and head (counted from 0); for callbacks."""
    st.session_state[LAYER.key] = str(layer + 1)
    st.session_state[HEAD.key] = str(head + 1)


def _index(label: str | None, count: int) -> int:
    return min(int(label or 1), count) - 1
