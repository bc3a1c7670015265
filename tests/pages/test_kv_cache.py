"""The page KV cache: every view opens with anything a visitor can set, and shows the core's own numbers."""

import json
from typing import Any

import numpy as np
import pytest
from pages.ui.say import plain
from streamlit.testing.v1 import AppTest

from core.analysis.kv_costs import cache_bytes, operations, with_cache, without_cache
from core.explorer.generation import setup, texts
from core.explorer.kv_cache.steps import cache_step, check_cache, unchanged
from core.explorer.shared.places import Place
from core.text.tokenizer import Tokenizer
from core.tracing.run import Run
from pages.ui.kv_cache.choices import KVIEW
from pages.ui.kv_cache.moment import counted, short, stored
from pages.ui.kv_cache.specs import MOVES
from tests.pages.conftest import Open
from tests.pages.screen import behind, charts, pictures, said

PAGE = "pages/transformer/kv_cache.py"
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/x.png) :red[x] $x$ مرحبا 👩‍🚀"
FRESH: dict[str, Any] = {"kind": "decoder", "d": "16", "h": "2", "n": "2", "tok": "unigram-1000"}
BOTH: dict[str, Any] = FRESH | {"kind": "encoder-decoder"}
SETTINGS: list[dict[str, Any]] = [
    FRESH | {"t": "cat", "kn": "0"},
    FRESH | {"t": HOSTILE, "pos": "rotary", "score": "additive", "norm": "none"},
    FRESH | {"t": "a cat, a dog. " * 200, "n": "1"},
    BOTH | {"kwhich": "cross", "kn": "0", "score": "general", "dtype": "bfloat16"},
    BOTH | {"kwhich": "cross", "layer": "2", "head": "2", "dk": "3", "dv": "5", "mask": ["padding", "sliding window"]},
]


def parts(at: AppTest) -> tuple[Any, Any, Run, tuple[int, ...], int]:
    """Model, tokenizer, run, what the decoder has read at the page's step, and how much of it the text began with."""
    model, tokenizer, run = behind(at)
    start = setup.start_ids(tokenizer, run)
    steps = texts.generate_tokens(model, tokenizer, run, most=at.session_state["kn"])
    return model, tokenizer, run, (*start, *(each.chosen for each in steps)), len(start)


@pytest.mark.parametrize("view", KVIEW.options)
@pytest.mark.parametrize("params", SETTINGS, ids=range(len(SETTINGS)))
def test_every_view_opens_with_everything(open_page: Open, view: str, params: dict[str, Any]) -> None:
    at = open_page(PAGE, kview=view, **params)
    assert not at.exception and not at.error
    assert "<script>" not in " ".join(element.value for element in at.markdown)


@pytest.mark.parametrize("text", ["", "   "])
def test_empty_text_says_so_and_shows_the_example(open_page: Open, text: str) -> None:
    at = open_page(PAGE, t=text)
    assert not at.exception and pictures(at, "kv-vectors")


def test_an_encoder_is_offered_the_storyteller(open_page: Open) -> None:
    at = open_page(PAGE)
    assert at.session_state["run"].checkpoint == "storyteller"


@pytest.mark.parametrize("params", [{}, {"model": "storyteller", "layer": "4", "head": "7", "kn": "2"}, {"kn": "0"}])
def test_the_picture_is_the_step(open_page: Open, params: dict[str, str]) -> None:
    at = open_page(PAGE, **params)
    model, tokenizer, run, ids, start = parts(at)
    place = Place("decoder", int(params.get("layer", 1)) - 1, int(params.get("head", 1)) - 1)
    new = len(ids) if len(ids) == start else 1
    record = cache_step(model, tokenizer, run, ids, new, place)
    (vectors,), (weights,) = pictures(at, "kv-vectors"), pictures(at, "kv-weights")
    for shown, tensor in zip(vectors["values"], (record.q, record.k, record.v), strict=True):
        np.testing.assert_allclose(shown, tensor, atol=1e-5)
    np.testing.assert_allclose(weights["values"][0], record.scores, atol=1e-5)
    seen = np.isfinite(record.scores)
    np.testing.assert_allclose(weights["values"][1][seen], record.pattern[seen], atol=1e-6)
    assert {panel["faded"] for panel in vectors["panels"]} == {len(ids) - new}
    assert [panel["grey"] for panel in vectors["panels"]] == [True, False, False]
    assert all(panel["outlines"] == ([[len(ids) - 1, None]] if new == 1 else []) for panel in vectors["panels"])


