"""A view saved as a page: its words, its controls, and the drawings of every frame."""

import base64
import gzip
import math
import re

import pytest

from core.topics.heads.all_heads import patterns
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas.runtime.pack import unpack
from pages.canvas.runtime.standalone import Facts
from pages.session.visit import visit_state
from pages.shell.page import Page
from pages.shell.saved.document import MAX_BYTES, save_page, save_view
from pages.shell.saved.frames import frames_of, shown_at
from pages.transformer.lab.settings import STEP
from pages.widgets import HEAD, LAYER, Values
from tests.pages.house import BY_ADDRESS, PAGES
from tests.pages.sentences import run_for

HEADS = BY_ADDRESS["heads"]
TEXT = "The cat sat on the mat and the dog sat on the rug"
FACTS = Facts(TEXT, "A model", "https://example.org")


def blocks(html: str, script: str) -> list[bytes]:
    """The packed data of the drawings of one module."""
    pattern = rf'data-drawing="{script}"><script type="application/octet-stream">(.*?)</script>'
    return [gzip.decompress(base64.b64decode(found)) for found in re.findall(pattern, html)]


@pytest.fixture(scope="module")
def heads_run() -> Run:
    return run_for(HEADS, TEXT)


@pytest.fixture(scope="module")
def saved_heads(heads_run: Run) -> str:
    return save_view(HEADS, HEADS.view("all heads"), heads_run, Values(), FACTS, "**The model**", 64, 600)


def test_all_layers_and_heads_of_a_model_are_in_the_file(saved_heads: str, heads_run: Run) -> None:
    config = heads_run.config
    [block] = blocks(saved_heads, "matrices")
    meta, arrays = unpack(block)
    model, tokenizer = open_run(heads_run)
    for number, frame in enumerate(meta["frames"]["list"]):
        layer, head = (int(value) - 1 for value in frame["choice"])
        drawn = arrays[frame["arrays"].get("0", "0")]
        expected = patterns(model, tokenizer, heads_run, HeadAddress("decoder", layer)).pattern[head]
        assert drawn.shape == expected.shape and abs(drawn[drawn >= 0] - expected[drawn >= 0]).max() < 1e-6, number
    assert len(meta["frames"]["list"]) == config.layers * config.heads
    assert saved_heads.count('name="layer"') == config.layers and saved_heads.count('name="head"') == config.heads


def test_a_saved_page_says_what_it_shows(saved_heads: str) -> None:
    assert f"<h1>{HEADS.question}</h1>" in saved_heads
    assert f"<blockquote>{TEXT}</blockquote>" in saved_heads
    assert "<math" in saved_heads and '<dt id="term-head">head</dt>' in saved_heads
    assert "<strong>The model</strong>" in saved_heads and 'href="https://example.org"' in saved_heads
    assert len(saved_heads.encode()) <= MAX_BYTES
    assert not re.findall(r'(?:href|src)="(?!#|https://example\.org")', saved_heads)


def test_each_frame_has_the_sentence_of_its_choice(heads_run: Run, saved_heads: str) -> None:
    frames = frames_of(HEADS, HEADS.view("all heads"), heads_run, Values(), 64, 600)
    assert frames.settings.keys() == {LAYER, HEAD}
    written = _words(re.sub(r"<[^>]+>|&\w+;|&#\d+;", " ", saved_heads))
    for shown in frames.shown.values():
        assert all(_words(sentence) in written for sentence in shown.said)


def _words(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip()


@pytest.mark.parametrize("text", ["<script>alert(1)</script> & <b>", "](javascript:alert(1)) $x$ **b** `c`"])
def test_typed_text_stays_text(text: str) -> None:
    html = save_view(HEADS, HEADS.view("all heads"), run_for(HEADS, text), Values(), max_frames=1)
    assert "alert(1)" in html and "<script>alert" not in html and 'href="javascript' not in html
    assert html.count("<b>") == 0 and html.count("<math") == 1  # the formula of the page alone


def test_a_file_that_would_be_too_large_has_fewer_frames() -> None:
    long = run_for(HEADS, " ".join([TEXT] * 6))
    html = save_view(HEADS, HEADS.view("all heads"), long, Values(), max_seconds=600)
    meta, _ = unpack(blocks(html, "matrices")[0])
    assert len(html.encode()) <= MAX_BYTES
    assert 1 <= len(meta["frames"]["list"]) < long.config.layers * long.config.heads


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_every_view_can_be_saved(page: Page) -> None:
    run = run_for(page, page.text or TEXT)
    for view in page.views:
        html = save_view(page, page.view(view.name), run, Values(), max_frames=2)
        assert html.startswith("<!doctype html>") and f"<h1>{page.question}</h1>" in html.replace("&#39;", "'"), (
            view.name
        )
        assert "click" not in shown_at(page, view, run, Values())[1].lead.lower(), view.name
        for meta in (unpack(block)[0] for block in blocks(html, r"\w+")):
            can_click = meta["answers"]["pick"] or "openCell" in meta
            assert can_click or "click" not in meta.get("caption", "").lower(), f"{view.name}: {meta['caption']}"


def test_a_saved_file_promises_no_arithmetic_of_a_clicked_cell() -> None:
    page = BY_ADDRESS["self-attention"]
    run = run_for(page, TEXT)
    view = page.view("six steps")
    assert "Click any cell" in shown_at(page, view, run, Values())[1].click
    assert "Click any cell" not in save_view(page, view, run, Values(), max_frames=1)


def test_every_combination_of_the_controls_has_a_frame() -> None:
    """Words of one's own are learned by another job, which no file begins."""
    page = BY_ADDRESS["word-vectors"]
    frames = frames_of(page, page.view("train one"), run_for(page, TEXT), Values(), 64, 600)
    assert len(frames.shown) == math.prod(map(len, frames.settings.values())) and frames.at in frames.shown


def test_all_views_of_a_page_are_in_one_file_or_named_as_missing() -> None:
    lab = BY_ADDRESS["lab"]
    visit_state().jobs.clear()
    html = save_page(lab, run_for(lab, TEXT), Values({STEP: 50}), max_frames=2)
    shown = re.findall(r'<section id="view-\d+"><h2>([^<]*)</h2>', html)
    [missing] = re.findall(r"cannot be shown: ([^<]*)\.</p>", html)
    assert {*shown, *missing.split(", ")} == {view.name for view in lab.views}
    assert "recorded runs" in shown and "train one" in missing, "it would begin to train"


def test_the_controls_of_two_views_do_not_take_each_others_choice(heads_run: Run) -> None:
    html = save_page(HEADS, heads_run, Values(), max_frames=6)
    names = set(re.findall(r'type="radio" name="([^"]*)"', html))
    assert {"head", "1/head"} <= names or {"layer", "1/layer"} <= names
    assert html.count('<section id="view-') == len(HEADS.views) and len(html) < len(HEADS.views) * MAX_BYTES
    assert html.count('<dt id="term-head">') == 1, "a word is explained once"
