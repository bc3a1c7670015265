"""The page about positions in a real browser: by mouse, by keyboard, at every width, and its files."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from core.analysis.orthogonality import random_cosines
from core.explorer.positions.encodings import Encoding, dot_products, encode
from core.readings.positions import read_distances, read_random
from tests.browser.driver import click_cell, enter, location, pill, settled, stage, stands_at_every_width, widget
from tests.browser.test_app import HOSTILE

Open = Callable[..., Page]
PAGE = "positions"
SCREENS: list[dict[str, Any]] = [
    {"penc": "learned", "plen": 512, "pwide": 1024},
    {"pview": "shift", "plen": 512, "pwide": 256},
    {"pview": "adding", "t": HOSTILE},
    {"pview": "random vectors", "pn": 2},
    {"pview": "shuffle", "t": HOSTILE},
]


@pytest.mark.parametrize("number", range(len(SCREENS)))
def test_every_view_draws_itself_at_every_width(number: int, visit: Open) -> None:
    tab = visit(dark=number % 2 == 1, **SCREENS[number])
    stands_at_every_width(tab)


def test_a_number_is_opened_by_mouse_and_by_keyboard(visit: Open) -> None:
    tab = visit(plen=16, pwide=8, pbase=50)
    table = encode(Encoding("sinusoidal", 16, 8, 50.0))
    picture = stage(tab, "positions-table")
    click_cell(picture, 9, 4)
    expect(widget(tab, "prow").locator("input")).to_have_value("9")
    assert "prow=9" in location(tab) and "pcol=4" in location(tab)
    expect(tab.get_by_text(f"{table[9, 4]:.4f}", exact=False).first).to_be_attached()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        picture.press(key)
    expect(widget(tab, "prow").locator("input")).to_have_value("10")
    enter(tab, "pcol", 2)
    tab.wait_for_function("() => location.search.includes('pcol=2')")
    expect(tab.get_by_text(f"{table[10, 2]:.4f}", exact=False).first).to_be_attached()


def test_the_views_follow_their_controls_and_save_their_pictures(visit: Open) -> None:
    tab = visit(pview="random vectors")
    enter(tab, "pseed", 7)
    expect(tab.get_by_text(read_random(random_cosines(64, 4000, 7), 64), exact=False)).to_be_visible()
    assert "pseed=7" in location(tab)
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save random cosines as PNG").click()
    assert struct.unpack(">II", Path(download.value.path()).read_bytes()[16:24]) > (1000, 500)
    pill(tab, "pview", "dot product").click()
    expect(tab.get_by_text("How alike are two positions")).to_be_visible()
    pill(tab, "penc", "learned").click()
    found = dot_products(Encoding("learned"))
    expect(tab.get_by_text(read_distances("learned", found.measured, found.theory), exact=False)).to_be_visible()
    widget(tab, "plen").locator("[role=slider], input[type=range]").first.press("End")
    found = dot_products(Encoding("learned", 512))
    expect(tab.get_by_text(read_distances("learned", found.measured, found.theory), exact=False)).to_be_visible()
    settled(tab)
    assert "plen=512" in location(tab) and "penc=learned" in location(tab)


def test_the_words_are_shuffled_anew_by_the_seed(visit: Open) -> None:
    words = ["one", "two", "three", "four", "five", "six"]
    tab = visit(pview="shuffle", t=" ".join(words))
    after = tab.get_by_text("After:", exact=False)
    before = after.inner_text()
    enter(tab, "pshuf", 5)
    expect(after).not_to_have_text(before)
    assert sorted(after.inner_text().split()[1:]) == sorted(words)
