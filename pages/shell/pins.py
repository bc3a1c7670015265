"""Pinning what is on the screen: what is written down of it, and the buttons."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.explorer.shared.requests import chosen_of
from core.tracing.run import Run
from pages.shell.address import PINS, Params, pin, values_ahead, written_value
from pages.shell.models import shown_model
from pages.shell.page import Page
from pages.shell.settings import (
    CHOSEN,
    FRAME,
    FREE,
    FRESH,
    MASK,
    MASK_SIZES,
    PIN_PREFIX,
    SEED,
    SUITED,
    TARGET,
    TEXT,
    TOKENIZER,
    TWIN,
)
from pages.widgets import ATTENTION, HEAD, LAYER, Setting, Values


def pin_buttons(page: Page, run: Run, values: Values) -> None:
    """Pin and compare with the other kind of weights, or Unpin."""
    look: dict[str, Any] = {"type": "tertiary", "on_click": pin}
    with st.container(horizontal=True, gap="small", width="content", key="pins"):
        if st.session_state.get(PINS):
            st.button("Unpin", key="unpin", icon=":material/keep_off:", args=({},), **look)
            return
        now = in_address(pins_now(page, run, values))
        keeps = "Keep what you see, then change the text, the model, a head or a mask: both are shown."
        st.button("Pin", key="pin", icon=":material/keep:", help=keeps, args=(now,), **look)
        other, words = (TWIN, "random") if run.checkpoint else (shown_model(page, SUITED, ""), "trained")
        if other != FRESH:
            against = in_address({CHOSEN: other})
            st.button(
                f"Compare with {words} weights", key="pin-weights", icon=":material/compare:", args=(against,), **look
            )


def pins_now(page: Page, run: Run, values: Values) -> dict[Setting, Any]:
    """The settings that make what is on the screen. Sizes that have their defaults are left out.

    run: of the frame; values: of the page's settings.
    """
    frame = values_ahead(FRAME)
    kept: dict[Setting, Any] = {CHOSEN: run.checkpoint or FRESH, TEXT: run.text}
    if not run.checkpoint:
        sizes = chosen_of(run.config) | {SEED.key: run.config.seed, TOKENIZER.key: run.tokenizer}
        kept |= {each: sizes[each.key] for each in FREE if sizes[each.key] != each.default}
    mask = frame[MASK]
    kept |= {MASK: mask} | {each: frame[each] for kind, each in MASK_SIZES.items() if kind in mask}
    if len(run.config.stacks) == 2:
        kept[ATTENTION] = values[ATTENTION]
        if page.reads_target and frame[TARGET]:
            kept[TARGET] = frame[TARGET]
    kept |= {each: values[each] for each in (LAYER, HEAD)}
    return kept | {each: values[each] for each in page.settings if each.pins}


def in_address(pins: Mapping[Setting, Any]) -> Params:
    """Pinned settings as the address has them."""
    return {PIN_PREFIX + each.key: written_value(each, value) for each, value in pins.items() if value is not None}
