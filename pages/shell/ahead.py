"""Send the browser the drawings after each click that may come next, so that it draws the answer without the server."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from time import perf_counter
from typing import Any

from core.tracing.run import Run
from pages.canvas.runtime.asked import drawn_states, take_frames_wish
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.frames import Choice, framed, without_frames
from pages.compute.run_slots import run_slots
from pages.shell.page import Page
from pages.shell.parts import drawings_in, with_data
from pages.shell.saved.frames import shown_at
from pages.shell.view import Shown, View
from pages.widgets import PLACE, Setting, Values

MAX_FRAMES = 96
MAX_BYTES = 160_000  # that are sent ahead for one drawing
MAX_SECONDS = 0.4  # for states that are drawn in one run of the script
MAX_KEPT_BYTES = 1_000_000  # of drawn states, for each visitor
MAX_CLICKS = 20_000  # on one drawing: of larger ones the last cells are left to the server
Drawings = Mapping[str, CanvasDrawing]  # by their keys


def with_frames(page: Page, view: View, run: Run, values: Values, shown: Shown) -> Shown:
    """Return the parts of a view with drawings that the browser can also draw as they are after a click.

    A drawing gets these frames when the visitor's pointer has come near it; before that it says only that there are
    some. Drawings whose frames would be too large get none.
    """
    is_asked = take_frames_wish()
    if not view.answers_ahead:
        return shown
    if not is_asked:
        return replace(shown, pictures=with_data(shown.pictures, without_frames))
    settings = {setting.key: setting for setting in (*page.all_settings, *PLACE)}
    clicks = _foretold(_clicks(shown, settings))
    varied = tuple(setting for key, setting in settings.items() if any(key in click for click in clicks))
    at = tuple(values[setting] for setting in varied)
    others = dict.fromkeys(tuple(click.get(setting.key, values[setting]) for setting in varied) for click in clicks)
    states = _drawn(page, view, run, values, shown, varied, [at, *others])
    keys = tuple(setting.key for setting in varied)

    def data_of(drawing: CanvasDrawing) -> bytes | None:
        drawings = {choice: drawn[drawing.key] for choice, drawn in states.items() if drawing.key in drawn}
        frames = framed(keys, drawings, max_bytes=MAX_BYTES)
        return frames.data(at) if len(frames.choices) == len(drawings) else None

    return replace(shown, pictures=with_data(shown.pictures, data_of))


def _clicks(shown: Shown, settings: Collection[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the settings that clicks on the drawings change, if all of them are of this page."""
    for drawing in _canvas_drawings(shown).values():
        for _, click in islice(drawing.picks(), MAX_CLICKS):
            if isinstance(click, Mapping) and click and click.keys() <= set(settings):
                yield click


def _foretold(clicks: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return different clicks, of kinds that are few enough to draw all of a kind."""
    kinds: dict[frozenset[str], dict[tuple[Any, ...], Mapping[str, Any]]] = {}
    for click in clicks:
        kinds.setdefault(frozenset(click), {})[tuple(click.items())] = click
    foretold: list[Mapping[str, Any]] = []
    for kind in kinds.values():
        if len(foretold) + len(kind) <= MAX_FRAMES:
            foretold += kind.values()
    return foretold


def _drawn(
    page: Page,
    view: View,
    run: Run,
    values: Values,
    shown: Shown,
    varied: tuple[Setting, ...],
    choices: list[Choice],
) -> dict[Choice, Drawings]:
    """Return the drawings at each of these values of the varied settings, as far as the time allows.

    shown: the parts at the first of them.
    """
    known = (*page.all_settings, *PLACE)
    states = drawn_states((page.address, view.name, run))
    first, *others = choices
    drawn, used, end = {first: _canvas_drawings(shown)}, dict[Hashable, Drawings](), perf_counter() + MAX_SECONDS
    left = MAX_KEPT_BYTES
    for choice in others:
        run_slots().make_way()
        other = values.but(dict(zip(varied, choice, strict=True)))
        state = tuple(_hashable(other[setting]) for setting in known)
        if state not in states and (perf_counter() > end or left < 0):
            continue
        used[state] = states[state] if state in states else _drawings_at(page, view, run, other)
        left -= sum(drawing.nbytes for drawing in used[state].values())
        if used[state]:
            drawn.setdefault(choice, used[state])
    states.clear()
    states.update(used)
    return drawn


def _drawings_at(page: Page, view: View, run: Run, values: Values) -> Drawings:
    with suppress(ValueError):
        return _canvas_drawings(shown_at(page, view, run, values)[1])
    return {}


def _canvas_drawings(shown: Shown) -> Drawings:
    return {part.key: part for part in drawings_in(shown.pictures) if isinstance(part, CanvasDrawing)}


def _hashable(value: Any) -> Hashable:
    return tuple(value) if isinstance(value, list) else value
