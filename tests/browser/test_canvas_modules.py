"""The drawings' pure functions, imported from their modules into a real browser."""

import json
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from pages.canvas.runtime import modules
from pages.canvas.runtime.pack import pack
from tests.browser.apps.lines_numbers import HOSTILE

DEMO = "tests/browser/apps/lines_demo.py"
CALL = """async ([file, script, given]) => {
  const module = await import(file);
  return await new Function("m", "given", "return (async () => {" + script + "})()")(module, given);
}"""
Call = Callable[..., Any]


@pytest.fixture(scope="module")
def call(chromium: Browser, serve: Callable[[str], str]) -> Iterator[Call]:
    """`call("runtime/grid.js", "return m.cellAt(given, 1, 2)", given)` runs a script beside an imported module m."""
    context = chromium.new_context()
    tab = context.new_page()
    home = serve(DEMO)
    tab.goto(f"{home}/_stcore/health")
    yield lambda file, script, given=None: tab.evaluate(CALL, [f"{home}/{modules.address(file)}", script, given])
    context.close()


GRID = {"rows": 3, "cols": 5, "row": 7, "col": 11.5, "left": 20, "top": 4}


@pytest.mark.parametrize("gaps", [{}, {"high": 5, "wide": 9}], ids=["touching", "apart"])
def test_a_point_in_a_cell_is_that_cell_and_any_other_is_none(call: Call, gaps: dict[str, int]) -> None:
    grid: dict[str, float] = GRID | gaps
    points = [(x, y) for x in np.arange(0, 90, 0.5) for y in np.arange(0, 30, 0.5)]
    high, wide = grid.get("high", grid["row"]), grid.get("wide", grid["col"])

    def cell(x: float, y: float) -> list[int] | None:
        for i, j in product(range(3), range(5)):
            left, top = 20 + 11.5 * j, 4 + 7 * i
            if left <= x < left + wide and top <= y < top + high:
                return [i, j]
        return None

    script = "return given.points.map(([x, y]) => m.cellAt(given.grid, x, y) || null)"
    found = call("runtime/grid.js", script, {"grid": grid, "points": [[float(x), float(y)] for x, y in points]})
    assert found == [cell(x, y) for x, y in points]


def test_rectangles_of_a_cell_a_row_and_a_column(call: Call) -> None:
    script = "return given.cells.map((cell) => m.cellRect(given.grid, cell, 100, 200))"
    cells = [[1, 2], [1, None], [None, 2]]
    assert call("runtime/grid.js", script, {"grid": GRID, "cells": cells}) == [
        [143, 211, 11.5, 7],
        [120, 211, 57.5, 7],
        [143, 204, 11.5, 21],
    ]


def test_what_python_packs_is_unpacked(call: Call) -> None:
    rng = np.random.default_rng(0)
    small, large = rng.integers(0, 256, (3, 5), dtype=np.uint8), rng.standard_normal((2, 3, 4)).astype(np.float32)
    large[0, 0, 0] = -np.inf
    block = pack({"labels": HOSTILE}, {"small": small, "large": large})
    script = """
      const bytes = new Uint8Array([9, ...given]).subarray(1);  // as they come: at an odd offset
      const { meta, arrays } = m.unpack(bytes);
      return { meta, arrays: Object.entries(arrays).map(([name, a]) => [name, a.shape, [...a.values].map(String)]) };
    """
    found = call("runtime/unpack.js", script, list(block))
    assert found["meta"] == {"labels": HOSTILE}
    arrays: dict[str, np.ndarray] = {"small": small, "large": large}
    for name, shape, values in found["arrays"]:
        numbers = np.array([float(value.replace("Infinity", "inf")) for value in values], np.float32)
        np.testing.assert_array_equal(numbers.reshape(shape), arrays.pop(name).astype(np.float32))
    assert not arrays


