"""The sidebar: the list of models and the settings of the model, with a place for the effect of the last change."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.checkpoints.source import Shipped
from core.device import MEMORIES, memory_of
from core.readings.models import read_memory, read_sizes
from core.topics.shared import loading
from core.tracing.run import Run
from pages.compute import cache
from pages.shell import settings
from pages.shell.last_change import DESCRIBED_SETTINGS, LastChange
from pages.shell.model_choice import draw_model_list
from pages.shell.model_links import list_elsewhere
from pages.shell.prepare import Prepared
from pages.shell.settings import ARCHITECTURE_SETTINGS, MASK, MASK_SIZES, MODEL
from pages.shell.undo import last_changes
from pages.shell.url import current_values
from pages.widgets import Setting, draw_widget, plain


def draw_sidebar(prepared: Prepared) -> LastChange | None:
    """Draw the sidebar; return the last change of a setting that is drawn here.

    A trained model has fewer settings, because its weights fix the rest. Settings that the page itself asks for are not
    drawn.
    """
    page, trained = prepared.page, prepared.trained
    last, *earlier = last_changes()
    described = [before for before in (last, *earlier) if any(setting.key in before for setting in DESCRIBED_SETTINGS)]
    changed = next((setting for setting in DESCRIBED_SETTINGS if described and setting.key in described[0]), None)
    places: list[DeltaGenerator] = []

    def draw(setting: Setting) -> None:
        if setting.key in page.owns:
            return
        draw_widget(settings.as_usable_here(setting))
        if setting is changed:
            places.append(st.container(key="what-changed"))

    draw_model_list(page)
    if trained:
        st.caption(f"Its weights fix: {plain(read_sizes(trained.config))}.")
    if changed is MODEL:
        places.append(st.container(key="what-changed"))
    _draw_settings(prepared, draw)
    list_elsewhere(page)
    return LastChange(changed, described, places[0], changed.key in last) if changed and places else None


def _draw_settings(prepared: Prepared, draw: Callable[[Setting], None]) -> None:
    """Draw the settings. A mask that the view does not read is hidden, not left out, so that nothing moves."""
    trained, values = prepared.trained, prepared.values
    for setting in ARCHITECTURE_SETTINGS if trained is None else ():
        draw(setting)
    with st.container(key="mask-of-run" if prepared.view.reads_mask else "mask-unread"):
        for setting in (MASK, *(size for kind, size in MASK_SIZES if kind in values[MASK.key])):
            draw(setting)
    if trained is None:
        draw(settings.SEED)
    for title, group in _folds(trained):
        _draw_folded(title, group, draw)
    placement = values["placement"]
    st.caption(f"Runs on **{placement.device}** in **{placement.dtype}**: {placement.reason}.")
    if (run := prepared.run) and prepared.view.uses_model and (run.is_made_elsewhere or placement.device != "cpu"):
        st.caption(_memory_words(run))


def _memory_words(run: Run) -> str:
    """Say what may be used of the memory that holds the run's model, and what the model and the text take."""
    if run.config.has_two_stacks and not run.target.strip():
        run = replace(run, target=run.text)  # until the model has written its own
    length = max(map(len, cache.check(run).values()))
    needed = loading.estimate(run.config, length, run.placement, made_elsewhere=run.is_made_elsewhere)
    there = needed.on_gpu or needed
    return read_memory(there, memory_of(there.device, emptied=True), MEMORIES[there.device])


def _folds(trained: Shipped | None) -> Sequence[tuple[str, Sequence[Setting]]]:
    """Return the groups of settings behind folds, by their titles."""
    if trained:
        return [("Device", settings.DEVICE_SETTINGS)]
    return [
        ("Inside a head", settings.SCORE_SETTINGS),
        ("The block", settings.BLOCK_SETTINGS),
        ("Tokenizer and device", (settings.TOKENIZER, *settings.DEVICE_SETTINGS)),
    ]


def _draw_folded(title: str, group: Sequence[Setting], draw: Callable[[Setting], Any]) -> None:
    """Draw settings behind a fold, only if it is open or one of them is not at its default."""
    panel = st.expander(title, key=f"drawer-{title.lower().replace(' ', '-')}", on_change="rerun")
    held = current_values(group)
    if panel.open or any(held[setting] != setting.default for setting in group):
        with panel:
            for setting in group:
                draw(setting)
