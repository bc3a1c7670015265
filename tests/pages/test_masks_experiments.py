"""The experiments of the masks page: each shows the core's own numbers, and says what cannot be done."""

import numpy as np
import pytest

from core.analysis.masks import AFTER, RIGHT, ZERO
from core.explorer.masks.batch import batched
from core.explorer.masks.experiments import emptied, leak, ways
from core.model.masks import MaskSpec
from core.readings.masks import (
    read_batch,
    read_broken,
    read_leak,
    read_reach,
    read_ways,
    row_arithmetic,
)
from core.tracing.run import Run
from pages.ui.masks import chosen
from pages.ui.masks.choices import MVIEW, OTHER
from pages.ui.say import plain
from tests.pages.conftest import Open
from tests.pages.screen import behind, charts, pictures, said
from tests.pages.test_masks import CHOSEN, FULL, HERE, PAGE, TEXT, core_model, painter, panels

PICTURES = ("mask-effect", "mask-ways", "mask-leak", "mask-empty", "mask-batch")


def test_the_ways_are_the_cores_row_by_row(open_page: Open) -> None:
    at = open_page(PAGE, mview="wrong ways", mrow="2", **CHOSEN)
    record = ways(*core_model(), HERE)
    shown = panels(at, "mask-ways")
    for way in (RIGHT, AFTER, ZERO):
        np.testing.assert_array_equal(shown[way], record.weights[way])
    (frame,) = charts(at)
    expected = np.concatenate([record.weights[way][2] for way in (RIGHT, AFTER, ZERO)])
    np.testing.assert_allclose(frame["weight"], expected, rtol=1e-6)
    assert frame["key"].str.startswith("✕").tolist() == (~record.mask[2]).tolist() * 3
    rows = {way: record.weights[way][2] for way in (RIGHT, AFTER, ZERO)}
    assert plain(read_ways(rows, record.mask[2], "2:saw")) in said(at)
    assert at.code[0].value == row_arithmetic(record.scores[2], record.mask[2], 2)


def test_the_leak_test_holds_every_mask_and_every_layer(open_page: Open) -> None:
    at = open_page(PAGE, mview="leak test", mtok="3", mnew="dog", mpaint=FULL, **CHOSEN)
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
    for place, way in ((7, AFTER), (8, ZERO)):
        np.testing.assert_array_equal(shown["masks"][place], leak(model, tokenizer, run, FULL, 3, "dog", way).final)
    np.testing.assert_array_equal(shown["masks"][1], leak(model, tokenizer, run, "", 3, "dog").final)
    assert not shown["masks"][1, :3].any() and shown["masks"][0, :3].all()
    assert plain(read_leak(mine.final, 3, mine.tokens.labels, "causal, painted")) in said(at)
    assert plain(read_reach(mine.layers, mine.reached, 3)) in said(at)


def test_a_large_model_tests_every_mask_only_if_asked(open_page: Open) -> None:
    large = {"mview": "leak test", "t": "a cat, a dog. " * 200, "h": "16", "n": "12", "d": "16", "mpre": "block"}
    at = open_page(PAGE, **large)
    (picture,) = pictures(at, "mask-leak")
    assert picture["panels"][0]["rows"] == ["block 4"]
    assert [each.label for each in at.toggle if each.key == "mevery"]


@pytest.mark.parametrize(("view", "picture"), zip(MVIEW.options, PICTURES, strict=True))
def test_what_takes_long_is_run_only_if_asked(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, view: str, picture: str
) -> None:
    monkeypatch.setattr(chosen, "WAIT", 0)
    at = open_page(PAGE, mview=view, **CHOSEN)
    assert not pictures(at, picture) and "seconds for it here" in said(at)
    (switch,) = (each for each in at.toggle if each.key == "mlong")
    switch.set_value(True).run()
    assert not at.error and pictures(at, picture) and "seconds for it here" not in said(at)


def test_a_token_that_is_not_there_is_said(open_page: Open) -> None:
    at = open_page(PAGE, mview="leak test", mtok="9", **CHOSEN)
    assert "There is no token 9: the last of the 6 is token 5" in at.error[0].value.replace("\\", "")
    at = open_page(PAGE, mview="leak test", mtok="1", mnew="cat", **CHOSEN)
    assert "nothing would change" in at.error[0].value and painter(at)[0].any()


def test_an_empty_row_is_tried_and_kept(open_page: Open) -> None:
    at = open_page(PAGE, mview="empty rows", mrow="2", **CHOSEN)
    record = emptied(*core_model(), HERE, FULL)
    for trial in (True, False):
        shown = panels(at, "mask-empty")
        np.testing.assert_array_equal(shown["pattern"], record.pattern)
        np.testing.assert_array_equal(shown["broken"], record.broken)
        assert not shown["pattern"][2].any()
        assert plain(read_broken(record.broken, (2,), record.tokens.labels)) in said(at)
        assert "[nan, nan, nan, …]" in at.code[0].value and f"{record.largest:.4g}" in at.code[0].value
        assert ("as a trial" in said(at)) == trial
        if trial:
            assert painter(at)[0][2].any()
            (keep,) = (each for each in at.button if each.label.startswith("Keep it"))
            keep.click().run()
    assert at.session_state["mpaint"] == FULL and not painter(at)[0][2].any()


@pytest.mark.parametrize("other", OTHER.options)
def test_padding_in_a_batch_is_the_cores(open_page: Open, other: str) -> None:
    at = open_page(PAGE, mview="padding in a batch", mother=other, msecond="a dog", mpaint=FULL, **CHOSEN)
    model, tokenizer, run = behind(at)
    kinds = () if other == "none" else (other.replace(" ", "_"),)
    found = batched(model, tokenizer, Run(TEXT, run.config, mask=MaskSpec(kinds)), HERE, "a dog")
    shown = panels(at, "mask-batch")
    for name in ("alone", "hidden", "seen"):
        np.testing.assert_array_equal(shown[name], getattr(found, name))
    moved = panels(at, "mask-moved")["moved"]
    np.testing.assert_array_equal(moved, np.stack([found.moved_hidden, found.moved_seen]))
    size = moved.shape[1]
    labels = found.rows[1].labels[:size]
    reading = read_batch(found.moved_hidden, found.moved_seen, found.seen[:size, size:].sum(1), labels)
    assert plain(reading) in said(at)
    assert (moved[1] > 1e-3).any() == (other != "causal" and bool(found.seen[:size, size:].any()))


def test_texts_of_one_length_have_no_padding(open_page: Open) -> None:
    at = open_page(PAGE, mview="padding in a batch", msecond=TEXT, **CHOSEN)
    assert "Both texts are equally long" in at.info[0].value
