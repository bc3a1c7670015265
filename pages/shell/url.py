"""What of an address cannot be used: it is taken out before any widget reads it, and said in words."""

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
    """Keep what a visitor's first address says. Call before the menu is drawn: a click there may end the first run
    before it has read the address, and Streamlit 1.67 takes nothing of it along."""
    visit = visit_state()
    if visit.notes is None and visit.first_query is None:
        visit.first_query = _query()


def read(known: Sequence[Setting]) -> None:
    """Take out of the address what no widget could use, and note why. Call before any widget, in every run.

    What a visitor's first address set and this one lacks goes into the session: Streamlit 1.67 loses it where the first
    page is left before the browser has drawn its widgets.
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
    """What can be used of a visitor's first address; why the rest cannot is noted."""
    note(*refused(asked, known))
    usable = usable_params(asked, known)
    if MODEL.key not in usable and any(setting.key in usable for setting in SIZE_SETTINGS):
        usable[MODEL.key] = [RANDOM_WEIGHTS]  # who asks for a size asks for random weights
    gone = fixed(usable)
    return {key: values for key, values in usable.items() if key not in gone}


def add(known: Sequence[Setting], values: Mapping[str, Any]) -> None:
    """Write settings into the address whose widgets do not stand yet: of these, Streamlit writes nothing."""
    asked = _query()
    for setting in known:
        if (value := values[setting.key]) != setting.default and value is not None:
            asked[setting.key] = written_value(setting, value)
    replace_query(asked)


def pin(params: Params) -> None:
    """Pin these, in place of what was pinned, in the session and in the address; none of them: unpin."""
    visit_state().pins = params
    replace_query(_with_pins(_query(), params))


def pinned(settings: Iterable[Setting]) -> dict[Setting, Any]:
    """Of these settings those that are pinned, with their values."""
    held = visit_state().pins or {}
    return {each: parsed(each, held[key]) for each in settings if (key := PIN_PREFIX + each.key) in held}


def _only_pins(params: Params) -> Params:
    return {key: values for key, values in params.items() if key.startswith(PIN_PREFIX)}


def _with_pins(params: Params, pins: Params) -> Params:
    return {key: values for key, values in params.items() if not key.startswith(PIN_PREFIX)} | dict(pins)


def note(*sentences: str) -> None:
    """Keep what is to be said about the address, each sentence once."""
    visit = visit_state()
    visit.notes = list(dict.fromkeys([*(visit.notes or []), *sentences]))


def report() -> None:
    """Say what could not be used, until the visitor has read it."""
    visit = visit_state()
    if sentences := visit.notes:
        shown = sentences[:LISTED] + ([f"And {len(sentences) - LISTED} more."] if len(sentences) > LISTED else [])
        lines = "\n".join(f"- {plain(sentence)}" for sentence in shown)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"Some of the address could not be used as it stands.\n{lines}", icon=":material/link_off:")
            st.button("Got it", on_click=lambda: setattr(visit, "notes", []))


def fixed(params: Params) -> set[str]:
    """The keys in an address that the weights of its model fix; one sentence is noted for each."""
    model = params.get(MODEL.key, [MODEL.default])[-1]
    found = [setting for setting in settings_fixed_by(model) if setting.key in params]
    note(*(f"{setting.label} is fixed by the weights of “{model_title(model)}”." for setting in found))
    return {setting.key for setting in found}


def report_unmet(known: Sequence[Setting]) -> None:
    """Once, when the first page has run: add what its widgets could not take, and show the page again."""
    if asked := take(visit_state(), "asked"):
        sentences = unmet(asked, known, st.session_state.to_dict())
        if sentences:
            note(*sentences)
            st.rerun()


def url_value(setting: Setting) -> Any:
    """The setting's value in the address, for a run in which its widget is not drawn yet; else its default."""
    asked = [value for value in st.query_params.get_all(setting.key) if fits(setting, value)]
    return parsed(setting, asked) if asked else setting.default


def current_values(settings: Iterable[Setting]) -> Values:
    """The settings' values before their widgets are drawn: as the session has them, or as the address asks."""
    state = st.session_state
    known = {each: state[each.key] if each.key in state else url_value(each) for each in settings}
    return Values(known)


def _went_to(known: Iterable[Setting]) -> dict[str, list[str]]:
    """The settings in the address that the visitor went to by Back or Forward; nothing in any other run.

    Streamlit 1.67 takes those out of its own record of the address whose widgets the browser has not yet reported.
    """
    context = run_context()
    if context is None or not context.is_history_navigation:
        return {}
    keys = {each.key for each in known}
    return {key: values for key, values in parse_qs(context.query_string).items() if key in keys}


def _query() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}
