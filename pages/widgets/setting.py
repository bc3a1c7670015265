"""Settings: their names in the URL, their widgets, and the values that they can take.

The session holds each value under the setting's key; `pages/shell/url.py` reads the URL into it and writes it back.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

import streamlit as st

from pages.session.visit import visit_state

MOST_BUTTONS = 16
LIST_WIDTH = 120  # pixels, for numbers

Choice = Literal["pills", "selectbox", "select_slider", "multi_pills", "multiselect"]
Kind = Choice | Literal["int", "float", "slider", "toggle", "text"]


@dataclass(frozen=True)
class Setting:
    """A setting that a visitor can change with one widget.

    key: its name in the URL.
    kind: Streamlit's name of the widget; "int" and "float" are number inputs, and "pills" become a selectbox if there
        are more than `MOST_BUTTONS` options.
    options: the choices, as shown and as written to the URL.
    pins: whether a pinned run keeps its own value of it beside the current run; other settings apply to both runs.
    refuses: for a setting that takes values besides its options: a function of a value as written in the URL. It
        returns "" if the value can be used, the reason if it has the right form but cannot be used, and None if it does
        not have that form.
    """

    key: str
    label: str
    kind: Kind
    default: Any
    help: str = ""
    options: tuple[str, ...] = field(default=(), hash=False)  # not hashed: the setting of the head has thousands
    low: float = 0
    high: float = 0
    pins: bool = False
    refuses: Callable[[str], str | None] | None = None


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

    @property
    def default(self) -> Any:
        """The value that its widget opens with."""
        return self.options.get("default", self.setting.default)

    @property
    def choices(self) -> Sequence[Any]:
        """The values that it offers, in its order; none for a box, and for several values at once."""
        setting, options = self.setting, self.options
        match setting.kind:
            case "toggle":
                return False, True
            case "pills" | "selectbox" | "select_slider":
                return tuple(options.get("options", setting.options))
            case "slider":
                return range(int(setting.low), int(options.get("high", setting.high)) + 1, options.get("step", 1))
        return ()

    @property
    def is_number_box(self) -> bool:
        """Whether its widget is a number box."""
        return self.setting.kind in ("int", "float")

    def steps_from(self, now: float | None, most: int) -> list[float]:
        """Return at most `most` values to which the steps of a number box lead, the nearest first; none if it is empty.

        A step begins at the number that the box shows, which may have fewer digits than its value, and adds as
        Streamlit's box does, in whole multiples of the step's last digit.
        """
        if now is None:
            return []
        low, high = self.setting.low, self.options.get("high", self.setting.high)
        step = self.options.get("step", 1 if self.setting.kind == "int" else 0.01)
        digits = max(0, -int(Decimal(str(step)).normalize().as_tuple().exponent))
        scale, way = 10**digits, round(step * 10**digits)
        written = float(self.options.get("format", f"%0.{digits}f") % now)
        begun = math.floor(written * scale + 0.5)
        ways = (sign * count for count in range(1, most // 2 + 1) for sign in (1, -1))
        found = [(begun + count * way) / scale for count in ways]
        is_whole = self.setting.kind == "int"
        return [int(value) if is_whole else value for value in found if low <= value <= high]

    def fit(self, values: "Values") -> None:
        """Give its setting the value that its widget would give, without drawing it.

        A setting without a value gets the control's default, and a value that is too high or not offered is replaced by
        the nearest that is.
        """
        setting, options = self.setting, self.options
        if (value := values.get(setting, self.default)) is not None:
            choices, high = options.get("options", setting.options), options.get("high", setting.high)
            values[setting] = fitted(setting, value, choices, high, self.default)


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

    def get(self, setting: Setting, default: Any) -> Any:
        """Return the value of a setting; a default of the caller's if it has none."""
        return self._known.get(setting.key, default)

    def __setitem__(self, setting: Setting, value: Any) -> None:
        self._known[setting.key] = value

    def but(self, others: Mapping[Setting, Any]) -> "Values":
        """Return a copy with some other values, which has no log and reports no progress."""
        values = Values(others)
        values._known = self._known | values._known
        return values


