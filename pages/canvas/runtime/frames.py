"""Put other states of a drawing into its data, so that the browser can show them without asking the server.

A frame is the drawing for other values of some settings, such as another layer and head. The data hold the drawing as
it is now, and of each frame only what differs. `frames.js` puts a frame together again.
"""

import json
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol

import numpy as np

from pages.canvas.runtime.click_answers import Answers
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.pack import pack

Choice = tuple[Any, ...]  # a value for each of the settings by which frames differ
Controls = Mapping[str, Sequence[Any] | None]  # the values that a control offers, by the key of its setting
NO_CONTROLS: Controls = {}
Path = tuple[str | int, ...]  # of keys and indices
MAX_CLICKS = 100  # on a drawing, to be written out for each of its frames
FAST = 1  # of the levels of zlib


class Drawn(Protocol):
    """A drawing, or a snapshot of one: its data, and the settings that clicks change."""

    def unpacked(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return the meta and the arrays of its data."""

    def answers(self) -> Answers:
        """Return the settings that each click changes."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The parts of a drawing that are kept, to make a frame of it later."""

    meta: dict[str, Any]
    arrays: dict[str, np.ndarray]
    clicks: Answers

    def unpacked(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return self.meta, self.arrays

    def answers(self) -> Answers:
        return self.clicks


def snapshot(drawing: CanvasDrawing, like: CanvasDrawing) -> Snapshot:
    """Return a snapshot of a drawing; if the drawing has more than MAX_CLICKS cells, without the effects of clicks.

    like: the same drawing in another state; arrays that do not differ are kept once.
    """
    (meta, arrays), (_, known) = drawing.unpacked(), like.unpacked()
    shared = {name: known[name] if _same(array, known.get(name)) else array for name, array in arrays.items()}
    is_large = sum(1 for _ in islice(drawing.picks(), MAX_CLICKS + 1)) > MAX_CLICKS
    return Snapshot(meta, shared, {} if is_large else drawing.answers())


@dataclass(frozen=True)
class Frames:
    """The states of one drawing for several values of settings.

    keys: the keys of the settings.
    choices: the values of each frame.
    meta: the meta of the first frame.
    differences: the differences of each frame from the first.
    arrays: the arrays of the first frame.
    packed: the arrays in which other frames differ, by the names that their differences have for them.
    alone: whether no server answers clicks.
    """

    keys: tuple[str, ...]
    choices: tuple[Choice, ...]
    meta: Mapping[str, Any]
    differences: Sequence[Mapping[str, Any]]
    arrays: Mapping[str, np.ndarray]
    packed: Mapping[str, np.ndarray]
    alone: bool = False

    def data(self, at: Choice) -> bytes:
        """Return the packed data of the drawing with its frames.

        In them, `meta.frames` holds `keys` and `at`, `served`, whether a server answers clicks, and in `list` for each
        frame:
          choice: its values.
          changes: where its meta differs from that of the first, as pairs of a path and a value.
          arrays: the names under which the arrays that differ are packed, by their own names.
          gone: the names of arrays that it lacks.
        `meta.answers` holds by the name of an event, then by its value as JSON, the settings that a click changes.

        at: the values now.
        """
        frames = _frames_meta(self.keys, at, NO_CONTROLS, 0) | {
            "served": not self.alone,
            "list": list(self.differences),
        }
        return pack({**self.meta, "frames": frames}, {**self.arrays, **self.packed})

    def differing(self, at: Choice, controls: Controls, about: int, of: str, number: int) -> bytes:
        """Return the packed data of the frames without the drawing, for a browser that has drawn the first of them.

        at: the values now.
        controls: by the key of a setting, the values that its control on the page offers, in order; None for a slider.
        about: names what the frames are drawn for.
        of, number: the key of the drawing, and the number of the data that it was drawn from.
        """
        frames = _frames_meta(self.keys, at, controls, about) | {"list": list(self.differences)}
        return pack({"of": of, "number": number, "answers": self.meta["answers"], "frames": frames}, self.packed)

    def only(self, choices: Collection[Choice]) -> "Frames":
        """Return the frames of these choices alone, among which the first must be."""
        kept = [place for place, choice in enumerate(self.choices) if choice in choices]
        differences = [self.differences[place] for place in kept]
        used = {name for difference in differences for name in difference["arrays"].values()}
        packed = {name: array for name, array in self.packed.items() if name in used}
        return replace(
            self, choices=tuple(self.choices[place] for place in kept), differences=differences, packed=packed
        )


def framed(
    keys: tuple[str, ...],
    drawings: Mapping[Choice, Drawn],
    alone: bool = False,
    max_bytes: int | None = None,
    scope: str = "",
) -> Frames:
    """Return the states of a drawing.

    keys: the keys of the settings by which they differ.
    drawings: the drawing by the values of these settings, the most important first; of other values it has no frame.
    alone: whether no server answers clicks, so that those that lead to no frame are not offered.
    max_bytes: the most bytes in which all others can be sent to a browser that has the first; those from the first that
        does not fit are left out. None for no limit.
    scope: begins all keys in the data, so that other drawings in the same file choose for themselves.
    """
    offered = drawings if alone else None
    answers = [_answers(keys, choice, drawing, offered, scope) for choice, drawing in drawings.items()]
    states = [_state(drawing, clicks, alone, scope) for drawing, clicks in zip(drawings.values(), answers, strict=True)]
    (meta, arrays), *_ = states
    packed: dict[str, np.ndarray] = {}
    names: dict[Any, str] = {}  # of the arrays that are packed, by their content
    differences: list[dict[str, Any]] = []
    weighed = zlib.compressobj(level=FAST)
    nbytes = 0
    for choice, (other_meta, other_arrays) in zip(drawings, states, strict=True):
        own, added = {}, {}
        for name, array in other_arrays.items():
            if not _same(array, arrays.get(name)):
                content = array.dtype.char, array.shape, array.tobytes()
                own[name] = names.setdefault(content, f"{name}@{len(differences)}")
                if own[name] not in packed:
                    added[own[name]] = array
        changes = [[list(path), value] for path, value in _changes(meta, other_meta)]
        gone = [name for name in arrays if name not in other_arrays]
        difference = {"choice": list(choice), "changes": changes, "arrays": own, "gone": gone}
        if max_bytes is not None:
            nbytes += sum(len(weighed.compress(block)) for block in _blocks(difference, added))
            nbytes += len(weighed.flush(zlib.Z_SYNC_FLUSH))
            if nbytes > max_bytes and differences:
                break
        packed |= added
        differences.append(difference)
    scoped = tuple(scope + key for key in keys)
    return Frames(scoped, tuple(drawings)[: len(differences)], meta, differences, arrays, packed, alone)


def at_now(drawing: CanvasDrawing, keys: tuple[str, ...], at: Choice, controls: Controls, about: int) -> bytes:
    """Return the data of a drawing whose frames the browser already has, if these are still valid.

    keys: the keys of the settings by which the frames differ.
    at, controls, about: as in `Frames.data`.
    """
    meta, arrays = drawing.unpacked()
    return pack({**meta, "answers": {}, "frames": _frames_meta(keys, at, controls, about)}, arrays)


def _frames_meta(keys: tuple[str, ...], at: Choice, controls: Controls, about: int) -> dict[str, Any]:
    held = {key: None if offered is None else list(offered) for key, offered in controls.items()}
    return {"keys": list(keys), "at": list(at), "controls": held, "about": about, "served": True, "list": None}


def _answers(
    keys: tuple[str, ...], at: Choice, drawing: Drawn, offered: Collection[Choice] | None, scope: str
) -> Answers:
    """Return the settings that each click changes, for the clicks that change no settings but these.

    at: the current values.
    offered: only clicks that lead to one of these; None for all.
    """

    def leads(settings: Mapping[str, Any]) -> bool:
        to = tuple(settings.get(key, old) for key, old in zip(keys, at, strict=True))
        return settings.keys() <= set(keys) and (offered is None or to in offered)

    answers = drawing.answers()
    if scope:
        return {click: _scoped(settings, scope) for click, settings in answers.items() if leads(settings)}
    return {click: settings for click, settings in answers.items() if leads(settings)}


def _scoped(settings: Mapping[str, Any], scope: str) -> dict[str, Any]:
    return {scope + key: value for key, value in settings.items()}


def _state(drawing: Drawn, answers: Answers, alone: bool, scope: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the meta, with the answers, and the arrays of a drawing; alone, one without answers has no clicks."""
    if alone and not answers and isinstance(drawing, CanvasDrawing) and not drawing.follows:
        drawing = drawing.read_only()
    meta, arrays = drawing.unpacked()
    if scope and (opened := meta.get("openCell")):
        meta = {**meta, "openCell": {**opened, "keys": [key and scope + key for key in opened["keys"]]}}
    return {**meta, "answers": {"pick": answers}}, arrays


def _blocks(difference: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Iterator[bytes]:
    yield json.dumps(difference, ensure_ascii=False).encode()
    yield from (array.tobytes() for array in arrays.values())


def _same(array: np.ndarray, other: np.ndarray | None) -> bool:
    return other is not None and array.dtype == other.dtype and np.array_equal(array, other)


def _changes(value: Any, other: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each difference of `other` from `value`: its path, and the value there in `other`."""
    if value == other:
        return
    if isinstance(value, dict) and isinstance(other, dict) and value.keys() == other.keys():
        for key in value:
            yield from _changes(value[key], other[key], (*path, key))
    elif isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        for index, (old, new) in enumerate(zip(value, other, strict=True)):
            yield from _changes(old, new, (*path, index))
    else:
        yield path, other
