"""A clock in the browser that ticks after each drawing, so that ticks never pile up on a busy server."""

from collections.abc import Callable

import streamlit as st

from pages.canvas.runtime.modules import component

_component = component("ticker", html="<span hidden></span>")


def ticker(number: int | None, *, key: str, wait: float, on_tick: Callable[[int], None]) -> None:
    """Call `on_tick(number)` `wait` seconds after the page was drawn with a new `number`, and run the script again.

    number: None stops the clock. Draw it in that case too, so that the page's layout stays.
    """

    def ticked() -> None:
        ticks = st.session_state.get(key)  # gone, if the visitor has just left for a page without this clock
        if number is not None and ticks is not None and ticks["tick"] == number:
            on_tick(number)

    shown = -1 if number is None else number
    _component(data={"number": shown, "wait": 1000 * wait}, key=key, on_tick_change=ticked, width="content")
