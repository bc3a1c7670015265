"""The buttons that pin a view, and the settings that a pin stores."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.topics.shared.run_from_choices import chosen_of
from core.tracing.run import Run
from pages.session.visit import visit_state
from pages.shell.model_choice import effective_model
from pages.shell.page import Page
from pages.shell.settings import (
    HEADER_SETTINGS,
    MASK,
    MASK_SIZES,
    MODEL,
    PAGE_MODEL,
    PIN_PREFIX,
    RANDOM_WEIGHTS,
    SAME_SIZES_RANDOM,
    SEED,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
    TOKENIZER,
    model_value,
)
from pages.shell.url import current_values, pin
from pages.shell.url_params import written_value
from pages.shell.view import View
from pages.widgets import ATTENTION, HEAD, LAYER, PLACE, Setting


def pin_buttons(page: Page, view: View, run: Run) -> None:
    """Draw the button "Unpin" if something is pinned, else the menu "Compare".

    The menu pins the current settings, or pins the other kind of weights: random weights of the same sizes for a
    trained model, the page's own trained model for random weights. The second entry is left out if the page has no
    trained model of its own, or if the page or the view shows no model.
    """
    with st.container(horizontal=True, gap="small", width="content", key="pins"):
        if visit_state().pins:
            st.button("Unpin", key="unpin", icon=":material/keep_off:", on_click=_pin, args=(dict,), type="tertiary")
            return
        panel = st.popover("Compare", icon=":material/compare:")
        keeps = "Keeps what you see; then change the text, the model, a head or a mask: both are shown."
        button: dict[str, Any] = {"on_click": _pin, "args": (partial(pins_now, page, run),), "type": "tertiary"}
        panel.button("Pin", key="pin", icon=":material/keep:", help=keeps, **button)
        other_name = SAME_SIZES_RANDOM if run.is_trained else effective_model(page, PAGE_MODEL, "")
        words = "random" if run.is_trained else "trained"
        if other_name != RANDOM_WEIGHTS and view.uses_model and page.shows_model:
            button["args"] = (lambda: {MODEL: other_name},)
            panel.button(f"Compare with {words} weights", key="pin-weights", icon=":material/compare:", **button)


def pins_now(page: Page, run: Run) -> dict[Setting, Any]:
    """Return the settings that reproduce what is on the screen.

    Sizes of random weights are left out if they are at their default.

    run: the current run, as made by the header.
    """
    values = current_values((*HEADER_SETTINGS, *PLACE, *page.settings))
    kept: dict[Setting, Any] = {MODEL: model_value(run.source), TEXT: run.text}
    if not run.is_trained:
        sizes = chosen_of(run.config) | {SEED.key: run.config.seed, TOKENIZER.key: run.tokenizer}
        kept |= {setting: sizes[setting.key] for setting in SIZE_SETTINGS if sizes[setting.key] != setting.default}
    mask = values[MASK]
    kept |= {MASK: mask} | {setting: values[setting] for kind, setting in MASK_SIZES if kind in mask}
    if run.config.has_two_stacks:
        kept[ATTENTION] = values[ATTENTION]
        if page.asks_target and values[TARGET]:
            kept[TARGET] = values[TARGET]
    kept |= {setting: values[setting] for setting in (LAYER, HEAD)}
    return kept | {setting: values[setting] for setting in page.settings if setting.pins}


def _pin(made: Callable[[], Mapping[Setting, Any]]) -> None:
    pin(
        {
            PIN_PREFIX + setting.key: written_value(setting, value)
            for setting, value in made().items()
            if value is not None
        }
    )
