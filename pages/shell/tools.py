"""The last of the header: present, and behind a button share, undo and reset."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import segno
import streamlit as st

from pages.shell.address import pin
from pages.shell.models import opening, put, requested_kind, requested_model, shown_model
from pages.shell.opening import find_again
from pages.shell.page import Page
from pages.shell.settings import PRESENT
from pages.widgets import Setting, ask

PAST, SEEN = "past", "seen"  # in the session: what the settings were before, the latest last; and what they are
STEPS = 50
PRESENTING = """<style>
[data-testid="stHeader"], [data-testid="stSidebar"], .st-key-header-text, .st-key-header-model > :not(.st-key-present) {
  display: none;
}
[data-testid="stMainBlockContainer"] { max-width: none; padding-top: 1rem; }
:is([class*="st-key-controls"], .st-key-look-at, .st-key-neighbours):not(:hover, :focus-within) { opacity: 0.4; }
html { font-size: 118%; }
</style>"""


def tools(page: Page, known: Sequence[Setting]) -> None:
    """The switch, the button and its panel."""
    if ask(PRESENT):
        st.html(PRESENTING)
    panel = st.popover("Undo, share", icon=":material/share:", key="tools", on_change="rerun")
    with panel:
        with st.container(horizontal=True):
            none = not st.session_state.get(PAST)
            st.button("Undo", key="undo-last", icon=":material/undo:", on_click=_undo, disabled=none)
            st.button("Reset", key="reset-all", icon=":material/restart_alt:", on_click=_reset, args=(page, known))
        if not panel.open:
            return
        st.caption("This address opens what you see:")
        st.code(here := shared_address(), language=None, wrap_lines=True)
        if code := qr_code(here):
            st.image(code, width=220, caption="Point a phone's camera here.")
        else:
            st.caption("It is too long for a QR code: a shorter text would fit.")


def shared_address() -> str:
    """The address of this page with every setting that is not its default."""
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    base = (st.context.url or "").partition("?")[0]
    return f"{base}?{urlencode(asked, doseq=True)}" if asked else base


def qr_code(text: str) -> str | None:
    """The text as a QR code (ISO/IEC 18004), an SVG picture; None where it is too long for any."""
    try:
        return str(segno.make_qr(text, error="l").svg_inline(scale=6, border=2, light="white"))
    except segno.DataOverflowError:
        return None


def remember(known: Sequence[Setting]) -> None:
    """Note how the settings stand, and how they stood before the last change. Call when all widgets are drawn."""
    state = st.session_state
    values = {each.key: state[each.key] for each in known if each.key in state and each is not PRESENT}
    before: Mapping[str, Any] = state.get(SEEN, values)
    changed = {key: before[key] for key in values.keys() & before.keys() if before[key] != values[key]}
    if changed:
        state[PAST] = [*state.get(PAST, []), changed][-STEPS:]
    state[SEEN] = dict(before) | values


def last_changes() -> Iterator[Mapping[str, Any]]:
    """For each change of settings, the last one first, what they were before it."""
    state = st.session_state
    seen = state.get(SEEN, {})
    yield {key: seen[key] for key in seen if key in state and state[key] != seen[key]}
    yield from reversed(state.get(PAST, []))


def _undo() -> None:
    state = st.session_state
    *state[PAST], last = state[PAST]
    state.update(last)
    state[SEEN] = state[SEEN] | last


def _reset(page: Page, known: Sequence[Setting]) -> None:
    state = st.session_state
    state.update({each.key: each.default for each in known if each.key in state})
    find_again()
    pin({})
    put(opening(page, shown_model(page, requested_model(), requested_kind())))
