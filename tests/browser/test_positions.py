"""The page about positions in a real browser: by mouse, by keyboard, at every width, and its files."""

import struct
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from core.topics.positions.analysis.orthogonality import random_cosines
from core.topics.positions.encodings import Encoding, dot_products, encode
from core.topics.positions.readings.measures import read_distances, read_random
from tests.browser.driver import click_cell, enter, in_address, open_more, pill, settled, stage, widget

Open = Callable[..., Page]
PAGE = "positions"


def test_a_number_is_opened_by_mouse_and_by_keyboard(visit: Open) -> None:
    sizes = {"positions-length": 16, "positions-width": 8, "positions-base": 50}
    tab = visit(**{"positions-view": "heatmap"}, **sizes)
    table = encode(Encoding("sinusoidal", 16, 8, 50.0))
    picture = stage(tab, "positions-table")
    click_cell(picture, 9, 4)
    expect(widget(tab, "positions-row").locator("input")).to_have_value("9")
    in_address(tab, "positions-row=9", "positions-column=4")
    expect(tab.get_by_text(f"{table[9, 4]:.4f}", exact=False).first).to_be_attached()
    settled(tab)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        picture.press(key)
    expect(widget(tab, "positions-row").locator("input")).to_have_value("10")
    settled(tab)
    enter(tab, "positions-column", 2)
    in_address(tab, "positions-column=2")
    expect(tab.get_by_text(f"{table[10, 2]:.4f}", exact=False).first).to_be_attached()


def test_the_views_follow_their_controls_and_save_their_pictures(visit: Open) -> None:
    tab = visit(**{"positions-view": "random vectors"})
    enter(tab, "positions-draw-seed", 7)
    expect(tab.get_by_text(read_random(random_cosines(64, 4000, 7), 64)[1], exact=False)).to_be_visible()
    in_address(tab, "positions-draw-seed=7")
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save random cosines as PNG").click()
    assert struct.unpack(">II", Path(download.value.path()).read_bytes()[16:24]) > (1000, 500)
    pill(tab, "positions-view", "how alike").click()
    expect(tab.get_by_text("How alike are two positions")).to_be_visible()
    pill(tab, "positions-encoding", "learned").click()
    found = dot_products(Encoding("learned"))
    expect(tab.get_by_text(read_distances("learned", found.measured, found.theory)[1], exact=False)).to_be_visible()
    open_more(tab, "positions-length").locator("[role=slider], input[type=range]").first.press("End")
    found = dot_products(Encoding("learned", 512))
    expect(tab.get_by_text(read_distances("learned", found.measured, found.theory)[1], exact=False)).to_be_visible()
    in_address(tab, "positions-length=512", "positions-encoding=learned")


def test_the_words_are_shuffled_anew_by_the_seed(visit: Open) -> None:
    words = ["one", "two", "three", "four", "five", "six"]
    tab = visit(t=" ".join(words), **{"positions-view": "shuffle"})
    after = tab.locator(".st-key-positions-shuffled-0 .token bdi")
    expect(after).to_have_count(len(words))
    before = after.all_inner_texts()
    enter(tab, "positions-shuffle-seed", 5)
    expect(after).not_to_have_text(before)
    assert sorted(after.all_inner_texts()) == sorted(words)