LOADED = """
  const drawing = "export default ({data}) => (globalThis.shown ??= []).push(String(data.text ?? [...data]));";
  const text = given.loader.replace("PATH", URL.createObjectURL(new Blob([drawing], { type: "text/javascript" })));
  const loader = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const element = document.createElement("div");
  globalThis.shown = [];
  for (const data of given.calls) {
    const call = Array.isArray(data) ? new Uint8Array([7, ...data]).subarray(1) : data;
    loader.default({ data: call, parentElement: element });
  }
  await loader.default({ data: { text: "last" }, parentElement: document.createElement("div") });
  return globalThis.shown.slice(0, -1);
"""


@pytest.mark.parametrize(
    ("calls", "shown"),
    [
        ([(5, 1), (5, 2)], [(5, 1), (5, 2)]),
        ([(5, 2), (5, 1)], [(5, 2)]),  # as a browser calls them that ends imports in any order
        ([(5, 2), (5, 2)], [(5, 2), (5, 2)]),  # the same data on another ground
        ([(5, 9), (6, 1)], [(5, 9), (6, 1)]),  # the server has started again
        ([(5, 3), (5, 1), (5, 4), (5, 2)], [(5, 3), (5, 4)]),
    ],
)
def test_data_older_than_what_is_shown_are_not_drawn(
    calls: list[tuple[int, int]], shown: list[tuple[int, int]], call: Call
) -> None:
    texts = [{"text": f"{session} {number}", "stamp": [session, number]} for session, number in calls]
    found = call("runtime/grid.js", LOADED, {"loader": modules.LOADER, "calls": texts})
    assert found == [f"{session} {number}" for session, number in shown]
    blocks = [[3, *(part for each in pair for part in each.to_bytes(4, "little"))] for pair in calls]
    kept = [[3, *(part for each in pair for part in each.to_bytes(4, "little"))] for pair in shown]
    found = call("runtime/grid.js", LOADED, {"loader": modules.LOADER, "calls": blocks})
    assert found == [",".join(map(str, block)) for block in kept]


@pytest.mark.parametrize(
    ("number", "digits", "written"),
    [
        (0, 3, "0"),
        (1.23456, 3, "1.23"),
        (-1.23456, 3, "−1.23"),
        (999.96, 3, "1000"),
        (12345, 3, "12300"),
        (123456, 3, "1.23e5"),
        (0.00012, 3, "1.20e−4"),
        (0.001, 3, "0.00100"),
        (0.1 + 0.2, 7, "0.3000000"),
    ],
)
def test_numbers_are_written_with_so_many_digits(call: Call, number: float, digits: int, written: str) -> None:
    assert call("runtime/text.js", "return m.format(...given)", [number, digits]) == written


@pytest.mark.parametrize("label", [*HOSTILE, "extraordinarily long"])
@pytest.mark.parametrize("width", [0, 8, 40, 4000])
def test_a_label_is_cut_to_its_room(call: Call, label: str, width: int) -> None:
    script = "const cut = m.ellipsis(null, ...given, {}); return [cut, m.textWidth(null, cut, {})]"
    cut, wide = call("runtime/text.js", script, [label, width])
    assert wide <= width
    assert cut == label or (cut == "" and width < 40) or (cut.endswith("…") and label.startswith(cut[:-1]))


def test_colours_keep_their_value_through_oklab_and_text_is_readable(call: Call) -> None:
    colours = np.random.default_rng(0).integers(0, 256, (200, 3)).tolist()
    script = "return given.map((rgb) => m.fromLab(m.toLab(rgb)))"
    np.testing.assert_allclose(call("runtime/colours.js", script, colours), colours, atol=0.1)
    script = """
      const contrast = (a, b) => { const [low, high] = [a, b].map(m.luminance).sort((x, y) => x - y);
                                   return (high + 0.05) / (low + 0.05); };
      const grounds = [[255, 255, 255], [17, 21, 28], [0, 0, 0]];
      return given.flatMap((rgb) => grounds.map((ground) => contrast(m.readable(rgb, ground, 4.5), ground)));
    """
    assert min(call("runtime/colours.js", script, colours)) >= 4.49


