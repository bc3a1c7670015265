"""Put other states of a drawing into its data, so that the browser can show them without asking the server.

A frame is the drawing for other values of some settings, such as another layer and head. The data hold the drawing as
it is now, and of each frame only what differs. `frames.js` puts a frame together again.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.pack import pack, unpack

Choice = tuple[Any, ...]  # a value for each of the settings by which frames differ
Path = tuple[str | int, ...]  # of keys and indices


def framed(keys: tuple[str, ...], at: Choice, drawings: Mapping[Choice, CanvasDrawing]) -> bytes:
    """Pack a drawing together with frames: the same drawing at other settings, which the browser can show by itself.

    keys: the keys of the settings by which the frames differ.
    at: the current values of these settings.
    drawings: the drawing for each combination of values that has a frame.

    The packed `meta.frames` holds `keys` and `at` as given, and `list`, with for each frame:
      choice: its values of the settings.
      changes: the entries of meta that differ from the current drawing's, as pairs of a path and a value.
      arrays: for each array that differs, the name under which its values are packed.
      gone: the names of the arrays that the frame lacks.
    `meta.answers` maps the name of an event, then its value as JSON, to the number of the frame that a click shows.
    """
    numbers = {choice: number for number, choice in enumerate(drawings)}
    states = {choice: _state(drawing, keys, choice, numbers) for choice, drawing in drawings.items()}
    meta, arrays = states.get(at) or next(iter(states.values()))
    packed, frames = dict(arrays), []
    for choice, (other_meta, other_arrays) in states.items():
        named = {
            name: f"{name}@{numbers[choice]}"
            for name, array in other_arrays.items()
            if not _same(array, arrays.get(name))
        }
        packed |= {named[name]: other_arrays[name] for name in named}
        frames.append(
            {
                "choice": list(choice),
                "changes": [[list(path), value] for path, value in _changes(meta, other_meta)],
                "arrays": named,
                "gone": [name for name in arrays if name not in other_arrays],
            }
        )
    return pack(meta | {"frames": {"keys": list(keys), "at": list(at), "list": frames}}, packed)


def _state(
    drawing: CanvasDrawing, keys: tuple[str, ...], at: Choice, numbers: Mapping[Choice, int]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the meta, with `answers`, and the arrays of a drawing; nothing can be clicked that has no answer."""
    picks = {}
    for value, settings in drawing.picks():
        if isinstance(settings, Mapping) and settings and settings.keys() <= set(keys):
            choice = tuple(settings.get(key, old) for key, old in zip(keys, at, strict=True))
            if choice in numbers:
                picks[json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)] = numbers[choice]
    meta, arrays = unpack((drawing if picks else drawing.read_only()).packed())
    return meta | {"answers": {"pick": picks}}, arrays


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
