"""The page KV cache through the app: what it opens with, its player, and measuring, which waits to be asked."""

from typing import Any

import pytest

from pages.transformer.kv_cache import timing
from tests.pages.conftest import Open
from tests.pages.screen import charts, pictures, said

FILE = "pages/transformer/kv_cache/page.py"
FRESH: dict[str, Any] = {"kind": "decoder", "d": "16", "h": "2", "n": "2", "tok": "unigram-1000"}


def test_an_encoder_is_offered_the_storyteller(open_page: Open) -> None:
    assert open_page(FILE).session_state["visit"].run.model_name == "storyteller"


def test_a_step_reads_one_token_more_and_back_one_less(open_page: Open) -> None:
    at = open_page(FILE, **FRESH, t="cat", kv_cache_tokens="0")
    (before,) = pictures(at, "kv-cache-text")
    for button, more in (("step", 1), ("step", 2), ("back", 1), ("restart", 0)):
        at.button(key=f"kv-cache-{button}").click().run()
        (text,) = pictures(at, "kv-cache-text")
        assert len(text["tokens"]) == len(before["tokens"]) + more == text["selected"] + 1


def test_the_end_of_the_context_ends_the_text(open_page: Open) -> None:
    at = open_page(FILE, **FRESH, t="a cat, a dog. " * 200)
    (text,) = pictures(at, "kv-cache-text")
    assert len(text["tokens"]) == 512
    assert at.button(key="kv-cache-step").disabled and at.button(key="kv-cache-play").label == "Play again"


def test_a_mask_that_plays_no_part_is_said_and_a_text_that_is_not_read_is_not_asked_for(open_page: Open) -> None:
    at = open_page(FILE, **FRESH | {"kind": "encoder-decoder"}, mask=["padding", "sliding window"])
    words = said(at).replace("\\", "")
    assert "“padding” plays no part" in words and "tt" not in {box.key for box in at.text_input}


def test_nothing_is_measured_unless_asked_for(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MEASURE_SECONDS", 1)
    at = open_page(FILE, kv_cache_view="time", **FRESH, t="the cat sat")
    assert len(at.get("vega_lite_chart")) == 1 and "Not measured yet" in said(at)
    at.button(key="kv-cache-timing-measure").click().run()
    while at.button(key="kv-cache-timing-measure").label == "Stop":
        at.run()
    assert not at.exception and len(at.get("vega_lite_chart")) == 3
    bars, shown, _ = charts(at)
    assert list(bars.label) == ["with the cache", "without a cache"] and bars.value[0] < bars.value[1]
    assert set(shown.kind) == {"with the cache", "without a cache", "now"}
    points = shown[shown.kind != "now"]
    assert (points.low <= points.value).all() and (points.value <= points.high).all() and (points.low > 0).all()
    assert "times as long without the cache" in said(at) and "Measure it." not in said(at)
    at.session_state["seed"] = 7
    at.run()
    assert "Not measured yet" in said(at), "other weights, other measurements"
