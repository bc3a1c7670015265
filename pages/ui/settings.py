"""What a visitor can set: a setting's name in the URL, its widget, and what values it may take.

Streamlit binds each widget to the URL and drops what it cannot use; `refused` says in words what was dropped.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

TEXT_CHARACTERS = 4000
FOREIGN = ("embed", "embed_options")


@dataclass(frozen=True)
class Setting:
    """One widget. `key` is its name in the URL; options are shown and written to the URL as they stand."""

    key: str
    label: str
    kind: Literal["pick", "list", "many", "set", "whole", "number", "slide", "switch", "text"]
    default: Any
    help: str = ""
    options: tuple[str, ...] = ()
    low: float = 0
    high: float = 0


def ask(setting: Setting, where: Any = st, **options: Any) -> Any:
    """Draw the setting's widget in `where` and return its value. options: what the page knows better."""
    common: dict[str, Any] = {"key": setting.key, "bind": "query-params", "persist_state": "session"}
    common |= {"help": setting.help or None} | options
    choices = common.pop("options", setting.options)
    label, default = common.pop("label", setting.label), common.pop("default", setting.default)
    match setting.kind:
        case "list":
            return where.selectbox(label, choices, index=list(choices).index(default), **common)
        case "pick":
            return where.pills(label, choices, default=default, required=True, wrap=True, **common)
        case "many":
            return tuple(where.pills(label, choices, selection_mode="multi", default=default, **common))
        case "set":
            return tuple(where.multiselect(label, choices, default=default, **common))
        case "switch":
            return where.toggle(label, default, **common)
        case "slide":
            return where.slider(label, int(setting.low), int(setting.high), default, **common)
        case "whole":
            return where.number_input(label, int(setting.low), int(setting.high), default, step=1, **common)
        case "number":
            return where.number_input(label, setting.low, setting.high, default, **common)
        case "text":
            return where.text_input(label, default, max_chars=TEXT_CHARACTERS, live="250ms", **common)


def refused(params: Mapping[str, Sequence[str]], known: Sequence[Setting]) -> list[str]:
    """One sentence for each parameter of a URL that no widget can use."""
    by_key = {setting.key: setting for setting in known}
    sentences = []
    for key, values in params.items():
        if key in FOREIGN:
            continue
        if key not in by_key:
            sentences.append(f"There is no setting “{_short(key)}”.")
            continue
        setting = by_key[key]
        wrong = [value for value in values if not fits(setting, value)]
        if wrong or (setting.kind not in ("many", "set") and len(values) > 1):
            sentences.append(f"{setting.label} cannot be “{_short((wrong or values)[-1])}”: {_allowed(setting)}.")
    return sentences


def fits(setting: Setting, value: str) -> bool:
    """Whether the widget would take this value from the URL."""
    if setting.kind in ("list", "pick", "many", "set"):
        return value in setting.options
    if setting.kind == "switch":
        return value in ("true", "false")
    if setting.kind == "text":
        return len(value) <= TEXT_CHARACTERS
    try:
        number = float(value) if setting.kind == "number" else int(value)
    except ValueError:
        return False
    return math.isfinite(number) and setting.low <= number <= setting.high


def _allowed(setting: Setting) -> str:
    if setting.options:
        first = setting.options[:20]
        return f"it can be {', '.join(first)}{'' if first == setting.options else f', … {setting.options[-1]}'}"
    if setting.kind == "switch":
        return "it can be true or false"
    if setting.kind == "text":
        return f"it can have {TEXT_CHARACTERS:,} characters"
    return f"it can be from {setting.low:,g} to {setting.high:,g}"


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:30] + "…"
