"""Send the browser the drawings for each click that may come next, so that it need not wait for the server."""

from collections.abc import Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

from core.tracing.run import Run
from pages.canvas.runtime.asked import AskedFrames, asked_frames
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.frames import Choice, Snapshot, framed, snapshot
from pages.compute.run_slots import run_slots
from pages.shell.page import Page
from pages.shell.parts import drawings_in, with_data
from pages.shell.saved.frames import shown_at
from pages.shell.view import Shown, View
from pages.widgets import PLACE, Values

MAX_FRAMES = 96
MAX_BYTES = 160_000  # of a drawing with its frames
MAX_SECONDS = 0.1  # for drawing states in one run of the script
MAX_KEPT_BYTES = 1_000_000  # of drawn states, for each visitor
Drawings = Mapping[str, CanvasDrawing]  # by their keys
Snapshots = Mapping[str, Snapshot]  # the same
Click = Mapping[str, Any]  # the values that it gives to settings, by their keys


def with_frames(page: Page, view: View, run: Run, values: Values, shown: Shown) -> Shown:
    """Return the parts of a view with drawings that the browser can also draw as they are after a click.

    These frames come with the answer to a click on a drawing. If a drawing with its frames would be larger than
    MAX_BYTES, none gets any.
    """
    asked = asked_frames()
    if not asked.take() or not view.answers_ahead:
        return shown
    asked.look_at((page.address, view.name, run))
    drawings = _canvas_drawings(shown)
    if asked.are_too_large or any(drawing.nbytes > MAX_BYTES for drawing in drawings.values()):
        return shown
    known = (*page.all_settings, *PLACE)
    clicks = _clicks(drawings, {setting.key for setting in known})
    varied = tuple(setting for setting in known if any(setting.key in click for click in clicks))
    at = tuple(values[setting] for setting in varied)
    others = dict.fromkeys(tuple(click.get(setting.key, values[setting]) for setting in varied) for click in clicks)
    choices = {choice: values.but(dict(zip(varied, choice, strict=True))) for choice in others if choice != at}
    states = _states(page, view, run, drawings, choices, asked)
    keys = tuple(setting.key for setting in varied)
    data = {}
    for key, drawing in drawings.items():
        drawn = {at: drawing} | {choice: snapshots[key] for choice, snapshots in states.items() if key in snapshots}
        frames = framed(keys, drawn, max_bytes=MAX_BYTES)
        if len(frames.choices) < len(drawn):
            asked.are_too_large = True
            return shown
        data[key] = frames.data(at)
    return replace(shown, pictures=with_data(shown.pictures, lambda drawing: data[drawing.key]))


def _clicks(drawings: Drawings, keys: Collection[str]) -> list[Click]:
    """Return the clicks that may come next and that change only the settings with these keys, each once.

    Clicks that change the same settings are left out together if there are too many of them.
    """
    kinds: dict[frozenset[str], dict[tuple[Any, ...], Click]] = {}
    for drawing in drawings.values():
        for click in drawing.answers().values():
            if click.keys() <= set(keys):
                kinds.setdefault(frozenset(click), {})[tuple(click.items())] = click
    clicks: list[Click] = []
    for kind in kinds.values():
        if len(clicks) + len(kind) <= MAX_FRAMES:
            clicks += kind.values()
    return clicks


def _states(
    page: Page, view: View, run: Run, drawings: Drawings, choices: Mapping[Choice, Values], asked: AskedFrames
) -> dict[Choice, Snapshots]:
    """Return what is drawn at each choice, as far as the limits allow.

    drawings: those of now.
    choices: with all values of each.
    asked: holds what was drawn before, and then what is returned.
    """
    drawn: dict[Choice, Snapshots] = {}
    used: dict[Hashable, Snapshots] = {}
    kept = dict[int, int]()  # the bytes of arrays by their identity, because states share them
    end = perf_counter() + MAX_SECONDS
    for choice, values in choices.items():
        run_slots().make_way()
        state = tuple(_hashable(values[setting]) for setting in (*page.all_settings, *PLACE))
        if state in asked.states:
            used[state] = asked.states[state]
        elif perf_counter() < end and sum(kept.values()) < MAX_KEPT_BYTES:
            used[state] = _snapshots(page, view, run, values, drawings)
        else:
            continue
        drawn[choice] = used[state]
        kept |= {id(array): array.nbytes for held in used[state].values() for array in held.arrays.values()}
    asked.states = used
    return drawn


def _snapshots(page: Page, view: View, run: Run, values: Values, drawings: Drawings) -> Snapshots:
    """Return what to keep of the view's drawings at these values; nothing if it cannot be shown there."""
    with suppress(ValueError):
        others = _canvas_drawings(shown_at(page, view, run, values)[1])
        return {key: snapshot(drawing, drawings[key]) for key, drawing in others.items() if key in drawings}
    return {}


def _canvas_drawings(shown: Shown) -> Drawings:
    return {part.key: part for part in drawings_in(shown.pictures) if isinstance(part, CanvasDrawing)}


def _hashable(value: Any) -> Hashable:
    return tuple(value) if isinstance(value, list) else value
