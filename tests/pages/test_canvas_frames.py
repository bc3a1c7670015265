"""The other states of a drawing in its data: each frame, put together again, is the drawing of that state."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pages.canvas import HeadGrid, Matrices, Panel
from pages.canvas.runtime.frames import framed
from pages.canvas.runtime.pack import pack, unpack

PATTERNS = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4, 3)).astype(np.float32)  # (layers, heads, 3, 3)
CHOICES = {(str(layer), str(head)): (layer, head) for layer in range(2) for head in range(4)}
KEYS = ("layer", "head")


def matrix(layer: int, head: int) -> Matrices:
    outlines = [(head, None)] if head < 3 else []
    panel = Panel("weights", f"head {head}", PATTERNS[layer, head], outlines=outlines, scale="weight")
    return Matrices([panel], key="m", name=f"layer {layer}")


def grid(layer: int, head: int) -> HeadGrid:
    shades = np.round(PATTERNS * 255).astype(np.uint8)
    sets = lambda layer, head: {"layer": str(layer), "head": str(head)}  # noqa: E731
    return HeadGrid(shades, key="g", name="All heads", selected=(layer, head), sets=sets)


def put_together(data: bytes, number: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What frames.js does."""
    meta, arrays = unpack(data)
    frames = meta.pop("frames")
    frame = frames["list"][number]
    for path, value in frame["changes"]:
        inside: Any = meta
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = value
    own = {name: arrays[packed] for name, packed in frame["arrays"].items()}
    kept = {name: array for name, array in arrays.items() if "@" not in name and name not in frame["gone"]}
    return meta, kept | own


@pytest.mark.parametrize("make", [matrix, grid])
def test_every_frame_is_the_drawing_of_its_choice(make: Any) -> None:
    drawings = {choice: make(*place) for choice, place in CHOICES.items()}
    data = framed(KEYS, drawings).data(("1", "2"))
    for number, (choice, drawing) in enumerate(drawings.items()):
        meta, arrays = put_together(data, number)
        expected_meta, expected = unpack(drawing.packed())
        assert {key: value for key, value in meta.items() if key != "answers"} == expected_meta
        assert arrays.keys() == expected.keys()
        assert all(np.array_equal(arrays[name], expected[name]) for name in expected)
        assert unpack(data)[0]["frames"]["list"][number]["choice"] == list(choice)


def test_what_does_not_differ_is_sent_once() -> None:
    data = framed(KEYS, {choice: grid(*place) for choice, place in CHOICES.items()}).data(("0", "0"))
    meta, arrays = unpack(data)
    assert list(arrays) == ["shades"]
    assert [frame["changes"] for frame in meta["frames"]["list"]] == [
        [] if place == (0, 0) else [[["selected", axis], place[axis]] for axis in range(2) if place[axis]]
        for place in CHOICES.values()
    ]


def test_alone_only_clicks_that_lead_to_a_frame_are_offered() -> None:
    some = {choice: grid(*place) for choice, place in CHOICES.items() if place != (1, 3)}
    meta, _ = unpack(framed(KEYS, some, alone=True).data(("0", "0")))
    answers = {tuple(json.loads(value).values()): settings for value, settings in meta["answers"]["pick"].items()}
    assert answers == {(head, layer): {"layer": str(layer), "head": str(head)} for layer, head in _places(some)}
    nothing, _ = unpack(framed(("layer",), {("0",): grid(0, 0)}, alone=True).data(("0",)))
    assert nothing["answers"] == {"pick": {}} and not nothing["pickable"]


def test_beside_a_server_every_click_on_these_settings_has_its_answer() -> None:
    some = {choice: grid(*place) for choice, place in CHOICES.items() if place != (1, 3)}
    meta, _ = unpack(framed(KEYS, some).data(("0", "0")))
    assert len(meta["answers"]["pick"]) == len(CHOICES)
    other, _ = unpack(framed(("layer",), {("0",): grid(0, 0)}).data(("0",)))
    assert other["answers"] == {"pick": {}} and other["pickable"]


def test_frames_end_where_their_bytes_do() -> None:
    drawings = {choice: matrix(*place) for choice, place in CHOICES.items()}
    sizes = [len(framed(KEYS, drawings, max_bytes=limit).choices) for limit in (0, 400, 10_000)]
    assert sizes[0] == 1 < sizes[1] < sizes[2] == len(drawings)


def test_a_row_whose_cells_change_the_same_has_one_answer() -> None:
    by_row = Matrices(
        [Panel("p", "p", PATTERNS[0, 0], scale="weight")], key="m", name="m", sets=lambda _, row, col: {"r": row}
    )
    assert by_row.answers() == {f'{{"panel":"p","row":{row}}}': {"r": row} for row in range(3)}
    by_column = replace(by_row, sets=lambda _, row, col: {"c": col})
    assert by_column.answers() == {f'{{"col":{col},"panel":"p"}}': {"c": col} for col in range(3)}
    some = replace(by_row, sets=lambda _, row, col: {"c": col} if row == col == 1 else None)
    assert some.answers() == {'{"col":1,"panel":"p","row":1}': {"c": 1}}


def _places(choices: Any) -> list[tuple[int, int]]:
    return [(int(layer), int(head)) for layer, head in choices]


def test_unpack_gives_back_what_was_packed() -> None:
    arrays: dict[str, np.ndarray] = {
        "a": np.arange(5, dtype=np.uint8),
        "b": np.eye(3, dtype=np.float32),
        "c": np.zeros((0, 2), np.float32),
    }
    meta, found = unpack(pack({"name": "x", "list": [1, None]}, arrays))
    assert meta == {"name": "x", "list": [1, None]}
    assert all(np.array_equal(found[name], arrays[name]) and found[name].shape == arrays[name].shape for name in arrays)
