"""The page about scores and scaling in a real browser: by mouse, by keyboard, at every width, and its files."""

import struct
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from core.topics.scaling.analysis import measure_variance
from core.topics.scaling.comparison import compare, rescored
from core.topics.scaling.readings import read_variances
from core.topics.self_attention import one_head
from core.topics.self_attention.cells import cell
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.settings import TEXT
from tests.browser.driver import click_cell, enter, in_address, pill, settled, stage, widget

Open = Callable[..., Page]
PAGE = "scaling"


def test_a_cell_of_any_score_is_opened_by_mouse_and_by_keyboard(visit: Open) -> None:
    tab = visit(layer=2, head=3)
    run = make_run(DEFAULTS, TEXT.default, "")
    record = one_head.head(*open_run(run), run, HeadAddress("encoder", 1, 2))
    scored = compare(record, 0)
    code = tab.get_by_test_id("stCode").first

    def expect_weight(place: int, row: int, col: int) -> None:
        text = cell(rescored(record, scored[place]), "A", row, col).text.replace(
            "the model's value", "computed in float32"
        )
        expect(code).to_contain_text(text, use_inner_text=True)

    click_cell(stage(tab, "scaling-additive"), 4, 7)
    expect_weight(3, 4, 7)
    in_address(tab, "scaling-score=additive", "scaling-row=4", "scaling-col=7")
    picture = stage(tab, "scaling-general")
    for key in ("Home", "ArrowDown", "Enter"):
        picture.press(key)
    in_address(tab, "scaling-score=general")
    pill(tab, "scaling-show", "scores").click()
    expect(widget(tab, "scaling-dot").locator(".title").first).to_contain_text("scores")
    settled(tab)
    enter(tab, "scaling-row", 5)
    settled(tab)
    enter(tab, "scaling-col", 6)
    expect_weight(2, 5, 6)


def test_the_experiment_follows_its_controls_and_saves_its_picture(visit: Open) -> None:
    tab = visit(**{"scaling-view": "variance"})
    enter(tab, "scaling-seed", 7)
    expect(tab.get_by_text(read_variances(measure_variance("normal", 100, 7))[1], exact=False)).to_be_visible()
    in_address(tab, "scaling-seed=7")
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save variance against d_k as PNG").click()
    assert struct.unpack(">II", Path(download.value.path()).read_bytes()[16:24]) > (1000, 500)
    pill(tab, "scaling-view", "weights").click()
    said = "Here d_k = {}, and a query has 16 weights, of which the 12 largest are drawn."
    expect(tab.get_by_text(said.format("64"))).to_be_visible()
    tab.locator(".st-key-scaling-width [role=slider], .st-key-scaling-width input[type=range]").first.press("End")
    expect(tab.get_by_text(said.format("1,024"))).to_be_visible()
    in_address(tab, "scaling-width=1024")
