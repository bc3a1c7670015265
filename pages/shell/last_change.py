"""The effect of the last change of a setting, described below that setting in the sidebar."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.limits import UNASKED_SECONDS
from core.readings.changes import read_setting_change
from core.text.labels import head_label
from core.topics.shared.glance import Glance
from core.tracing.run import Run
from pages.canvas import Strip, Tile
from pages.compute import cache
from pages.compute.model_cache import fit_together
from pages.compute.one_head import glance
from pages.session.visit import visit_state
from pages.shell import settings
from pages.shell.page import Page
from pages.shell.run_plan import plan_run
from pages.shell.settings import HEADER_SETTINGS, MASK, MASK_SIZES, MODEL
from pages.shell.undo import held_value, value_in_words
from pages.shell.url import current_values
from pages.widgets import PLACE, Setting, place_of, plain

# The settings whose changes are described.
DESCRIBED_SETTINGS = (MODEL, *settings.SIZE_SETTINGS, MASK, *(size for _, size in MASK_SIZES))


@dataclass(frozen=True)
class LastChange:
    """The last change of a setting in the sidebar.

    setting: the setting that was changed.
    before: the values before each change, the latest change first.
    where: the container in which the change is described.
    new: whether the setting was changed just now.
    """

    setting: Setting
    before: Sequence[Mapping[str, Any]]
    where: DeltaGenerator
    new: bool


def describe_change(page: Page, change: LastChange, run: Run) -> None:
    """Describe the last change beside its setting, with the pattern of the chosen head before and after.

    The text says the old and the new value, and how the shapes and the number of parameters changed. Nothing is drawn
    if nothing was changed, or if another page or text has been chosen since: two models would run for a description
    that nobody reads. Nothing is drawn either if one of the two runs cannot be made or takes UNASKED_SECONDS or more,
    or if one model would push the other out of the cache.

    run: the current run.
    """
    visit, page_and_text = visit_state(), (page.address, run.text)
    if change.new:
        visit.change_told_for = page_and_text
    elif visit.change_told_for != page_and_text:
        return
    with suppress(ValueError):
        current_run = _run_with(page, _values(), run)
        if current_run is None or (current_run.config, current_run.masks, current_run.pads) != (
            run.config,
            run.masks,
            run.pads,
        ):
            return  # what is asked for cannot be run
        former_and_value = _before(page, change, run)
        if former_and_value is None:
            return
        former, was = former_and_value
        if not fit_together(former, run):
            return
        if max(cache.expected_seconds(compared) for compared in (former, run)) >= UNASKED_SECONDS:
            return
        layer_head = place_of(run, current_values(PLACE))
        is_now = value_in_words(page, change.setting, st.session_state)
        if was == is_now:
            return
        glances = glance(former, place_of(former, current_values(PLACE))), glance(run, layer_head)
        with change.where:
            _draw(f"{was} → {is_now}", change.setting.label, glances, head_label(layer_head.layer, layer_head.head))


def _before(page: Page, change: LastChange, run: Run) -> tuple[Run, str] | None:
    """Return the last run that had another value of the setting, and that value in words; None if there is none.

    Runs that cannot be made are skipped. The run has the current text.
    """
    values = _values()
    for before in change.before:
        if change.setting.key not in before:
            continue
        values |= before
        if values[change.setting.key] == held_value(change.setting.key):
            continue
        if former_run := _run_with(page, values, run):
            return former_run, value_in_words(page, change.setting, values)
    return None


def _draw(change: str, label: str, glances: Sequence[Glance], head: str) -> None:
    before, after = glances
    told = f"**{plain(change)}**. {plain(read_setting_change(label, before, after))}"
    if np.array_equal(before.pattern, after.pattern):
        st.caption(f"{told} The pattern of {head} stays the same.")
        return
    st.caption(f"{told} The pattern of {head}:")
    tiles = [
        Tile(
            name,
            name,
            side.pattern,
            str(side.sizes["pattern"]),
            f"tiles of {side.tile} × {side.tile}" if side.tile > 1 else "",
            axes=("query", "key"),
            scale="weight",
        )
        for name, side in (("before", before), ("after", after))
    ]
    Strip(tiles, key="drawer-change", name=f"{head}, before and after").draw()


def _values() -> dict[str, Any]:
    """Return the current values of all settings, also of those that are not drawn with this model."""
    return {setting.key: st.session_state.get(setting.key, setting.default) for setting in HEADER_SETTINGS}


def _run_with(page: Page, values: Mapping[str, Any], run: Run) -> Run | None:
    """Return the run of these values on the texts and the device of a run; None if it cannot be run."""
    plan = plan_run(page, values, texts=(run.text, run.target))
    return None if plan.run is None or plan.model.refusal else replace(plan.run, placement=run.placement)
