"""Converts between URL parameters and values of settings, and says why a parameter cannot be used."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.session.visit import Params as Params
from pages.widgets import SAME_RUN, Setting

STREAMLIT_KEYS = ("embed", "embed_options")
FORMER_KEYS = ("present",)  # in URLs shared when this was still part of them
LINK_MARK = "show-model"  # the mark of a link that names a model
LINK_MARKS = (LINK_MARK, SAME_RUN)
MULTI_KINDS = ("multi_pills", "multiselect")


def usable_params(params: Params, known: Sequence[Setting]) -> dict[str, list[str]]:
    """Return the parameters that a widget could use, and those of Streamlit itself.

    A setting that holds one value keeps only the last that fits.
    """
    by_key = {setting.key: setting for setting in known}
    usable: dict[str, list[str]] = {}
    for key, values in params.items():
        if key in STREAMLIT_KEYS:
            usable[key] = list(values)
        elif key in by_key:
            good = [value for value in values if fits(by_key[key], value)]
            if by_key[key].kind == "text":
                good = [on_one_line(value) for value in good]
            usable |= {key: good if by_key[key].kind in MULTI_KINDS else good[-1:]} if good else {}
    return usable


def refused(params: Params, known: Sequence[Setting]) -> list[str]:
    """Return one sentence for each parameter that no widget could ever use, or that is given too often."""
    by_key = {setting.key: setting for setting in known}
    sentences = []
    for key, values in params.items():
        if key in STREAMLIT_KEYS + FORMER_KEYS + LINK_MARKS:
            continue
        if key not in by_key:
            sentences.append(f"There is no setting “{_short(key)}”.")
            continue
        setting = by_key[key]
        if wrong := [value for value in values if not fits(setting, value)]:
            why = setting.refuses(wrong[-1]) if setting.refuses else ""
            sentences.append(f"{setting.label} cannot be “{_short(wrong[-1])}”: {why or _allowed(setting) + '.'}")
        elif setting.kind not in MULTI_KINDS and len(values) > 1:
            sentences.append(f"{setting.label} is given {len(values)} times; the last is used.")
    return sentences


def unmet(params: Params, known: Sequence[Setting], shown: Mapping[str, object]) -> list[str]:
    """Return a sentence for each URL parameter that is valid but that its widget did not accept (layer 9 of 3).

    shown: the values of the widgets by key; a setting that the page does not have is left alone.
    """
    sentences = []
    for setting in known:
        fitting = [value for value in params.get(setting.key, ()) if fits(setting, value)]
        if setting.kind not in MULTI_KINDS:
            fitting = fitting[-1:]
        if setting.key in shown:
            missing = [value for value in fitting if not _holds(setting, shown[setting.key], value)]
            sentences += [f"{setting.label} cannot be “{_short(value)}” here." for value in missing[-1:]]
    return sentences


def fits(setting: Setting, value: str) -> bool:
    """Return whether the setting's widget could take this value."""
    if setting.refuses is not None and setting.refuses(value) == "":
        return True
    if setting.kind in ("selectbox", "pills"):
        return value in setting.options
    if setting.kind == "select_slider":
        return value in setting.options or (value.isascii() and value.isdecimal())
    if setting.kind in MULTI_KINDS:
        return value in ("", *setting.options)
    if setting.kind == "toggle":
        return value in ("true", "false")
    if setting.kind == "text":
        return True
    try:
        number = float(value) if setting.kind == "float" else int(value)
    except ValueError:
        return False
    return setting.low <= number <= setting.high


def on_one_line(text: str) -> str:
    """Return a text with spaces for its line breaks.

    A text box of one line would join the words on both sides of a break.
    """
    return text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")


def written_value(setting: Setting, value: Any) -> list[str]:
    """Return a value as written in the URL."""
    if setting.kind in MULTI_KINDS:
        return list(value) or [""]
    return [str(value).lower() if setting.kind == "toggle" else str(value)]


def parsed(setting: Setting, values: Sequence[str]) -> Any:
    """Return the value of a setting, as given by parameters of the URL.

    values: those in the URL, all of which fit the setting.
    """
    if setting.kind in MULTI_KINDS:
        return tuple(value for value in values if value)
    if setting.kind in ("int", "slider"):
        return int(values[-1])
    if setting.kind == "float":
        return float(values[-1])
    return values[-1] == "true" if setting.kind == "toggle" else values[-1]


def set_from(params: Params, known: Iterable[Setting]) -> None:
    """Give settings the values in parameters of the URL; parameters that cannot be used are left out."""
    for setting in known:
        if fitting := [value for value in params.get(setting.key, ()) if fits(setting, value)]:
            st.session_state[setting.key] = parsed(setting, fitting)


def _holds(setting: Setting, shown: object, value: str) -> bool:
    if setting.kind in MULTI_KINDS:
        return value == "" or (isinstance(shown, list | tuple) and value in shown)
    if setting.kind in ("int", "slider", "float"):
        return shown is not None and float(value) == float(str(shown))
    return str(shown).lower() == value if setting.kind == "toggle" else setting.kind == "text" or shown == value


def _allowed(setting: Setting) -> str:
    if setting.kind == "select_slider":
        return f"it can be a number or {' or '.join(setting.options)}"
    if setting.options:
        first = setting.options[:20]
        return f"it can be {', '.join(first)}{'' if first == setting.options else f', … {setting.options[-1]}'}"
    if setting.kind == "toggle":
        return "it can be true or false"
    return f"it can be from {setting.low:,.15g} to {setting.high:,.15g}"


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:30] + "…"