def test_luminance_is_that_of_wcag(call: Call) -> None:
    colours = [[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [119, 119, 119]]
    found = call("runtime/colours.js", "return given.map(m.luminance)", colours)
    np.testing.assert_allclose(found, [0, 1, 0.2126, 0.7152, 0.1845], atol=1e-4)


@pytest.mark.parametrize(
    ("scale", "limit", "masked", "unit", "words"),
    [
        ("weight", 1, "", "weight", ["weight 0 to 1"]),
        ("weight", 0.0123456, "hidden", "", ["0 to 0.0123", "hidden"]),
        ("signed", 2.5, "", "key", ["key −2.50 to 2.50"]),
        ("size", 3, "", "", ["0 to 3"]),
        ("mask", 1, "", "", ["may attend", "may not"]),
    ],
)
def test_a_legend_says_its_scale(
    call: Call, scale: str, limit: float, masked: str, unit: str, words: list[str]
) -> None:
    theme = {"dark": False, "background": "#ffffff", "text": "#000000"}
    script = "return m.keysOf(...given).map((key) => key.text ?? key.low + ' to ' + key.high)"
    assert call("runtime/legend.js", script, [theme, scale, limit, masked, unit]) == words


def test_a_cell_says_its_value_its_row_and_its_column(call: Call) -> None:
    panel = {"shape": [2, 2], "values": [0.5, 1, 0, -2], "scale": "signed", "rows": ["0:a", "1:b"], "cols": []}
    axes = {"rowAxis": "queries", "colAxis": "d_k"}
    script = "return m.cellWords(given, [1, 1])"
    assert call("runtime/view.js", script, panel | axes) == ["−2.000000", "query \u20661:b\u2069", "d_k 1"]
    bare = panel | {"scale": "mask", "rowAxis": "", "colAxis": "", "rows": []}
    assert call("runtime/view.js", "return m.cellWords(given, [1, 0])", bare) == ["may not attend", "row 1", "column 0"]
    script = "given.values[1] = -Infinity; return m.cellWords(given, [0, 1])[0]"
    assert call("runtime/view.js", script, panel | axes) == "−inf (masked)"
    assert call("runtime/view.js", script, panel | axes | {"scale": "weight"}) == "0 (hidden)"


def test_a_view_finds_its_cells(call: Call) -> None:
    script = """
      const view = m.viewOf({}, given, { size: [1, 1], label: m.sizedLabel("S", [3, 5]) });
      const [x, y, w, h] = view.rect([2, 4]);
      return [view.shape, view.at(x + w / 2, y + h / 2), view.label, view.send, view.start];
    """
    assert call("runtime/view.js", script, GRID) == [[3, 5], [2, 4], "S, 3 rows, 5 columns", None, None]


@pytest.mark.parametrize("temperature", [0.01, 1.0, 100.0])
def test_a_look_up_equals_numpy(call: Call, temperature: float) -> None:
    rng = np.random.default_rng(0)
    scores, values, allowed = 4 * rng.standard_normal(9), rng.standard_normal((9, 3)), rng.random(9) < 0.7
    exps = np.where(allowed, np.exp((scores - scores[allowed].max()) / temperature), 0)
    weights = exps / exps.sum()
    script = """
      const weights = m.softmaxAt(given.scores, given.allowed, given.temperature);
      return [weights, [...m.mixOf(weights, given.values, 3)], m.entropyBits(weights)];
    """
    given = {"scores": scores.tolist(), "allowed": allowed.astype(int).tolist(), "temperature": temperature}
    found = call("soft_dictionary/softmax.js", script, given | {"values": values.ravel().tolist()})
    np.testing.assert_allclose(found[0], weights, atol=1e-12)
    np.testing.assert_allclose(found[1], weights @ values, atol=1e-12)
    positive = weights[weights > 0]
    assert found[2] == pytest.approx(-(positive * np.log2(positive)).sum(), abs=1e-9)
    nothing = call("soft_dictionary/softmax.js", script, given | {"allowed": [0] * 9, "values": [0] * 27})
    assert nothing == [[0] * 9, [0] * 3, 0]


def test_the_strongest_lines_are_kept_and_the_hidden_weight_is_told(call: Call) -> None:
    weights = np.random.default_rng(0).dirichlet(np.full(200, 0.3), (2, 100)).astype(np.float32)
    script = "return m.strongest(Float32Array.from(given.weights), given.shown, 20000, given.floor)"
    given = {"weights": weights.ravel().tolist(), "shown": [0, 1], "floor": 0.0}
    found = call("lines/strongest.js", script, given)
    assert found["count"] == (weights > 0).sum() and found["hidden"] == pytest.approx(0, abs=1e-6)
    kept = weights.ravel()[found["lines"]]
    assert 5500 < len(kept) <= 6000 and (np.diff(kept) >= 0).all()
    left = np.delete(weights.ravel(), found["lines"])
    assert kept.min() > 0.8 * left.max(), "none is left out that is clearly stronger than one that is kept"
    found = call("lines/strongest.js", script, given | {"shown": [1], "floor": 0.1})
    expected = np.flatnonzero(weights[1].ravel() >= 0.1) + 20000
    assert sorted(found["lines"]) == expected.tolist()
    assert found["hidden"] == pytest.approx(1 - weights[1][weights[1] >= 0.1].sum() / weights[1].sum(), abs=1e-5)


def test_a_late_echo_of_a_step_does_not_set_the_tokens_back(call: Call) -> None:
    script = "const state = { asked: 0, pending: [1, 4] }; return given.map((step) => m.isAsked(state, step))"
    assert call("model_drawing/model_drawing.js", script, [1, 4, 4, 2, 1]) == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("name", "stem"), [("Layer 1 · head 2", "Layer-1-head-2"), ("קטה/..\\", "קטה"), ("///", "chart")]
)
def test_a_file_is_named_by_letters_and_digits(call: Call, name: str, stem: str) -> None:
    assert call("runtime/save.js", 'return m.stemOf(given, "chart")', name) == stem