def test_the_sources_keys_are_kept(open_page: Open) -> None:
    at = open_page(PAGE, kwhich="cross", kn="3", **BOTH)
    (vectors,) = pictures(at, "kv-vectors")
    assert vectors["panels"][1]["faded"] == len(vectors["panels"][1]["rows"]) == len(vectors["values"][1])
    assert "computed once" in said(at)


def test_movements_are_the_cores(open_page: Open) -> None:
    at = open_page(PAGE, kview="why it may be kept")
    found = unchanged(*parts(at)[:4])
    shown = charts(at)[0]
    for kind, values in zip(MOVES, (found.masked, found.unmasked), strict=True):
        np.testing.assert_allclose(shown[shown.kind == kind].value, values.max(1), atol=1e-5)


@pytest.mark.parametrize("params", [FRESH, BOTH, BOTH | {"kn": "0"}])
def test_operations_are_the_cores(open_page: Open, params: dict[str, str]) -> None:
    at = open_page(PAGE, kview="operations", t="the cat sat", **params)
    *_, run, ids, start = parts(at)
    source = (
        len(Tokenizer.load("unigram-1000").encode("the cat sat", limit=40).ids) if params["kind"] != "decoder" else 0
    )
    mine, other = with_cache(len(ids), source, start), without_cache(len(ids), source)
    bars, lines = charts(at)[0], charts(at)[1]
    for kind, each in (("with the cache", mine), ("without a cache", other)):
        terms = operations(run.config, each)
        assert list(bars[bars.kind == kind].value) == list(terms.values())
        assert plain(counted(sum(terms.values()))) in said(at)
    last = lines[lines.tokens == 512].set_index("kind").value
    assert last["without a cache"] == sum(operations(run.config, without_cache(512, source)).values())
    assert last["with the cache"] == sum(operations(run.config, with_cache(512, source)).values())


def test_bytes_are_the_cores(open_page: Open) -> None:
    at = open_page(PAGE, kview="memory", kbatch="8")
    *_, run, ids, _ = parts(at)
    held = cache_bytes(run.config, len(ids), 0, 8)
    assert plain(stored(held)) in said(at)
    assert any(f"{held:,}".replace(",", "{,}") in each.value for each in at.latex)
    shown = charts(at)[0]
    full = shown[(shown.tokens == run.config.max_length) & (shown.kind == "the cache")].value
    assert list(full) == [cache_bytes(run.config, run.config.max_length, 0, 8) / 2**20]


def test_the_same_answer_step_by_step(open_page: Open) -> None:
    at = open_page(PAGE, kview="same answer", kn="5")
    model, tokenizer, run, ids, start = parts(at)
    found = check_cache(model, tokenizer, run, ids, start)
    shown = charts(at)[0]
    points = shown[shown.kind != "now"]
    assert list(points.tokens) == list(found.lengths)
    np.testing.assert_allclose(points.value, found.difference, atol=1e-4)
    assert "At all 6 steps both choose the same token" in said(at)


def test_nothing_is_measured_unless_asked_for(open_page: Open) -> None:
    at = open_page(PAGE, kview="time", **FRESH, t="the cat sat")
    assert len(at.get("vega_lite_chart")) == 1 and "Nothing has been measured yet" in said(at)
    at.button(key="kv-measure").click().run()
    assert not at.exception and len(at.get("vega_lite_chart")) == 2
    shown = charts(at)[0]
    assert set(shown.kind) == {"with the cache", "without a cache", "now"}
    points = shown[shown.kind != "now"]
    assert (points.low <= points.value).all() and (points.value <= points.high).all() and (points.low > 0).all()
    at.session_state["seed"] = 7
    at.run()
    assert "Nothing has been measured yet" in said(at), "other weights, other measurements"


def test_numbers_in_words() -> None:
    assert [counted(n) for n in (950, 12_300, 4_560_000, 2e9)] == ["950", "12.3 thousand", "4.56 million", "2 billion"]
    assert [short(n) for n in (950, 12_300, 4_560_000, 2e9)] == ["950", "12.3k", "4.56M", "2B"]
    assert [stored(n) for n in (512, 46_080, 2**20, 2**30)] == ["512 bytes", "45 KiB", "1 MiB", "1 GiB"]


def test_charts_are_strict_json(open_page: Open) -> None:
    at = open_page(PAGE, kview="operations", **FRESH)
    for chart in at.get("vega_lite_chart"):
        assert json.loads(chart.proto.spec)["title"]
