"""The pinned side of a comparison: its run, its settings and its view."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from core.readings.changes import read_value
from core.readings.compare import name_sides
from core.text.labels import head_label
from core.topics.shared.run_from_choices import chosen_of
from core.tracing.run import Run
from pages.compute import cache
from pages.session.visit import visit_state
from pages.shell.compare.side_by_side import side_by_side
from pages.shell.page import Page
from pages.shell.run_plan import plan_run
from pages.shell.settings import (
    HEADER_SETTINGS,
    MODEL,
    PINNABLE,
    SAME_SIZES_RANDOM,
    SEED,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
    model_value,
)
from pages.shell.url import current_values, pinned
from pages.shell.view import Shown, View
from pages.widgets import ATTENTION, HEAD, LAYER, Control, Message, Setting, Values, plain

MAX_SECONDS = 6  # seconds: a view that takes longer is not shown on the pinned side


def with_pinned(page: Page, view: View, run: Run, values: Values, current: Shown) -> Shown:
    """Return the parts of the view, beside those of the pinned view if there is one.

    If nothing is pinned, or the page cannot pin, `current` is returned unchanged. If the pinned side cannot be run, or
    its view takes longer than MAX_SECONDS, a message above the pictures says so.

    run: the current run, as made by the header.
    values: the settings of the page and of the view, after their controls were drawn.
    current: the parts of the view with the current settings.
    """
    if not visit_state().pins or not page.can_pin:
        return current
    pins = pinned((*PINNABLE, *(setting for setting in page.settings if setting.pins)))
    if not pins:
        return current
    try:
        old = pinned_run(page, run, pins)
        if old.source and not old.source.is_ready() and cache.expected_seconds(old) > MAX_SECONDS:
            raise ValueError("Its run would be trained to that step first. Open the step as the model once.")
        pinned_values = values.but(pins)
        shown_settings = _settle(page.controls(old, pinned_values), pinned_values)
        subject = page.subject(old, pinned_values)
        shown_settings |= _settle(view.controls(subject, pinned_values), pinned_values)
        titles = name_sides(_named(old, run, shown_settings, pinned_values), _named(run, old, shown_settings, values))
        if view.seconds is not None and view.seconds(subject, pinned_values) > MAX_SECONDS:
            raise ValueError("This view takes too long for a second one beside it.")
        shown = view.show(subject, pinned_values)
    except ValueError as mistake:
        why = Message(f"What is pinned cannot be shown: {plain(str(mistake))}", ":material/keep_off:")
        return replace(current, pictures=[why, *current.pictures])
    return side_by_side(shown, current, titles)


def pinned_run(page: Page, run: Run, pins: Mapping[Setting, Any]) -> Run:
    """Return the current run with the pinned settings in place of its own.

    Raises ValueError if it cannot be run.
    """
    if not any(setting in pins for setting in HEADER_SETTINGS):
        return run
    chosen = {setting.key: pins.get(setting, value) for setting, value in _frame(run).items()}
    twin = chosen[MODEL.key] == SAME_SIZES_RANDOM
    if twin:
        chosen[MODEL.key] = model_value(run.source)
    planned = plan_run(page, chosen, texts=(chosen[TEXT.key], chosen[TARGET.key])).checked()
    new_run = replace(planned, placement=run.placement)
    return replace(new_run, source=None, tokenizer=run.source) if twin and run.source else new_run


def _frame(run: Run) -> dict[Setting, Any]:
    """Return the settings of the header and the sidebar as this run has them."""
    values, sizes = current_values(HEADER_SETTINGS), {} if run.is_trained else chosen_of(run.config)
    return {setting: sizes.get(setting.key, values[setting]) for setting in HEADER_SETTINGS} | {
        MODEL: model_value(run.source),
        TEXT: run.text,
        TARGET: values[TARGET] or "",
    }


def _settle(controls: Iterable[Control], values: Values) -> dict[Setting, Control]:
    """Fit the values to the controls without drawing them, and return the controls by setting."""
    settled = {}
    for control in controls:
        control.fit(values)
        settled[control.setting] = control
    return settled


def _named(run: Run, other_run: Run, shown_settings: Iterable[Setting], values: Values) -> dict[str, str]:
    """Return the settings that can tell one side from the other in its title, by name."""
    named = {"model": cache.title_of(run), "text": run.text}
    if not (run.is_trained or other_run.is_trained):
        sizes = chosen_of(run.config) | {SEED.key: run.config.seed}
        named |= {setting.label: _called(sizes[setting.key]) for setting in SIZE_SETTINGS if setting.key in sizes}
    if run.text == other_run.text and run.target:
        named["text of the decoder"] = run.target
    if run.masks != other_run.masks:
        named["mask"] = " and ".join(mask.name() for mask in run.masks) or "no mask"
    shown = set(shown_settings)
    if {LAYER, HEAD} <= shown:
        named["place"] = head_label(int(values[LAYER]) - 1, int(values[HEAD]) - 1)
    elif LAYER in shown:
        named["place"] = f"layer {values[LAYER]}"
    return named | {
        setting.label.lower(): _called(values[setting]) for setting in shown if setting == ATTENTION or setting.pins
    }


def _called(value: object) -> str:
    return read_value(value) if value is None else str(value)