@pytest.mark.parametrize("text", [*HOSTILE, "\x00\x1f\ud800", "</text><script>alert(1)</script>"])
def test_a_saved_picture_is_well_formed_whatever_it_says(call: Call, text: str) -> None:
    script = "const s = m.svgSurface(9, 9, {}); s.text(JSON.parse(given), 1, 2, {}); return String(s)"
    root = ElementTree.fromstring(call("runtime/surface.js", script, json.dumps(text)))
    assert [each.tag.split("}")[1] for each in root] == ["text"]


TOLD = "m.tellFacts({ text: given, model: 'Translator' }); "
PIXEL = "const canvas = new OffscreenCanvas(3, 2); canvas.getContext('2d'); const blob = await canvas.convertToBlob(); "


@pytest.mark.parametrize("text", ["Un château, “là”.", *HOSTILE, "</desc><script>alert(1)</script>"])
def test_a_saved_png_carries_its_text_model_and_address(call: Call, text: str) -> None:
    made = "await m.describedPng(new Uint8Array(await blob.arrayBuffer()), 'A map').arrayBuffer()"
    script = f"{TOLD}{PIXEL}return [...new Uint8Array({made})]"
    found = bytes(call("runtime/facts.js", script, text))
    read = dict(png_texts(found))
    assert read["Description"] == text and read["Model"] == "Translator" and read["Title"] == "A map"
    assert read["Source"].startswith("http://127.0.0.1")


def png_texts(data: bytes) -> Iterator[tuple[str, str]]:
    """The texts in a PNG; every chunk has the sum that it says."""
    place = 8
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        assert zlib.crc32(kind + body) == int.from_bytes(data[place + 8 + length : place + 12 + length], "big")
        if kind == b"iTXt":
            key, rest = body.split(b"\0", 1)
            assert rest[:2] == b"\0\0", "not compressed"
            yield key.decode(), rest[2:].split(b"\0", 2)[2].decode()
        place += length + 12


@pytest.mark.parametrize("text", ["Un château, “là”.", *HOSTILE, "\x00\x1f", "</desc><script>alert(1)</script>"])
def test_a_saved_svg_carries_its_text_model_and_address(call: Call, text: str) -> None:
    script = TOLD + "return m.describedSvg('<svg xmlns=\"http://www.w3.org/2000/svg\"/>', 'A map')"
    title, desc = ElementTree.fromstring(call("runtime/facts.js", script, text))
    assert title.text == "A map"
    assert "Model: Translator\nSource: http://127.0.0.1" in (desc.text or "")
    assert not text.isprintable() or text in (desc.text or "")


