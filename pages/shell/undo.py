"""The changes of settings so far, and the button that takes the last one back."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from core.readings.changes import read_value
from pages.compute.streamlit_patches import history_query
from pages.session.visit import visit_state
from pages.shell.model_choice import effective_model, option_label
from pages.shell.page import Page
from pages.shell.settings import ARCHITECTURE_SETTINGS, HEADER_SETTINGS, MODEL
from pages.shell.url import pin
from pages.widgets import Setting, plain

KIND = ARCHITECTURE_SETTINGS[0]
PINS = "pins"  # key of the pins among the recorded settings
MAX_CHANGES = 50
PAUSE_SECONDS = 2.0  # between two letters; what is typed after it is a change of its own
MAX_CHARACTERS = 24  # of a text in the button


def remember(page: Page, known: Sequence[Setting]) -> None:
    """Record the current settings and pins, and those before the last change, so that it can be undone.

    Draw all widgets first, and write the address after it. Going back in the browser takes a change back, as Undo does.
    What comes with another page and what the page changes by itself are no changes of the visitor's, and what is typed
    on without a pause is one change.
    """
    state, visit = st.session_state, visit_state()
    values = {setting.key: held_value(setting.key) for setting in known if setting.key in state}
    values[PINS] = visit.pins
    before: Mapping[str, Any] = visit.seen or values
    here = visit.written is not None and visit.written[0] == page.address
    changed = {
        key: before[key]
        for key in values
        if here and key in before and before[key] != values[key] and key not in visit.automatic
    }
    if changed:
        past, now = visit.past, time.monotonic()
        back = past and history_query() is not None
        if back and all(values.get(key) == past[-1][key] for key in past[-1]):
            visit.past = past[:-1]
        elif past and visit.typed in changed.keys() & past[-1].keys() and now - visit.typed_at < PAUSE_SECONDS:
            visit.past = [*past[:-1], changed | dict(past[-1])]
        else:
            visit.past = [*past, changed][-MAX_CHANGES:]
        visit.typed_at = now if visit.typed in changed else 0.0
    visit.seen = dict(before) | values


def last_changes() -> Iterator[Mapping[str, Any]]:
    """Yield the values that settings had before each change, the latest change first.

    The first mapping is the change in this run of the script; it is empty if there is none.
    """
    state, visit = st.session_state, visit_state()
    values = visit.seen
    yield {key: values[key] for key in values if key in state and held_value(key) != values[key]}
    yield from reversed(visit.past)


def held_value(key: str) -> Any:
    """Return the value of a setting in the session, several choices as a tuple.

    Streamlit's widgets report them as a list, and a setting's default is a tuple: the same choices must be equal.
    """
    value = st.session_state[key]
    return tuple(value) if isinstance(value, list) else value


def draw_undo(page: Page, known: Sequence[Setting]) -> None:
    """Draw the button that takes back the last change, which it names; nothing if this page cannot take one back.

    Call after `remember`.
    """
    past = visit_state().past
    if past and (named := _named_changes(page, known, past[-1])):
        label = f"Undo: {plain(', '.join(named))}"
        st.button(label, key="undo-last", icon=":material/undo:", on_click=_undo, type="tertiary")


def value_in_words(page: Page, setting: Setting, values: Any) -> str:
    """Return the value of a setting in words; for the model, the title of the one that is shown."""
    if setting is not MODEL:
        return read_value(values[setting.key])
    kind = values.get(KIND.key) or KIND.default
    return option_label(page, effective_model(page, str(values[MODEL.key]), str(kind)))


def _named_changes(page: Page, known: Sequence[Setting], before: Mapping[str, Any]) -> list[str]:
    """Return what would be taken back, in words; nothing if the settings are not this page's, or have these values.

    What a text, a model or a mask brings with it, such as another head, is not named.
    """
    state, visit = st.session_state, visit_state()
    if any(key != PINS and key not in state for key in before):
        return []
    by_key = {setting.key: setting for setting in known}
    if not before.keys() <= by_key.keys() | {PINS}:
        return []
    changed = [setting for key, setting in by_key.items() if key in before and held_value(key) != before[key]]
    shared = [setting for setting in changed if setting in HEADER_SETTINGS]
    named = [_name_change(page, setting, before) for setting in shared or changed]
    pins = ["pinning" if visit.pins else "unpinning"] if before.get(PINS, visit.pins) != visit.pins else []
    return [*named, *pins]


def _name_change(page: Page, setting: Setting, before: Mapping[str, Any]) -> str:
    label = "view" if setting == page.look_at else setting.label
    label = label[0].lower() + label[1:] if label[1:2].islower() else label
    if setting.kind == "text":
        words = " ".join(str(before[setting.key] or "").split())
        start = words if len(words) <= MAX_CHARACTERS else words[:MAX_CHARACTERS].rstrip() + "…"
        return f"{label} → “{start}”" if start else f"{label} → empty"
    values = st.session_state.to_dict()
    now, then = (value_in_words(page, setting, each) for each in (values, values | dict(before)))
    return f"{label} {now} → {then}"


def _undo() -> None:
    visit = visit_state()
    if not visit.past:
        return  # a second click, before the button has gone
    *visit.past, last = visit.past
    if PINS in last:
        pin(last[PINS])
    st.session_state.update({key: value for key, value in last.items() if key != PINS})
    visit.seen = {**visit.seen, **last}
