"""The states of a view that a saved page can show: its parts for other values of a few settings."""

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from time import perf_counter
from typing import Any

from core.tracing.run import Run
from pages.canvas.runtime.frames import Choice
from pages.compute.run_slots import run_slots
from pages.shell.page import Page
from pages.shell.parts import drawings_in
from pages.shell.view import Shown, View
from pages.widgets import HEAD, LAYER, Control, JobNeeded, Setting, Values, no_new_jobs

FIRST_KEYS = (LAYER.key, HEAD.key)  # of the settings by which frames differ


@dataclass(frozen=True)
class ViewFrames:
    """The parts of a view at several values of its settings, for a saved page that can switch between them.

    settings: those by which the frames differ, each with its values in order.
    at: their values now.
    shown: the parts by the values.
    followed: the values now of the settings that drawings follow by themselves, by their keys.
    elsewhere: the parts at other values of these; None if no drawing follows any.
    """

    settings: Mapping[Setting, tuple[Any, ...]]
    at: Choice
    shown: Mapping[Choice, Shown]
    followed: Mapping[str, Any] = field(default_factory=dict)
    elsewhere: Shown | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the settings."""
        return tuple(setting.key for setting in self.settings)


def frames_of(page: Page, view: View, run: Run, values: Values, max_frames: int, max_seconds: float) -> ViewFrames:
    """Return a view for all values of as many of its settings as `max_frames` and `max_seconds` allow.

    The layer and the head come first, then other settings that a click on a drawing changes, then those of its controls
    that offer a choice. A value at which the view cannot be shown is left out. A view that takes long is shown only as
    it is now.

    Raises ValueError if the view cannot be shown as it is now.
    """
    slots = run_slots()
    begun = perf_counter() - slots.waited()
    controls, now = shown_at(page, view, run, values)
    fit = 1 if view.seconds else max_frames
    settings: dict[Setting, tuple[Any, ...]] = {}
    many = 1
    for setting, options in _candidates(controls, now, values):
        if len(options) > 1 and many * len(options) <= fit:
            settings[setting], many = options, many * len(options)
    at = tuple(values[setting] for setting in settings)
    shown = {at: now}
    for choice in product(*settings.values()):
        slots.make_way()  # for others, whose runs are short
        if perf_counter() - slots.waited() - begun > max_seconds and len(shown) > 1:
            return frames_of(page, view, run, values, len(shown) // 2, max_seconds)
        other = values.but(dict(zip(settings, choice, strict=True)))
        if choice != at and (parts := unasked(page, view, run, other)):
            shown[choice] = parts
    frames = _complete(ViewFrames(settings, at, shown))
    followed = {setting.key: values[setting] for setting in page.all_settings if setting.key in _followed(now)}
    others = {key: value for drawing in drawings_in(now.pictures) for key, value in drawing.elsewhere().items()}
    moved = values.but({setting: others[setting.key] for setting in page.all_settings if setting.key in others})
    return replace(frames, followed=followed, elsewhere=unasked(page, view, run, moved) if others else None)


def _followed(shown: Shown) -> frozenset[str]:
    """Return the keys of the settings that drawings follow by themselves."""
    return frozenset().union(*(drawing.follows for drawing in drawings_in(shown.pictures)))


def _complete(frames: ViewFrames) -> ViewFrames:
    """Return frames for every combination of the values that are left.

    Values without a frame are left out, and then the last setting, until no combination is missing.
    """
    shown = frames.shown
    settings = {
        setting: tuple(value for value in options if any(choice[place] == value for choice in shown))
        for place, (setting, options) in enumerate(frames.settings.items())
    }
    if math.prod(map(len, settings.values())) == len(shown):
        return ViewFrames(settings, frames.at, shown)
    left = dict(list(settings.items())[:-1])
    kept = {choice[:-1]: parts for choice, parts in shown.items() if choice[-1] == frames.at[-1]}
    return _complete(ViewFrames(left, frames.at[:-1], kept))


def shown_at(page: Page, view: View, run: Run, values: Values) -> tuple[list[Control], Shown]:
    """Return the controls and the parts of a view; unfit values are replaced in `values`."""
    controls, subject = controls_at(page, view, run, values)
    return controls, view.show(subject, values)


def unasked(page: Page, view: View, run: Run, values: Values, max_seconds: float = math.inf) -> Shown | None:
    """Return the parts of a view that nobody has asked for.

    They are None if the view cannot be shown with these values, would need another job in the background, or says that
    it takes longer than `max_seconds`.
    """
    with suppress(ValueError, JobNeeded), no_new_jobs():
        _, subject = controls_at(page, view, run, values)
        if view.seconds is None or view.seconds(subject, values) <= max_seconds:
            return view.show(subject, values)
    return None


def controls_at(page: Page, view: View, run: Run, values: Values) -> tuple[list[Control], Any]:
    """Return the controls of a page and a view, and the view's subject; unfit values are replaced in `values`."""
    controls = []
    for control in page.controls(run, values):
        control.fit(values)
        controls.append(control)
    subject = page.subject(run, values)
    for control in view.controls(subject, values):
        control.fit(values)
        controls.append(control)
    return controls, subject


def _candidates(controls: list[Control], shown: Shown, values: Values) -> Iterator[tuple[Setting, tuple[Any, ...]]]:
    """Yield settings with their values, those that a click changes first; each list contains the current value."""
    clicked = _clicked(shown)
    order = sorted(
        controls, key=lambda control: (control.setting.key not in FIRST_KEYS, control.setting.key not in clicked)
    )
    followed = _followed(shown)
    for control in order:
        if control.setting.key in followed:
            continue
        offered = () if control.setting.kind == "slider" else control.choices  # a slider has too many
        options = tuple(offered) or clicked.get(control.setting.key, ())
        if values[control.setting] in options:
            yield control.setting, options


def _clicked(shown: Shown) -> dict[str, tuple[Any, ...]]:
    """Return the values that clicks on the drawings give to single settings, by their keys."""
    found: dict[str, dict[Any, None]] = {}
    for drawing in drawings_in(shown.pictures):
        for _, settings in drawing.picks():
            for key, value in settings.items() if isinstance(settings, Mapping) else ():
                if isinstance(value, str | int | float | None):
                    found.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in found.items()}
