"""What a canvas is sent and what it may send back: the bytes, the panels' own rules, the picks."""

import posixpath
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pages.canvas.head_grid.head_grid import HeadGrid, valid_head
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.canvas.runtime import modules
from pages.canvas.runtime.clicks import sent, valid_pick
from pages.canvas.runtime.pack import pack
from tests.pages.screen import unpack

HOSTILE = ["<script>alert(1)</script>", "\u202eקטה", "👩‍👩‍👧", 'a"\\\n\0']


shapes = arrays.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5)


@given(arrays.arrays(np.uint8, shapes), arrays.arrays(np.float32, shapes), st.text())
def test_bytes_round_trip(small: np.ndarray, large: np.ndarray, text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    meta, found = unpack(pack({"text": text}, {"small": small, "large": large}))
    assert meta == {"text": text}
    assert found["small"].dtype == np.uint8
    np.testing.assert_array_equal(found["small"], small)
    np.testing.assert_array_equal(found["large"], large)


def test_panels_travel_with_labels_and_masks() -> None:
    values = np.array([[0.5, -np.inf], [-2.0, 1.0], [0, 0], [1, 1]])
    panel = Panel("s", "S", values, rows=HOSTILE, outlines=[(1, None)], selected=(0, 1), tint="q")
    meta, found = unpack(Matrices([panel], key="k", name="scores").packed())
    assert meta["panels"][0]["rows"] == HOSTILE
    assert meta["panels"][0]["outlines"] == [[1, None]]
    assert meta["panels"][0]["limit"] == 2.0, "the largest finite value, not infinity"
    np.testing.assert_array_equal(found["0"], values.astype(np.float32))


def test_limit_is_never_zero_or_infinite() -> None:
    for values in (np.zeros((2, 2)), np.full((2, 2), -np.inf)):
        meta, _ = unpack(Matrices([Panel("s", "S", values)], key="k", name="x").packed())
        assert meta["panels"][0]["limit"] == 1.0


def test_a_legend_says_what_the_numbers_are_and_what_is_hidden() -> None:
    half = np.array([[0.5, -np.inf]])
    panels = [Panel("a", "A", half, scale="weight"), Panel("k", "K", half, unit="key"), Panel("s", "S", half)]
    meta, _ = unpack(Matrices(panels, key="k", name="x").packed())
    assert [(each["unit"], each["absent"]) for each in meta["panels"]] == [("weight", ""), ("key", ""), ("", "")]


def test_weights_have_the_scale_0_to_1_unless_told() -> None:
    small = np.full((2, 2), 0.01, dtype=np.float32)
    for limit, drawn in ((None, 1.0), (0.02, 0.02)):
        meta, _ = unpack(Matrices([Panel("a", "A", small, scale="weight", limit=limit)], key="k", name="x").packed())
        assert meta["panels"][0]["limit"] == drawn


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"values": np.array([[np.nan]])}, "NaN"),
        ({"values": np.array([[np.inf]])}, "inf"),
        ({"values": np.zeros(3)}, r"\(3,\)"),
        ({"values": np.zeros((0, 3))}, r"\(0, 3\)"),
        ({"values": np.zeros((2, 2)), "rows": ["a"]}, "2 rows and 1 row labels"),
        ({"values": np.zeros((2, 2)), "cols": ["a"] * 3}, "2 columns and 3 column labels"),
        ({"values": np.full((1, 1), 1.2), "scale": "weight"}, "1.2"),
        ({"values": np.full((1, 1), 0.5), "scale": "weight", "limit": 0.4}, "0.5 does not fit a scale up to 0.4"),
        ({"values": np.full((1, 1), 0.5), "scale": "mask"}, "mask"),
        ({"values": np.zeros((1, 1)), "scale": "rainbow"}, "rainbow"),
        ({"values": np.zeros((1, 1)), "tint": "pink"}, "pink"),
    ],
)
def test_a_panel_that_would_mislead_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Panel("p", "", **fields)


def test_outlines_of_a_longer_text_are_left_out() -> None:
    outlines = [(1, None), (2, None), (None, 3), (1, 2), (-1, 0)]
    meta, _ = unpack(
        Matrices([Panel("p", "", np.zeros((2, 3)), outlines=outlines, selected=(0, 3))], key="k", name="x").packed()
    )
    assert meta["panels"][0]["outlines"] == [[1, None], [1, 2]]
    assert meta["panels"][0]["selected"] is None


