"""Reads and writes the URL: parameters that cannot be used are removed before any widget reads them, and reported."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from pages.compute.cache import model_title
from pages.compute.streamlit_patches import replace_query, run_context
from pages.shell.model_choice import settings_fixed_by
from pages.shell.settings import MODEL, PIN_PREFIX, RANDOM_WEIGHTS, SIZE_SETTINGS
from pages.shell.url_params import Params, fits, parsed, refused, unmet, usable_params, written_value
from pages.widgets import Setting, Values, plain
from pages.widgets.session import take, visit_state

LISTED = 5


def arrive() -> None:
    """Store the query of a visitor's first URL. Call before the menu is drawn.

    A click in the menu may end the first run before it has read the URL, and Streamlit 1.67 carries none of it along.
    """
    visit = visit_state()
    if visit.notes is None and visit.first_query is None:
        visit.first_query = _query()


def read(known: Sequence[Setting]) -> None:
    """Remove parameters that no widget could use from the URL, and note why. Call before any widget, in every run.

    Settings that a visitor's first URL had and the current one lacks go into the session: Streamlit 1.67 loses them if
    the first page is left before the browser has drawn its widgets.
    """
    visit, asked = visit_state(), _went_to(known) | _query()
    usable = usable_params(asked, known)
    if visit.notes is None:
        arrived = take(visit, "first_query")
        arrived = asked if arrived is None else arrived
        visit.asked = first = _read_first(arrived, known)
        left = set() if arrived == asked else first.keys() - asked.keys()
        st.session_state.update({each.key: parsed(each, first[each.key]) for each in known if each.key in left})
        usable = {key: values for key, values in first.items() if key not in left}
    elif usable != asked:
        note(*refused(asked, known))
    if visit.pins is None:
        visit.pins = _only_pins(usable)
    replace_query(_with_pins(usable, visit.pins))


def _read_first(asked: Params, known: Sequence[Setting]) -> dict[str, list[str]]:
    """Return the usable part of a visitor's first query, and note why the rest cannot be used."""
    note(*refused(asked, known))
    usable = usable_params(asked, known)
    if MODEL.key not in usable and any(setting.key in usable for setting in SIZE_SETTINGS):
        usable[MODEL.key] = [RANDOM_WEIGHTS]  # asking for a size implies random weights
    gone = fixed(usable)
    return {key: values for key, values in usable.items() if key not in gone}


def add(known: Sequence[Setting], values: Mapping[str, Any]) -> None:
    """Write settings into the URL whose widgets are not drawn yet, because Streamlit does not write those.

    Values that are at their default, or None, are left out.
    """
    asked = _query()
    for setting in known:
        if (value := values[setting.key]) != setting.default and value is not None:
            asked[setting.key] = written_value(setting, value)
    replace_query(asked)


def pin(params: Params) -> None:
    """Replace the pinned settings, in the session and in the URL.

    params: the new ones; if empty, nothing is pinned any more.
    """
    visit_state().pins = params
    replace_query(_with_pins(_query(), params))


def pinned(settings: Iterable[Setting]) -> dict[Setting, Any]:
    """Return those of these settings that are pinned, with their values."""
    held = visit_state().pins or {}
    return {each: parsed(each, held[key]) for each in settings if (key := PIN_PREFIX + each.key) in held}


def _only_pins(params: Params) -> Params:
    return {key: values for key, values in params.items() if key.startswith(PIN_PREFIX)}


def _with_pins(params: Params, pins: Params) -> Params:
    return {key: values for key, values in params.items() if not key.startswith(PIN_PREFIX)} | dict(pins)


def note(*sentences: str) -> None:
    """Store sentences for `report`, each once."""
    visit = visit_state()
    visit.notes = list(dict.fromkeys([*(visit.notes or []), *sentences]))


def report() -> None:
    """Show which parts of the URL could not be used, until the visitor clicks the message away."""
    visit = visit_state()
    if sentences := visit.notes:
        shown = sentences[:LISTED] + ([f"And {len(sentences) - LISTED} more."] if len(sentences) > LISTED else [])
        lines = "\n".join(f"- {plain(sentence)}" for sentence in shown)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"Some of the address could not be used as it stands.\n{lines}", icon=":material/link_off:")
            st.button("Got it", on_click=lambda: setattr(visit, "notes", []))


def fixed(params: Params) -> set[str]:
    """Return the keys of a query that the weights of its model fix, and note one sentence for each."""
    model = params.get(MODEL.key, [MODEL.default])[-1]
    found = [setting for setting in settings_fixed_by(model) if setting.key in params]
    note(*(f"{setting.label} is fixed by the weights of “{model_title(model)}”." for setting in found))
    return {setting.key for setting in found}


def report_unmet(known: Sequence[Setting]) -> None:
    """Once, after the first page has run: note which values its widgets could not take, and run again to show that."""
    if asked := take(visit_state(), "asked"):
        sentences = unmet(asked, known, st.session_state.to_dict())
        if sentences:
            note(*sentences)
            st.rerun()


def url_value(setting: Setting) -> Any:
    """Return the setting's value in the URL, or its default if the URL has none that fits.

    For a run in which the setting's widget is not drawn yet.
    """
    asked = [value for value in st.query_params.get_all(setting.key) if fits(setting, value)]
    return parsed(setting, asked) if asked else setting.default


def current_values(settings: Iterable[Setting]) -> Values:
    """Return the settings' values before their widgets are drawn, from the session or else from the URL."""
    state = st.session_state
    known = {each: state[each.key] if each.key in state else url_value(each) for each in settings}
    return Values(known)


def _went_to(known: Iterable[Setting]) -> dict[str, list[str]]:
    """Return the settings in the URL that the visitor went to by Back or Forward; nothing in any other run.

    Streamlit 1.67 removes settings from its own record of that URL if the browser has not yet reported their widgets.
    """
    context = run_context()
    if context is None or not context.is_history_navigation:
        return {}
    keys = {each.key for each in known}
    return {key: values for key, values in parse_qs(context.query_string).items() if key in keys}


def _query() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}