def draw_widget(setting: Setting, where: Any = st, **options: Any) -> Any:
    """Draw the setting's widget in `where` and return its value.

    The default is noted in `VisitState.defaults`: a value that equals it stays out of the URL.

    options: properties that the page knows better than the setting.
    """
    choices, high = options.pop("options", setting.options), options.pop("high", setting.high)
    default = options.pop("default", setting.default)
    if default is not None:
        usual = setting.default if setting.default in choices else next(iter(choices), setting.default)
        default = fitted(setting, default, choices, high, usual)
    _settle(setting, choices, high, default)
    if setting.kind == "text":
        options["on_change"], options["args"] = _typed, (setting.key, options.get("on_change"), options.get("args", ()))
    return _draw(setting, where, choices, high, default, options)


def _draw(
    setting: Setting, where: Any, choices: Sequence[str], high: float, default: Any, options: dict[str, Any]
) -> Any:
    common = {"key": setting.key, "persist_state": "session", "help": setting.help or None} | options
    label = common.pop("label", setting.label)
    match setting.kind:
        case "selectbox":
            return where.selectbox(label, choices, index=list(choices).index(default), **common)
        case "pills":
            return _pills(where, label, choices, default, common)
        case "multi_pills":
            return tuple(where.pills(label, choices, selection_mode="multi", default=default, **common))
        case "multiselect":
            return tuple(where.multiselect(label, choices, default=default, **common))
        case "toggle":
            return where.toggle(label, default, **common)
        case "slider":
            return where.slider(label, int(setting.low), int(high), default, **common)
        case "select_slider":
            return where.select_slider(label, choices, default, **common)
        case "int":
            return where.number_input(label, int(setting.low), int(high), default, step=1, **common)
        case "float":
            return where.number_input(label, setting.low, high, default, **common)
        case "text":
            return where.text_input(label, default, **({"live": "50ms"} | common))


def _pills(where: Any, label: str, choices: Sequence[str], default: Any, common: dict[str, Any]) -> Any:
    if len(choices) > MOST_BUTTONS:
        index = None if default is None else list(choices).index(default)
        return where.selectbox(label, choices, index=index, **({"width": LIST_WIDTH} | common))
    return where.pills(label, choices, default=default, required=True, wrap=True, **common)


def _typed(key: str, then: Callable[..., object] | None, args: Sequence[Any]) -> None:
    visit_state().typed = key
    if then is not None:
        then(*args)


def _settle(setting: Setting, choices: Sequence[str], high: float, default: Any) -> None:
    """Give the setting a value that its widget can take, before the widget is drawn.

    A setting that the URL lacks after Back or Forward gets its default, and a choice that still has its former default
    gets the new one, which may change with the model or with another choice. A value that is no longer available, such
    as a layer of a larger model, is replaced by the nearest that is.
    """
    state, key, visit = st.session_state, setting.key, visit_state()
    before = visit.defaults.get(key, default)
    visit.defaults[key] = default
    if key in visit.reset and key not in state:
        state[key] = default
    visit.reset.discard(key)
    if setting.kind in ("pills", "selectbox") and before != default and state.get(key) == before:
        state[key] = default
    value = state.get(key)
    if value is not None and (mended := fitted(setting, value, choices, high, default)) is not value:
        state[key] = mended


def fitted(setting: Setting, value: Any, choices: Sequence[str], high: float, default: Any) -> Any:
    """Return the value if the widget offers it and it is not too high, else the nearest value that fits.

    If an option is missing because the list of options was shortened, that is the last choice, else the default. Of
    several options those that are available stay.
    """
    if setting.kind in ("selectbox", "pills", "select_slider") and value not in choices:
        shortened = tuple(choices) == setting.options[: len(choices)]
        return choices[-1] if shortened and value in setting.options else default
    if setting.kind in ("multi_pills", "multiselect") and not set(value) <= set(choices):
        return [option for option in value if option in choices]
    return int(high) if setting.kind in ("int", "slider") and value > high else value
