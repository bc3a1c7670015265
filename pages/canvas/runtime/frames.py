"""Put other states of a drawing into its data, so that the browser can show them without asking the server.

A frame is the drawing for other values of some settings, such as another layer and head. The data hold the drawing as
it is now, and of each frame only what differs. `frames.js` puts a frame together again.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.pack import pack

Choice = tuple[Any, ...]  # a value for each of the settings by which frames differ
Path = tuple[str | int, ...]  # of keys and indices
MAX_CLICKS = 100  # on a drawing, to be written out for each of its frames


@dataclass(frozen=True)
class Frames:
    """The states of one drawing for several values of settings.

    keys: the keys of the settings.
    choices: the values of each frame.
    meta: of the first frame.
    differences: of each frame from the first.
    arrays: of the first frame.
    packed: the arrays in which other frames differ, by the names that their differences have for them.
    """

    keys: tuple[str, ...]
    choices: tuple[Choice, ...]
    meta: Mapping[str, Any]
    differences: Sequence[Mapping[str, Any]]
    arrays: Mapping[str, np.ndarray]
    packed: Mapping[str, np.ndarray]

    def data(self, at: Choice) -> bytes:
        """Return the packed data of the drawing with its frames.

        In them, `meta.frames` holds `keys` and `at` as given, and in `list` for each frame:
          choice: its values.
          changes: where its meta differs from that of the first, as pairs of a path and a value.
          arrays: the names under which the arrays that differ are packed, by their own names.
          gone: the names of arrays that it lacks.
        `meta.answers` holds by the name of an event, then by its value as JSON, the settings that a click changes.

        at: the values now.
        """
        frames = {"keys": list(self.keys), "at": list(at), "list": list(self.differences)}
        return pack({**self.meta, "frames": frames}, {**self.arrays, **self.packed})


def framed(
    keys: tuple[str, ...], drawings: Mapping[Choice, CanvasDrawing], alone: bool = False, max_bytes: int | None = None
) -> Frames:
    """Return the states of a drawing.

    keys: the keys of the settings by which they differ.
    drawings: the drawing by the values of these settings, the most important first; of other values it has no frame.
    alone: whether no server answers clicks, so that those that lead to no frame are not offered.
    max_bytes: the most bytes of all frames; those from the first that does not fit are left out. None for no limit.
    """
    if alone:
        drawings = {
            choice: drawing if _answers(keys, choice, drawing, drawings) else drawing.read_only()
            for choice, drawing in drawings.items()
        }
    (base, (meta, arrays)), *_ = [(drawing, drawing.unpacked()) for drawing in drawings.values()]
    first = _answers(keys, next(iter(drawings)), base, drawings if alone else None)
    is_large = not alone and sum(1 for _ in islice(base.picks(), MAX_CLICKS + 1)) > MAX_CLICKS
    packed: dict[str, np.ndarray] = {}
    names: dict[tuple[Any, ...], str] = {}  # of the arrays that are packed, by their content
    differences: list[dict[str, Any]] = []
    left = math.inf if max_bytes is None else max_bytes - sum(array.nbytes for array in arrays.values())
    for number, (choice, drawing) in enumerate(drawings.items()):
        other_meta, other_arrays = drawing.unpacked()
        own, added = {}, {}
        for name, array in other_arrays.items():
            if not _same(array, arrays.get(name)):
                own[name] = names.setdefault((array.dtype.char, array.shape, array.tobytes()), f"{name}@{number}")
                if own[name] not in packed:
                    added[own[name]] = array
        changes = [[list(path), value] for path, value in _changes(meta, other_meta)]
        if drawing is not base:
            answers = {} if is_large else _answers(keys, choice, drawing, drawings if alone else None)
            changes += [] if answers == first else [[["answers"], {"pick": answers}]]
        left -= sum(array.nbytes for array in added.values()) + len(json.dumps(changes))
        if left < 0 and differences:
            break
        packed |= added
        gone = [name for name in arrays if name not in other_arrays]
        differences.append({"choice": list(choice), "changes": changes, "arrays": own, "gone": gone})
    held = tuple(drawings)[: len(differences)]
    return Frames(keys, held, {**meta, "answers": {"pick": first}}, differences, arrays, packed)


def without_frames(drawing: CanvasDrawing) -> bytes:
    """Return the packed data of a drawing with no frame but itself, for a browser that may ask for more."""
    meta, arrays = drawing.unpacked()
    itself: dict[str, Any] = {"choice": [], "changes": [], "arrays": {}, "gone": []}
    return pack(meta | {"answers": {}, "frames": {"keys": [], "at": [], "more": True, "list": [itself]}}, arrays)


def _answers(
    keys: tuple[str, ...], at: Choice, drawing: CanvasDrawing, offered: Collection[Choice] | None
) -> dict[str, Mapping[str, Any]]:
    """Return the settings that each click changes, of clicks that change these settings alone.

    at: the values of now.
    offered: only clicks that lead to one of these; None for all.
    """

    def leads(settings: Mapping[str, Any]) -> bool:
        to = tuple(settings.get(key, old) for key, old in zip(keys, at, strict=True))
        return settings.keys() <= set(keys) and (offered is None or to in offered)

    return {click: settings for click, settings in drawing.answers().items() if leads(settings)}


def _same(array: np.ndarray, other: np.ndarray | None) -> bool:
    return other is not None and array.dtype == other.dtype and np.array_equal(array, other)


def _changes(value: Any, other: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield where `other` differs from `value`: each path with what stands there in `other`."""
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
