"""The layer and the head that a page opens with."""

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from core.limits import UNASKED_SECONDS
from core.tracing.run import Run
from pages.compute.cache import expected_seconds
from pages.session.visit import visit_state
from pages.shell.page import Page
from pages.shell.url import current_values
from pages.widgets import HEAD, LAYER, PLACE, head_picked

FIRST_HEAD = ("1", "1")


def choose_default_head(page: Page, run: Run) -> None:
    """Set the layer and head that show the page's subject best, once for each page and trained model.

    Nothing is set if the visitor has chosen a head, or if the run takes UNASKED_SECONDS or more: the page itself runs
    such a model only when asked.
    """
    state, visit = st.session_state, visit_state()
    about = page.address, run.model_name
    if page.finds_head is None or not run.is_trained or visit.head_chosen_for == about:
        return
    visit.head_chosen_for = about
    if visit.head_chosen is None and {LAYER.key, HEAD.key} & visit.read_keys:
        return
    if tuple(str(state.get(setting.key) or setting.default) for setting in (LAYER, HEAD)) != (
        visit.head_chosen or FIRST_HEAD
    ):
        return
    with suppress(ValueError):  # an overflow, which the page itself explains
        if expected_seconds(run) >= UNASKED_SECONDS:
            return
        layer_head = page.finds_head(run, current_values((*page.all_settings, *PLACE)))
        open_at_head(page, run, head_picked(layer_head.layer, layer_head.head))


def open_at_head(page: Page, run: Run, head_values: Mapping[str, str]) -> None:
    """Set layer and head to the page's default; the next page that opens replaces them by its own.

    head_values: the values of the settings of layer and head, by key.
    """
    visit = visit_state()
    st.session_state.update(head_values)
    visit.head_chosen_for = page.address, run.model_name
    visit.head_chosen = tuple(head_values[setting.key] for setting in (LAYER, HEAD))
    visit.opened_elsewhere = {key for key, value in head_values.items() if value != FIRST_HEAD[0]}


def keep_place(page: Page, model: str) -> None:
    """Keep the session's layer and head when the page opens with a model, without choosing its default head.

    model: its name, the same for all steps of its training.
    """
    visit_state().head_chosen_for = page.address, model


def find_again() -> None:
    """Forget that a default head was chosen, so that the next run chooses one.

    Call when layer and head have been set back to the first.
    """
    visit = visit_state()
    visit.head_chosen_for, visit.head_chosen = None, FIRST_HEAD
    visit.opened_elsewhere = set()
