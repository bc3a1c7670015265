"""The page about scores and scaling in a real browser: by mouse, by keyboard, at every width, and its files."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages.ui.choices import TEXT
from pages.ui.frame import DEFAULTS, make_run
from playwright.sync_api import Page, expect

from core.analysis.scaling import measure_variance
from core.explorer.head import one_head
from core.explorer.head.cells import cell
from core.explorer.scaling.comparison import compare, rescored
from core.explorer.shared import loading
from core.explorer.shared.places import Place
from core.readings.scaling import read_variances
from core.text.tokenizer import Tokenizer
from tests.browser.driver import click_cell, enter, location, pill, settled, stage, stands_at_every_width, widget
from tests.browser.test_app import HOSTILE

Open = Callable[..., Page]
PAGE = "scaling"
SCREENS: list[dict[str, Any]] = [
    {"t": HOSTILE, "sshow": "scores", "pos": "alibi", "kind": "decoder"},
    {"sview": "variance", "t": HOSTILE},
    {"sview": "weights", "sdk": 1024, "skeys": 512, "seach": 2},
    {"sview": "entropy", "skeys": 1},
    {"sview": "gradient", "sdraw": "signs"},
]


@pytest.mark.parametrize("number", range(len(SCREENS)))
def test_every_view_draws_itself_at_every_width(number: int, visit: Open) -> None:
    tab = visit(dark=number % 2 == 1, **SCREENS[number])
    stands_at_every_width(tab)


def test_a_cell_of_any_score_is_opened_by_mouse_and_by_keyboard(visit: Open) -> None:
    tab = visit(layer=2, head=3)
    run = make_run(DEFAULTS, TEXT.default, "")
    model = loading.fresh_model(run.config, run.placement)
    record = one_head.head(model, Tokenizer.load(run.tokenizer), run, Place("encoder", 1, 2))
    scored = compare(record, 0)
    code = tab.get_by_test_id("stCode").first

    def expect_weight(place: int, row: int, col: int) -> None:
        text = cell(rescored(record, scored[place]), "A", row, col).text.replace(
            "the model's value", "computed in float32"
        )
        expect(code).to_contain_text(text, use_inner_text=True)

    click_cell(stage(tab, "scaling-additive"), 4, 7)
    expect_weight(3, 4, 7)
    assert "sfit=additive" in location(tab) and "row=4" in location(tab) and "col=7" in location(tab)
    picture = stage(tab, "scaling-general")
    for key in ("Home", "ArrowDown", "Enter"):
        picture.press(key)
    tab.wait_for_function("() => location.search.includes('sfit=general')")
    pill(tab, "sshow", "scores").click()
    expect(widget(tab, "scaling-dot").locator(".title").first).to_contain_text("scores")
    enter(tab, "row", 5)
    enter(tab, "col", 6)
    expect_weight(2, 5, 6)


def test_the_experiment_follows_its_controls_and_saves_its_picture(visit: Open) -> None:
    tab = visit(sview="variance")
    enter(tab, "sseed", 7)
    expect(tab.get_by_text(read_variances(measure_variance("normal", 100, 7)), exact=False)).to_be_visible()
    assert "sseed=7" in location(tab)
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save variance against d_k as PNG").click()
    assert struct.unpack(">II", Path(download.value.path()).read_bytes()[16:24]) > (1000, 500)
    pill(tab, "sview", "weights").click()
    expect(tab.get_by_text("At d_k = 64 the largest of 16 weights")).to_be_visible()
    tab.locator(".st-key-sdk [role=slider], .st-key-sdk input[type=range]").first.press("End")
    expect(tab.get_by_text("At d_k = 1,024 the largest of 16 weights")).to_be_visible()
    settled(tab)
    assert "sdk=1024" in location(tab)
