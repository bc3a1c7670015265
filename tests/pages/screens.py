"""What a view would put on the screen, called as the shell calls it, and other values of its controls."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from core.tracing.run import Run
from pages.compute import cache
from pages.shell.model_choice import default_example
from pages.shell.page import Page
from pages.shell.run_plan import DEFAULTS, make_run, with_own_target
from pages.shell.settings import RANDOM_WEIGHTS, TARGET
from pages.shell.view import View
from pages.widgets import Control, TextArea, Values

Settled = dict[str, Control]


def opened_run(page: Page, text: str = "", model: str = "", **others: Any) -> Run:
    """The run that a page opens with, of another text or model, or with other settings, where they are given."""
    name = model or page.model or RANDOM_WEIGHTS
    first = default_example(page, page.model or RANDOM_WEIGHTS)
    trained = None if name == RANDOM_WEIGHTS else cache.trained(name)
    chosen = DEFAULTS | {"kind": page.architectures[-1]} | others
    return with_own_target(make_run(chosen, text or first.text, "" if trained else TARGET.default, trained))


def screen(page: Page, view: View, run: Run, values: Values, digits: int | None = None) -> tuple[str, Settled]:
    """A fingerprint of what the view shows, and its controls with the page's; with digits, its numbers are rounded."""
    asked = settle(page.controls(run, values), values)
    subject = page.subject(run, values)
    above = page.above(subject, values)
    asked |= settle(view.controls(subject, values), values)
    aside = view.aside(subject, values) if view.aside else ()
    shown = replace(view.show(subject, values), source=())
    return fingerprint((above, aside, shown), digits), asked


def settle(controls: Iterable[Control], values: Values) -> Settled:
    """What drawing the controls makes of the values, each before the next is made."""
    asked = {}
    for control in controls:
        setting = control.setting
        asked[setting.key] = control
        if values[setting] == setting.default:
            values[setting] = control.default
        control.fit(values)
    return asked


def others(control: Control, value: Any) -> Iterator[Any]:
    """Other values than this one that a visitor can give the control, those first that should show most."""
    setting, options = control.setting, control.options
    choices, high = list(options.get("options", setting.options)), options.get("high", setting.high)
    match setting.kind:
        case "selectbox" | "pills" | "select_slider":
            yield from (each for each in [choices[-1], *choices] if each != value)
        case "multi_pills" | "multiselect":
            some = (tuple(choices[-1:]), tuple(choices[:1]), tuple(choices[:2]))
            yield from (each for each in some if each != tuple(value or ()))
        case "toggle":
            yield not value
        case "text":
            yield from (each for each in ("the cat", "river", "spring", "a") if each != value)
        case _:
            low, start = setting.low, value if value is not None else setting.low
            found = (start + 1, start - 1, low, high, (low + high) / 2, low + 1, start * 1.5)
            whole = setting.kind != "float"
            yield from (int(each) if whole else float(each) for each in found if low <= each <= high and each != value)


def fingerprint(value: Any, digits: int | None = None) -> str:
    """A sum over all that is seen of parts: their numbers and words, not what happens at a click.

    digits: to how many figures numbers are rounded; None for all of their bits.
    """
    total = sha256()
    _add(total.update, value, digits)
    return total.hexdigest()


def _rounded(value: Any, digits: int) -> Any:
    """A number or numbers written with so many figures; all else as it is."""
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.char.mod(f"%.{digits}g", np.ma.getdata(value))
    return value


def _add(add: Callable[[bytes], None], value: Any, digits: int | None) -> None:
    value = _rounded(value, digits) if digits else value
    if isinstance(value, np.ndarray):
        add(f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(np.ma.getdata(value)).tobytes())
    elif isinstance(value, TextArea):
        _add(add, (value.label, value.text, value.parts(value.text)), digits)
    elif is_dataclass(value) and not isinstance(value, type):
        add(type(value).__name__.encode())
        for name in (field.name for field in fields(value)):
            _add(add, getattr(value, name), digits)
    elif isinstance(value, Mapping):
        for key in value:
            _add(add, (key, value[key]), digits)
    elif isinstance(value, list | tuple | range | set | frozenset):
        add(f"{len(value)}".encode())
        for each in value:
            _add(add, each, digits)
    elif isinstance(value, str | int | float | bool | bytes | np.generic | Path | None):
        add(repr(value).encode())
    elif hasattr(value, "to_dict") and not callable(value):
        _add(add, value.to_dict(), digits)
    elif not callable(value):
        raise TypeError(f"a part holds {type(value)}")
