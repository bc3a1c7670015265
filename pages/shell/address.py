"""What of an address cannot be used: it is taken out before any widget reads it, and said in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.queries.models import model_title
from pages.shell.models import fixed_by
from pages.shell.settings import CHOSEN, FREE, FRESH, PIN_PREFIX
from pages.widgets import Setting, Values, plain

FOREIGN = ("embed", "embed_options")
MANY = ("many", "set")
LISTED = 5
PINS = "pins"  # in the session: what is pinned, as the address has it

Params = Mapping[str, Sequence[str]]


def read(known: Sequence[Setting]) -> Params:
    """Take out of the address what no widget could use, and note why. Call before any widget, in every run.

    Gives what a visitor's first address set and this one lacks. Streamlit 1.67 loses it where the first page is left
    before the browser has drawn its widgets.
    """
    state = st.session_state
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    usable = usable_params(asked, known)
    if "refused" not in state:
        note(*refused(asked, known))
        if CHOSEN.key not in usable and any(setting.key in usable for setting in FREE):
            usable[CHOSEN.key] = [FRESH]  # who asks for a size asks for random weights
        gone = fixed(usable)
        usable = {key: values for key, values in usable.items() if key not in gone}
        state["asked"] = usable
    elif usable != asked:
        note(*refused(asked, known))
    replace_query(_with_pins(usable, state.setdefault(PINS, _only_pins(usable))))
    return {key: values for key, values in state.get("asked", {}).items() if key not in usable}


def add(known: Sequence[Setting], values: Mapping[str, Any]) -> None:
    """Write settings into the address whose widgets do not stand yet: of these, Streamlit writes nothing."""
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    for setting in known:
        if (value := values[setting.key]) != setting.default and value is not None:
            asked[setting.key] = written_value(setting, value)
    replace_query(asked)


def pin(params: Params) -> None:
    """Pin these, in place of what was pinned, in the session and in the address; none of them: unpin."""
    st.session_state[PINS] = params
    replace_query(_with_pins({key: st.query_params.get_all(key) for key in st.query_params}, params))


def pinned(settings: Iterable[Setting]) -> dict[Setting, Any]:
    """Of these settings those that are pinned, with their values."""
    held = st.session_state.get(PINS, {})
    return {each: parsed(each, held[key]) for each in settings if (key := PIN_PREFIX + each.key) in held}


def _only_pins(params: Params) -> Params:
    return {key: values for key, values in params.items() if key.startswith(PIN_PREFIX)}


def _with_pins(params: Params, pins: Params) -> Params:
    return {key: values for key, values in params.items() if not key.startswith(PIN_PREFIX)} | dict(pins)


def replace_query(params: Params) -> None:
    """Make these the query, before any widget reads it; the browser is told where that changes anything.

    `st.query_params` cannot: it refuses to change what a widget is bound to, and what it changes is not what widgets
    read when they are drawn for the first time.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as held:
        for key in params:
            if held.get_all(key) != list(params[key]):
                held.set_corrected_value(key, list(params[key]), "string_array_value")
        gone = [key for key in held if key not in params]
        for key in gone[:-1]:
            held.discard_param_no_forward_msg(key)
        for key in gone[-1:]:
            held.remove_param(key)
        held.set_initial_query_params_from_current()


def note(*sentences: str) -> None:
    """Keep what is to be said about the address, each sentence once."""
    state = st.session_state
    state["refused"] = list(dict.fromkeys([*state.get("refused", []), *sentences]))


def report() -> None:
    """Say what could not be used, until the visitor has read it."""
    state = st.session_state
    if sentences := state["refused"]:
        shown = sentences[:LISTED] + ([f"And {len(sentences) - LISTED} more."] if len(sentences) > LISTED else [])
        lines = "\n".join(f"- {plain(sentence)}" for sentence in shown)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"Some of the address could not be used as it stands.\n{lines}", icon=":material/link_off:")
            st.button("Got it", on_click=lambda: state.update(refused=[]))


def fixed(params: Params) -> set[str]:
    """The keys in an address that the weights of its model fix; one sentence is noted for each."""
    model = params.get(CHOSEN.key, [CHOSEN.default])[-1]
    found = [setting for setting in fixed_by(model) if setting.key in params]
    note(*(f"{setting.label} is fixed by the weights of “{model_title(model)}”." for setting in found))
    return {setting.key for setting in found}


def report_unmet(known: Sequence[Setting]) -> None:
    """Once, when the first page has run: add what its widgets could not take, and show the page again."""
    state = st.session_state
    if asked := state.pop("asked", None):
        sentences = unmet(asked, known, state.to_dict())
        if sentences:
            note(*sentences)
            st.rerun()


