"""The controls among what a server has sent: what each holds, and another value that it takes."""

from random import Random
from typing import Any

from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

Value = Any  # a list of texts or of numbers, a text, a number, a switch, or None: as Streamlit's protocol has it
WORDS = ("river", "music", "paris", "walked", "seven", "happy")
NEAR = 8  # steps that a slider or a number is moved at most


def holds(kind: str, proto: Any) -> Value:
    """What a control holds when it comes, or what the server has set it to."""
    match kind:
        case "button_group" | "multiselect":
            options = _options(kind, proto)
            return list(proto.raw_values) if proto.set_value else [options[place] for place in proto.default]
        case "slider" if proto.type == Slider.SELECT_SLIDER:
            return list(proto.raw_value) if proto.set_value else [proto.options[int(place)] for place in proto.default]
        case "slider":
            return list(proto.value if proto.set_value else proto.default)
        case "selectbox" | "radio":
            if proto.set_value:
                return str(proto.raw_value) if proto.HasField("raw_value") else None
            return proto.options[proto.default] if proto.options and proto.HasField("default") else None
        case _:  # a number, a text or a switch
            name = "value" if proto.set_value else "default"
            return getattr(proto, name) if kind == "checkbox" or proto.HasField(name) else None


def other(kind: str, proto: Any, value: Value, draw: Random, texts: tuple[str, ...]) -> Value:
    """Another value that the control takes, drawn; the same where there is no other. texts: to write into boxes."""
    match kind:
        case "button_group" | "multiselect" if kind == "multiselect" or proto.click_mode == proto.MULTI_SELECT:
            changed = draw.choice(_options(kind, proto) or [""])
            return [each for each in _options(kind, proto) if (each in (value or ())) != (each == changed)]
        case "button_group":
            return [_another(_options(kind, proto), next(iter(value), None), draw)]
        case "slider" if proto.type == Slider.SELECT_SLIDER:
            return [_another(list(proto.options), value[0], draw)]
        case "slider":
            return [_moved(value[0], proto.min, proto.max, proto.step, draw)]
        case "selectbox" | "radio":
            return _another(list(proto.options), value, draw)
        case "number_input":
            low, high = (proto.min if proto.has_min else 0), (proto.max if proto.has_max else 1e6)
            return _moved(low if value is None else float(value), low, high, proto.step, draw)
        case "text_input":
            return _another(list(texts if " " in str(value or "") else WORDS), value, draw)
    return value


def state_of(name: str, kind: str, value: Value) -> WidgetState:
    """The value as a browser sends it. name: the widget's id."""
    state = WidgetState(id=name)
    if value is None:
        return state
    if isinstance(value, list):
        field = state.double_array_value if kind == "slider" and _numbers(value) else state.string_array_value
        field.data.extend(value)
    elif kind == "checkbox":
        state.bool_value = bool(value)
    elif kind == "number_input":
        state.double_value = float(value)
    else:
        state.string_value = str(value)
    return state


def _options(kind: str, proto: Any) -> list[str]:
    return [each.content for each in proto.options] if kind == "button_group" else list(proto.options)


def _another(options: list[str], value: Any, draw: Random) -> Any:
    others = [each for each in options if each != value]
    return draw.choice(others) if others else value


def _moved(value: float, low: float, high: float, step: float, draw: Random) -> float:
    steps = [steps for steps in range(-NEAR, NEAR + 1) if steps and low <= value + steps * step <= high]
    return value + draw.choice(steps) * step if steps else value


def _numbers(values: list[Any]) -> bool:
    return not any(isinstance(each, str) for each in values)
