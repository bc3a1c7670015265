"""The experiments of the masks page: each shows the core's own numbers, and says what cannot be done."""

import numpy as np
import pytest

from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE
from core.topics.masks.batch import batched
from core.topics.masks.experiments import emptied, leak, ways
from core.topics.masks.presets import under
from core.topics.masks.readings import (
    empty_row_arithmetic,
    read_batch,
    read_broken,
    read_leak,
    read_reach,
    read_ways,
    row_arithmetic,
)
from core.topics.masks.records import COMPARED_WAYS
from core.tracing.run import Run
from pages.attention.masks.page import PAGE as TOPIC
from pages.attention.masks.settings import OTHER_MASK, SECOND_TEXT
from pages.canvas.token_buttons.token_buttons import TokenButtons
from pages.shell import layout
from pages.shell.run_plan import DEFAULTS, make_run
from pages.widgets.setting import Values
from pages.widgets.words import plain
from tests.pages.attention.masks.test_masks import CHOSEN, FULL, HERE, PAGE, TEXT, core_model, painter, panels
from tests.pages.conftest import Open
from tests.pages.screen import behind, charts, pictures, said

PICTURES = ("mask-effect", "mask-ways", "mask-leak", "mask-empty", "mask-batch")


def test_the_ways_are_the_cores_row_by_row(open_page: Open) -> None:
    at = open_page(PAGE, masks_view="wrong ways", masks_row="2", **CHOSEN)
    record = ways(*core_model(), HERE)
    shown = panels(at, "mask-ways")
    for way in (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE):
        seen = record.mask | (way == ZEROS_BEFORE)
        np.testing.assert_array_equal(shown[way], np.where(seen, record.weights[way], -np.inf))
    totals, frame = charts(at)
    lost = totals.loc[totals["part"] == "lost", "share"]
    np.testing.assert_allclose(lost, [1 - record.weights[way][2].sum() for way in COMPARED_WAYS], atol=1e-6)
    expected = np.stack([record.weights[way][2] for way in (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE)], axis=1)
    np.testing.assert_allclose(frame["weight"], expected.ravel(), rtol=1e-6)
    assert frame["key"].str.startswith("✕").tolist() == np.repeat(~record.mask[2], 3).tolist()
    rows = {way: record.weights[way][2] for way in (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE)}
    reading = read_ways(rows, record.mask[2], record.tokens.labels, 2)
    assert all(plain(sentence) in said(at) for sentence in reading)
    assert at.code[0].value == row_arithmetic(record.scores[2], record.mask[2], 2)


def test_the_leak_test_holds_every_mask_and_every_layer(open_page: Open) -> None:
    at = open_page(PAGE, masks_view="leak test", masks_token="3", masks_word="dog", masks_painting=FULL, **CHOSEN)
    model, tokenizer, run = core_model()
    (picture,) = pictures(at, "mask-leak")
    names = picture["panels"][0]["rows"]
    assert names == [
        *("none", "causal", "padding", "window 2", "prefix 3", "block 4"),
        *("painted", "zeros after", "0 for −∞"),
    ]
    shown = panels(at, "mask-leak")
    mine = leak(model, tokenizer, run, FULL, 3, "dog")
    np.testing.assert_array_equal(shown["layers"], mine.layers)
    np.testing.assert_array_equal(shown["masks"][6], mine.final)
    for place, way in ((7, ZEROS_AFTER), (8, ZEROS_BEFORE)):
        np.testing.assert_array_equal(shown["masks"][place], leak(model, tokenizer, run, FULL, 3, "dog", way).final)
    np.testing.assert_array_equal(shown["masks"][1], leak(model, tokenizer, run, "", 3, "dog").final)
    assert not shown["masks"][1, :3].any() and shown["masks"][0, :3].all()
    reading = read_leak(mine.final, 3, mine.tokens.labels, "causal, painted")
    assert all(plain(sentence) in said(at) for sentence in reading)
    assert plain(read_reach(mine.layers, mine.reached, 3)) in said(at)


def test_a_large_model_tests_every_mask_only_if_asked(open_page: Open) -> None:
    large = {
        "masks-view": "leak test",
        "t": "a cat, a dog. " * 200,
        "h": "16",
        "n": "12",
        "d": "16",
        "masks-preset": "block",
    }
    at = open_page(PAGE, **large)
    (picture,) = pictures(at, "mask-leak")
    assert picture["panels"][0]["rows"] == ["block 4"]
    assert [each.label for each in at.toggle if each.key == "masks-every"]


@pytest.mark.parametrize(("view", "picture"), zip(TOPIC.look_at.options, PICTURES, strict=True))
def test_what_takes_long_is_run_only_if_asked(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, view: str, picture: str
) -> None:
    monkeypatch.setattr(layout, "UNASKED_SECONDS", 0)
    at = open_page(PAGE, masks_view=view, **CHOSEN)
    assert not pictures(at, picture) and "seconds for it here" in said(at)
    (switch,) = (each for each in at.toggle if each.key == "patient")
    switch.set_value(True).run()
    assert not at.error and pictures(at, picture) and "seconds for it here" not in said(at)