def usable_params(params: Params, known: Sequence[Setting]) -> dict[str, list[str]]:
    """Of an address what a widget could use; of a setting that holds one value only the last that fits."""
    by_key = {setting.key: setting for setting in known}
    found: dict[str, list[str]] = {}
    for key, values in params.items():
        if key in FOREIGN:
            found[key] = list(values)
        elif key in by_key:
            good = [value for value in values if fits(by_key[key], value)]
            found |= {key: good if by_key[key].kind in MANY else good[-1:]} if good else {}
    return found


def refused(params: Params, known: Sequence[Setting]) -> list[str]:
    """One sentence for each parameter that no widget could ever use."""
    by_key = {setting.key: setting for setting in known}
    sentences = []
    for key, values in params.items():
        if key in FOREIGN:
            continue
        if key not in by_key:
            sentences.append(f"There is no setting “{_short(key)}”.")
            continue
        setting = by_key[key]
        if wrong := [value for value in values if not fits(setting, value)]:
            sentences.append(f"{setting.label} cannot be “{_short(wrong[-1])}”: {_allowed(setting)}.")
        elif setting.kind not in MANY and len(values) > 1:
            sentences.append(f"{setting.label} is given {len(values)} times; the last is used.")
    return sentences


def unmet(params: Params, known: Sequence[Setting], shown: Mapping[str, object]) -> list[str]:
    """One sentence for each parameter that its widget on this page might have taken, and did not (layer 9 of 3).

    shown: the values of the widgets by key; a setting that the page does not have is left alone.
    """
    sentences = []
    for setting in known:
        asked = [value for value in params.get(setting.key, ()) if fits(setting, value)]
        if setting.kind not in MANY:
            asked = asked[-1:]
        if setting.key in shown:
            missing = [value for value in asked if not _holds(setting, shown[setting.key], value)]
            sentences += [f"{setting.label} cannot be “{_short(value)}” here." for value in missing[-1:]]
    return sentences


def fits(setting: Setting, value: str) -> bool:
    """Whether the widget could take this value."""
    if setting.kind in ("list", "pick"):
        return value in setting.options
    if setting.kind == "along":
        return value in setting.options or (value.isascii() and value.isdecimal())
    if setting.kind in MANY:
        return value in ("", *setting.options)
    if setting.kind == "switch":
        return value in ("true", "false")
    if setting.kind == "text":
        return True
    try:
        number = float(value) if setting.kind == "number" else int(value)
    except ValueError:
        return False
    return setting.low <= number <= setting.high


def requested(setting: Setting) -> Any:
    """The setting's value in the address, for a run in which its widget is not drawn yet; else its default."""
    asked = [value for value in st.query_params.get_all(setting.key) if fits(setting, value)]
    return parsed(setting, asked) if asked else setting.default


def values_ahead(settings: Iterable[Setting]) -> Values:
    """The settings' values before their widgets are drawn: as the session has them, or as the address asks."""
    state = st.session_state
    known = {each: state[each.key] if each.key in state else requested(each) for each in settings}
    return Values(known)


def written_value(setting: Setting, value: Any) -> list[str]:
    """A value as the address has it."""
    if setting.kind in MANY:
        return list(value) or [""]
    return [str(value).lower() if setting.kind == "switch" else str(value)]


def parsed(setting: Setting, asked: Sequence[str]) -> Any:
    """The value that an address with these parameters, which fit, means."""
    if setting.kind in MANY:
        return tuple(value for value in asked if value)
    if setting.kind in ("whole", "slide"):
        return int(asked[-1])
    if setting.kind == "number":
        return float(asked[-1])
    return asked[-1] == "true" if setting.kind == "switch" else asked[-1]


def _holds(setting: Setting, shown: object, asked: str) -> bool:
    if setting.kind in MANY:
        return asked == "" or (isinstance(shown, list | tuple) and asked in shown)
    if setting.kind in ("whole", "slide", "number"):
        return shown is not None and float(asked) == float(str(shown))
    return str(shown).lower() == asked if setting.kind == "switch" else setting.kind == "text" or shown == asked


def _allowed(setting: Setting) -> str:
    if setting.kind == "along":
        return f"it can be a number or {' or '.join(setting.options)}"
    if setting.options:
        first = setting.options[:20]
        return f"it can be {', '.join(first)}{'' if first == setting.options else f', … {setting.options[-1]}'}"
    if setting.kind == "switch":
        return "it can be true or false"
    return f"it can be from {setting.low:,g} to {setting.high:,g}"


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:30] + "…"
