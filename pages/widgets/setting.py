"""Settings: their names in the URL, their widgets, and the values that they can take.

Streamlit binds each widget to the URL; `pages/shell/url.py` reports values in the URL that could not be used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from pages.widgets.session import visit_state

MOST_BUTTONS = 16
LIST_WIDTH = 120  # pixels, for numbers


@dataclass(frozen=True)
class Setting:
    """A setting that a visitor can change with one widget.

    key: its name in the URL.
    kind: the kind of widget; a "pick" is a row of buttons, or a list if there are more than `MOST_BUTTONS` options.
    options: the choices, as shown and as written to the URL.
    pins: whether a pin stores its value; the values of other settings apply to both sides.
    """

    key: str
    label: str
    kind: Literal["pick", "list", "many", "set", "whole", "number", "slide", "along", "switch", "text"]
    default: Any
    help: str = ""
    options: tuple[str, ...] = field(default=(), hash=False)  # not hashed: the setting of the head has thousands
    low: float = 0
    high: float = 0
    pins: bool = False


PRESENT = "present"  # key of the switch, in the session alone: a shared URL never presents


@dataclass(frozen=True)
class Control:
    """A setting as one view asks for it; make it with `control`.

    where: in the "row" above the picture, behind the button "more", or "below" the picture.
    options: properties that the view knows better than the setting: options, high, default, label, width, placeholder,
        format, step, …
    """

    setting: Setting
    where: Literal["row", "more", "below"] = "row"
    options: Mapping[str, Any] = field(default_factory=dict)


def control(setting: Setting, where: Literal["row", "more", "below"] = "row", **options: Any) -> Control:
    """Return a control with properties that a view knows better than the setting, such as `high` or `options`."""
    return Control(setting, where, options)


class Values:
    """The values of settings, as a view reads them: `values[HEAD]`.

    A setting without a value has its default. `log` holds the calls of core functions behind the view that is made from
    these values.

    progress: progress(share, words) is called by a view that takes long, to say how far it is.
    """

    def __init__(
        self, known: Mapping[Setting, Any] | None = None, progress: Callable[[float, str], object] | None = None
    ) -> None:
        self._known = {setting.key: value for setting, value in (known or {}).items()}
        self.progress = progress or (lambda share, words: None)
        self.log: Any = None

    def __getitem__(self, setting: Setting) -> Any:
        return self._known.get(setting.key, setting.default)

    def __setitem__(self, setting: Setting, value: Any) -> None:
        self._known[setting.key] = value

    def but(self, others: Mapping[Setting, Any]) -> "Values":
        """Return a copy with some other values, which has no log and reports no progress."""
        found = Values(others)
        found._known = self._known | found._known
        return found


def draw_widget(setting: Setting, where: Any = st, **options: Any) -> Any:
    """Draw the setting's widget in `where` and return its value.

    If the page opens with another value than the default, the widget has no default: Streamlit then writes every value
    into the URL, and a copied URL opens with the same value. A value that is not the default and that the URL still
    lacks is noted in `VisitState.unwritten`: Streamlit 1.67 writes nothing if the default changes while the value
    stays.

    options: properties that the page knows better than the setting.
    """
    default = options.get("default", setting.default)
    if setting.key in visit_state().opened_elsewhere:
        default = None
    if setting.kind in ("whole", "slide") and default is not None:
        default = min(default, int(options.get("high", setting.high)))
    value = _draw(setting, where, options | {"default": default})
    note_unwritten(setting, value, default)
    return value


def note_unwritten(setting: Setting, value: Any, default: Any) -> None:
    """Note whether the URL lacks a setting whose value is not its default."""
    unwritten = visit_state().unwritten
    unwritten.pop(setting.key, None)
    if value not in (default, None) and setting.key not in st.query_params:
        unwritten[setting.key] = setting, value


def _draw(setting: Setting, where: Any, options: dict[str, Any]) -> Any:
    common: dict[str, Any] = {"key": setting.key, "bind": "query-params", "persist_state": "session"}
    common |= {"help": setting.help or None} | options
    choices, high = common.pop("options", setting.options), common.pop("high", setting.high)
    label, default = common.pop("label", setting.label), common.pop("default")
    _follow(setting, default)
    _mend(setting, choices, high, default)
    match setting.kind:
        case "list":
            return where.selectbox(label, choices, index=list(choices).index(default), **common)
        case "pick":
            return _pick(where, label, choices, default, common)
        case "many":
            return tuple(where.pills(label, choices, selection_mode="multi", default=default, **common))
        case "set":
            return tuple(where.multiselect(label, choices, default=default, **common))
        case "switch":
            return where.toggle(label, default, **common)
        case "slide":
            return where.slider(label, int(setting.low), int(high), default, **common)
        case "along":
            return where.select_slider(label, choices, default, **common)
        case "whole":
            return where.number_input(label, int(setting.low), int(high), default, step=1, **common)
        case "number":
            return where.number_input(label, setting.low, high, default, **common)
        case "text":
            return where.text_input(label, default, **({"live": "50ms"} | common))


def _pick(where: Any, label: str, choices: Sequence[str], default: Any, common: dict[str, Any]) -> Any:
    if len(choices) > MOST_BUTTONS:
        index = None if default is None else list(choices).index(default)
        return where.selectbox(label, choices, index=index, **({"width": LIST_WIDTH} | common))
    return where.pills(label, choices, default=default, required=True, wrap=True, **common)


def _follow(setting: Setting, default: Any) -> None:
    """Set a pick that still has its former default to the new one, which may change with the model."""
    if setting.kind != "pick" or default is None:
        return
    state, key, before = st.session_state, setting.key, f"{setting.key}-default"
    if default != state.get(before, default) and state.get(key) == state[before]:
        state[key] = default
    state[before] = default


def _mend(setting: Setting, choices: Sequence[str], high: float, default: Any) -> None:
    """Replace a value that is no longer available, such as a layer of a larger model, by the nearest that is."""
    state, key = st.session_state, setting.key
    value = state.get(key)
    if value is not None and (mended := fitted(setting, value, choices, high, default)) is not value:
        state[key] = mended


def fitted(setting: Setting, value: Any, choices: Sequence[str], high: float, default: Any) -> Any:
    """Return the value itself if it is among the choices and not too high, else the nearest that is.

    If an option is missing because the list of options was shortened, that is the last choice, else the default. Of
    several options those that are available stay.
    """
    if setting.kind in ("list", "pick", "along") and value not in choices:
        shortened = tuple(choices) == setting.options[: len(choices)]
        return choices[-1] if shortened and value in setting.options else default
    if setting.kind in ("many", "set") and not set(value) <= set(choices):
        return [each for each in value if each in choices]
    return int(high) if setting.kind in ("whole", "slide") and value > high else value
