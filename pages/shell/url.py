"""The URL: read when a visit begins and on Back and Forward, and written from the session at the end of every page."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from pages.canvas import write_address
from pages.compute.cache import model_title
from pages.compute.streamlit_patches import history_query
from pages.session.visit import take, visit_state
from pages.shell.model_choice import own_model, requested_model, settings_fixed_by
from pages.shell.page import Page
from pages.shell.settings import (
    HEADER_SETTINGS,
    LESSON_SETTINGS,
    MODEL,
    PAGE_MODEL,
    PIN_PREFIX,
    RANDOM_WEIGHTS,
    ROUTE,
    RUN_ANYWAY,
    SIZE_SETTINGS,
)
from pages.shell.url_params import Params, parsed, refused, set_from, unmet, usable_params, written_value
from pages.widgets import PLACE, SAME_RUN, Setting, Values, plain

MAX_SENTENCES = 5
# The settings that every page has in its URL.
SHARED_SETTINGS = (*HEADER_SETTINGS, *LESSON_SETTINGS, ROUTE, RUN_ANYWAY, *PLACE)


def begin_visit(known: Sequence[Setting]) -> None:
    """Take the settings of a visitor's first URL into the session; do nothing in later runs.

    Call it before anything that can end the run. A click in the menu may end a visitor's first run early, and the next
    run has another URL.
    """
    visit = visit_state()
    if visit.notes is None:
        visit.asked = _adopt({key: st.query_params.get_all(key) for key in st.query_params}, known)


def follow_history(page: Page, known: Sequence[Setting]) -> None:
    """Take the settings of the URL that the visitor went to by Back or Forward into the session.

    Settings that are not in it go back to their defaults, except those of other pages. The card of a term leads to
    pages in the same way; such a link keeps the run, so it changes the settings of its page alone (`follow_link`).
    """
    if (query := history_query()) is None:
        return
    visit, state = visit_state(), st.session_state
    params = parse_qs(query, keep_blank_values=True)
    keeps_run = SAME_RUN in params
    usable = {} if keeps_run else _adopt(params, known)
    visit.read_again, visit.typing = (visit.read_again[0] + 1, query), ""
    for setting in page.all_settings if keeps_run else (*SHARED_SETTINGS, *page.all_settings):
        if setting.key not in usable:
            visit.reset.add(setting.key)
            state.pop(setting.key, None)


def _adopt(query: Params, known: Sequence[Setting]) -> dict[str, list[str]]:
    """Take the usable parameters of a query into the session, note why others cannot be used, and return the former."""
    visit = visit_state()
    note(*refused(query, known))
    usable = usable_params(query, known)
    if MODEL.key not in usable and any(setting.key in usable for setting in SIZE_SETTINGS):
        usable[MODEL.key] = [RANDOM_WEIGHTS]  # asking for a size implies random weights
    gone = fixed(usable)
    usable = {key: values for key, values in usable.items() if key not in gone}
    visit.read_keys = frozenset(usable)
    visit.pins = {key: values for key, values in usable.items() if key.startswith(PIN_PREFIX)}
    set_from(usable, [setting for setting in known if not setting.key.startswith(PIN_PREFIX)])
    return usable


def query_of(page: Page) -> Params:
    """Return the query that opens the view on the screen: the settings that are not at their default, and the pins."""
    visit, state = visit_state(), st.session_state
    query: dict[str, Sequence[str]] = {}
    left_out = () if _has_random_weights(page) else SIZE_SETTINGS
    for setting in (*SHARED_SETTINGS, *page.all_settings):
        value = state.get(setting.key)
        if value is None or setting in left_out:
            continue
        default = visit.defaults.get(setting.key, setting.default)
        written = written_value(setting, value)
        if setting.key in visit.opened_elsewhere or default is None or written != written_value(setting, default):
            query[setting.key] = written
    return query | dict(visit.pins)


def _has_random_weights(page: Page) -> bool:
    requested = requested_model()
    return requested == RANDOM_WEIGHTS or (requested == PAGE_MODEL and own_model(page) == RANDOM_WEIGHTS)


def write(page: Page) -> None:
    """Tell the browser the address of what is on the screen. Draw this last, in every run.

    A change by the visitor is a step that Back takes back. What the page changes by itself, what comes with another
    page, and further typing in the same text box belong to the step before; the browser notices when a text is
    finished.
    """
    visit, query = visit_state(), query_of(page)
    before = visit.written
    automatic, typed = take(visit, "automatic"), take(visit, "typed")
    changed: set[str] = set()
    if before is not None and before[0] == page.address and history_query() is None:
        old = before[1]
        changed = {key for key in {*old, *query} if list(old.get(key, ())) != list(query.get(key, ()))} - automatic
    if changed:
        alone = typed if changed == {typed} else ""
        visit.steps += not alone or alone != visit.typing
        visit.typing = alone
    visit.written = page.address, query
    path = visit.entries[page.address].url_path
    others = () if path else [entry.url_path for entry in visit.entries.values() if entry.url_path]
    write_address(path, others, query, visit.steps, visit.read_again, visit.typing)


def pin(params: Params) -> None:
    """Replace the pinned settings; if `params` is empty, nothing is pinned any more."""
    visit_state().pins = params


def pinned(settings: Iterable[Setting]) -> dict[Setting, Any]:
    """Return those of these settings that are pinned, with their values."""
    held = visit_state().pins
    return {setting: parsed(setting, held[key]) for setting in settings if (key := PIN_PREFIX + setting.key) in held}


def note(*sentences: str) -> None:
    """Store sentences for `report` to show, each once."""
    visit = visit_state()
    visit.notes = list(dict.fromkeys([*(visit.notes or []), *sentences]))


def report() -> None:
    """Show which parts of the URL could not be used, until the visitor clicks the message away."""
    visit = visit_state()
    if sentences := visit.notes:
        shown = sentences[:MAX_SENTENCES] + (
            [f"And {len(sentences) - MAX_SENTENCES} more."] if len(sentences) > MAX_SENTENCES else []
        )
        lines = "\n".join(f"- {plain(sentence)}" for sentence in shown)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"Some of the address could not be used as it stands.\n{lines}", icon=":material/link_off:")
            st.button("Got it", on_click=lambda: setattr(visit, "notes", []))


def fixed(params: Params) -> set[str]:
    """Return the keys of a query that have no effect because the model's weights fix them; note a sentence for each."""
    model = params.get(MODEL.key, [MODEL.default])[-1]
    fixed_settings = [setting for setting in settings_fixed_by(model) if setting.key in params]
    note(*(f"{setting.label} is fixed by the weights of “{model_title(model)}”." for setting in fixed_settings))
    return {setting.key for setting in fixed_settings}


def report_unmet(known: Sequence[Setting]) -> None:
    """Note which values of the visitor's first URL the widgets did not accept, and run again to show that.

    Call after the first page has run; later calls do nothing.
    """
    if params := take(visit_state(), "asked"):
        sentences = unmet(params, known, st.session_state.to_dict())
        if sentences:
            note(*sentences)
            st.rerun()


def current_settings(settings: Iterable[Setting]) -> dict[Setting, Any]:
    """Return the values of those of these settings that have one: set by the visitor, the URL or an earlier page."""
    state = st.session_state
    return {setting: state[setting.key] for setting in settings if setting.key in state}


def current_values(settings: Iterable[Setting]) -> Values:
    """Return the settings' values before their widgets are drawn."""
    return Values(current_settings(settings))