def test_lines_below_a_picture_fit_and_are_written_only_where_they_are_asked_for(call: Call) -> None:
    script = (
        TOLD
        + """
    const bar = document.createElement("div");
    m.captionSwitch(bar);
    const none = m.captionLines({}, 200).length;
    bar.querySelector("button").click();
    return [none, m.captionLines({}, 200), m.captionHeight(m.captionLines({}, 200)), bar.firstChild.ariaPressed]"""
    )
    none, lines, height, pressed = call("runtime/facts.js", script, "One word after another. " * 9 + "x" * 200)
    assert none == 0 and pressed == "true" and height > 16 * len(lines)
    assert "".join(lines).replace(" ", "").startswith("Text:Onewordafter") and len(lines) > 8
    assert any(line.startswith("Model: Translator") for line in lines)


CHOICES = """
  const [real, unreal] = [window.setTimeout, window.clearTimeout], timers = [], seen = [];
  window.setTimeout = (end, _, ...given) => timers.push(() => end(...given));
  window.clearTimeout = (timer) => timer && (timers[timer - 1] = () => {});
  const stop = m.onChoice((chosen) => seen.push(chosen.get("k")));
  m.answered(["k"], ["a"]);
  m.choose({ k: "b" });
  m.choose({ k: null });
  m.answered(["k"], ["b"]);  // of the click before
  m.choose({ other: 1 });
  if (given === "answered") m.answered(["k"], [null]);
  timers.forEach((end) => end());
  [window.setTimeout, window.clearTimeout] = [real, unreal];
  m.choose({ other: 2 });
  stop();
  return seen.slice(1);
"""


def test_an_answer_to_an_earlier_click_changes_nothing(call: Call) -> None:
    assert call("runtime/choices.js", CHOICES, "answered") == ["b", None, None, None]


def test_what_the_server_never_does_is_taken_back(call: Call) -> None:
    assert call("runtime/choices.js", CHOICES, "not answered") == ["b", None, None, "b", "b"]


def test_a_choice_that_nothing_follows_waits_for_no_answer(call: Call) -> None:
    script = """
      const seen = [];
      const stop = m.onChoice((chosen) => seen.push(chosen.get("followed") ?? null), ["followed"]);
      m.choose({ notFollowed: 1 });
      m.choose({ followed: "a" });
      stop();
      m.choose({ followed: "b" });
      m.onChoice((chosen) => seen.push(chosen.get("followed"), chosen.has("notFollowed")) && false);
      return seen;
    """
    assert call("runtime/choices.js", script, None) == [None, "a", "a", False]


@pytest.mark.parametrize(("answer", "drawn"), [("A", ["A"]), ("A of another state", ["A", "A of another state"])])
def test_where_the_servers_picture_differs_from_the_frame_it_is_drawn(
    call: Call, answer: str, drawn: list[str]
) -> None:
    script = """
      const root = document.body.appendChild(document.createElement("div")), seen = [];
      const update = (_, { meta }) => seen.push(meta.title);
      const draw = (title, list) => {
        const frames = { keys: ["kept"], at: ["a"], served: true, about: 1, controls: {}, list };
        m.drawFrames(root, { meta: { title, answers: {}, frames }, arrays: {} }, update, () => {});
      };
      const frame = (choice, changes) => ({ choice: [choice], changes, arrays: {}, gone: [] });
      draw("A", [frame("a", []), frame("b", [[["title"], "B"]])]);
      draw(given, null);
      return seen;
    """
    assert call("runtime/frames.js", script, answer) == drawn


def test_a_frame_is_found_by_what_is_chosen_also_if_that_is_nothing(call: Call) -> None:
    frames = {"keys": ["row"], "at": [3], "list": [{"choice": [3]}, {"choice": [None]}]}
    script = "return m.frameFor(given[0], new Map(given[1]))"
    assert call("runtime/frames.js", script, [frames, []]) == 0
    assert call("runtime/frames.js", script, [frames, [["row", None]]]) == 1
    assert call("runtime/frames.js", script, [frames, [["row", 5]]]) == -1