def test_a_token_that_is_not_there_cannot_be_asked_for(open_page: Open) -> None:
    at = open_page(PAGE, masks_view="leak test", masks_token="9", **CHOSEN)
    assert at.number_input(key="masks-token").max == 5 and not at.error
    assert "when 5:cat becomes" in pictures(at, "mask-leak")[0]["panels"][0]["title"], "the last one"


@pytest.mark.parametrize(
    "text", ["", "The animal didn't cross the street because it was too tired.", "the The THE the cat"]
)
def test_the_leak_test_opens_on_a_change_that_is_more_than_one_of_case(open_page: Open, text: str) -> None:
    at = open_page(PAGE, model="storyteller", masks_view="leak test", **({"t": text} if text else {}))
    title = pictures(at, "mask-leak")[0]["panels"][0]["title"]
    old, new = title.removesuffix("?").partition(":")[2].split(" becomes ")
    assert old.casefold() != new.casefold()


def test_the_mask_outlives_a_test_that_fails(open_page: Open) -> None:
    at = open_page(PAGE, masks_view="leak test", masks_token="1", masks_word="cat", **CHOSEN)
    assert "nothing would change" in at.error[0].value and painter(at)[0].any()


def test_an_empty_row_is_tried_and_kept(open_page: Open) -> None:
    at = open_page(PAGE, masks_view="empty rows", masks_row="2", **CHOSEN)
    record = emptied(*core_model(), HERE, FULL)
    for trial in (True, False):
        shown = panels(at, "mask-empty")
        allowed = record.mask | (np.arange(len(record.mask)) == 2)[:, None]
        np.testing.assert_array_equal(shown["pattern"], np.where(allowed, record.pattern, -np.inf))
        np.testing.assert_array_equal(shown["broken"], record.broken)
        assert not shown["pattern"][2].any()
        reading = read_broken(record.broken, (2,), record.tokens.labels, trial)
        assert all(plain(sentence) in said(at) for sentence in reading)
        assert at.code[0].value == empty_row_arithmetic(2, record.naive[2], record.pattern[2], record.largest)
        assert ("as a trial" in said(at)) == trial
        if trial:
            assert painter(at)[0][2].any()
            (keep,) = (each for each in at.button if each.label.startswith("Keep it"))
            keep.click().run()
    assert at.session_state["masks-painting"] == FULL and not painter(at)[0][2].any()


@pytest.mark.parametrize("other", OTHER_MASK.options)
def test_padding_in_a_batch_is_the_cores(open_page: Open, other: str) -> None:
    at = open_page(
        PAGE, masks_view="padding in a batch", masks_other=other, masks_second="a dog", masks_painting=FULL, **CHOSEN
    )
    model, tokenizer, run = behind(at)
    found = batched(model, tokenizer, under(Run(TEXT, run.config), other), HERE, "a dog")
    shown = panels(at, "mask-batch")
    padding = np.arange(len(found.hidden)) >= len(found.alone)
    later = np.triu(np.ones_like(found.hidden), 1) > 0 if other == "causal" else np.zeros_like(found.hidden) > 0
    for name in ("alone", "hidden", "seen"):
        weights = getattr(found, name)
        np.testing.assert_array_equal(np.maximum(shown[name], 0), weights)
        hidden = (later | (padding if name == "hidden" else False))[: len(weights), : len(weights)]
        assert other not in ("none", "causal") or (np.isneginf(shown[name]) == hidden).all()
    moved = panels(at, "mask-moved")["moved"]
    np.testing.assert_array_equal(moved, np.stack([found.moved_hidden, found.moved_seen]))
    size = moved.shape[1]
    labels = found.rows[1].labels[:size]
    reading = read_batch(found.moved_hidden, found.moved_seen, found.seen[:size, size:].sum(1), labels)
    assert all(plain(sentence) in said(at) for sentence in reading)
    assert (moved[1] > 1e-3).any() == (other != "causal" and bool(found.seen[:size, size:].any()))


@pytest.mark.parametrize("other", ["none", "causal"])
def test_the_token_that_gives_most_to_padding_is_shown_with_and_without_the_padding_mask(other: str) -> None:
    run = make_run(DEFAULTS, TEXT, "")
    values = Values({OTHER_MASK: other, SECOND_TEXT: "a dog"})
    shown = TOPIC.view("padding in a batch").show(run, values)
    without, with_mask = [part for part in shown.pictures if isinstance(part, TokenButtons)]
    (seen, hidden) = [[token.dim for token in line.tokens] for line in (without, with_mask)]
    pads = [token.piece == "(pad)" for token in without.tokens]
    assert any(pads) and hidden == pads and seen == (pads if other == "causal" else [False] * len(pads))
    row = without.selected
    assert row is not None and row == with_mask.selected and not pads[row]
    if other == "causal":
        assert row == pads.index(True) - 1, "none gives any, so the last token is shown"
    else:
        assert f"“{without.tokens[row].piece}” gives" in shown.said[0]


def test_texts_of_one_length_have_no_padding(open_page: Open) -> None:
    at = open_page(PAGE, masks_view="padding in a batch", masks_second=TEXT, **CHOSEN)
    assert "Both texts are equally long" in at.info[0].value