def test_names_are_unique() -> None:
    with pytest.raises(ValueError, match="differ"):
        Matrices([Panel("a", "", np.zeros((1, 1)))] * 2, key="k", name="x")


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["panel", "row", "col", "x"]), inner),
    max_leaves=8,
)


@given(junk)
def test_only_cells_that_exist_are_picked(value: Any) -> None:
    pick = valid_pick(value, {"s": (3, 5)})
    assert pick is None or (pick[0] == "s" and pick[1] in range(3) and pick[2] in range(5))
    head = valid_head(value, (2, 4))
    assert head is None or (head[0] in range(2) and head[1] in range(4))


def test_what_a_drawing_did_not_send_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.canvas.runtime.clicks.st.session_state", {"drawing": {"step": 2}})
    assert [sent("drawing", field) for field in ("step", "pick")] == [2, None] and sent("left", "step") is None


def test_picks_by_hand() -> None:
    shapes = {"s": (3, 5)}
    assert valid_pick({"panel": "s", "row": 2, "col": 4}, shapes) == ("s", 2, 4)
    for bad in ({"row": 3}, {"col": -1}, {"row": 1.0}, {"row": True}, {"panel": "q"}, {"panel": ["s"]}, {"col": None}):
        assert valid_pick({"panel": "s", "row": 2, "col": 4} | bad, shapes) is None, bad
    assert valid_head({"layer": 1, "head": 3}, (2, 4)) == (1, 3)
    assert valid_head({"layer": 2, "head": 3}, (2, 4)) is None


@pytest.mark.parametrize(
    "shades", [np.zeros((1, 1, 4, 4)), np.zeros((1, 4, 4), np.uint8), np.zeros((0, 1, 2, 2), np.uint8)]
)
def test_shades_must_be_small_pictures(shades: np.ndarray) -> None:
    with pytest.raises(ValueError, match="uint8"):
        HeadGrid(shades, key="k", name="n", selected=None)


def test_a_grid_is_hatched_where_its_mask_hides() -> None:
    shades, masked = np.zeros((2, 3, 4, 4), np.uint8), ~np.tri(4, dtype=bool)
    _, arrays = unpack(HeadGrid(shades, key="k", name="n", selected=None, masked=masked).packed())
    np.testing.assert_array_equal(arrays["masked"], masked)
    _, arrays = unpack(HeadGrid(shades, key="k", name="n", selected=None, masked=masked & False).packed())
    assert "masked" not in arrays
    with pytest.raises(ValueError, match="not of the size"):
        HeadGrid(shades, key="k", name="n", selected=None, masked=masked[1:])


def names_in(script: str) -> dict[str, list[str]]:
    """The files that a module imports, with what it imports from each."""
    found = re.findall(r'^import \{([^}]*)\} from "([^"]+)"', script, re.M)
    return {file: [name.strip() for name in names.split(",") if name.strip()] for names, file in found}


@pytest.mark.parametrize("path", [path for path in modules.files() if path.endswith(".js")])
def test_what_a_module_imports_is_there_and_used(path: str) -> None:
    script = modules.files()[path].decode()
    for file, names in names_in(script).items():
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        offered = modules.files()[other].decode()
        for name in names:
            assert re.search(rf"^export (async )?(function|const|class) {name}\b", offered, re.M), (other, name)
            assert len(re.findall(rf"\b{name}\b", script)) > 1, f"{name} is not used"
    for sheet in re.findall(r'"([^"]+\.css)"', script):
        assert posixpath.normpath(posixpath.join(posixpath.dirname(path), sheet)) in modules.files(), sheet


@pytest.mark.parametrize("path", list(modules.files()))
def test_a_file_of_the_browser_is_short(path: str) -> None:
    assert modules.files()[path].count(b"\n") <= 300


def test_an_address_changes_with_the_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(modules, "HOME", tmp_path)
    for answer in (modules.files, modules.version):
        monkeypatch.setattr(modules, answer.__name__, answer.__wrapped__)
    (tmp_path / "a.py").write_text("never served")
    (tmp_path / "a.js").write_text("let one;")
    before = modules.address("a.js")
    assert list(modules.files()) == ["a.js", modules.GLOSSARY]
    (tmp_path / "a.js").write_text("let two;")
    assert modules.address("a.js") != before
