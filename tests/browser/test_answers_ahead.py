"""What the browser draws of a second change by itself, before the server answers, is what the server's answer draws."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import (
    address,
    click_cell,
    drawn,
    hover_cell,
    location,
    open_more,
    pill,
    settled,
    stage,
    widget,
)

# What a drawing shows: its words, and the pixels of what it has painted below the pointer's marks.
LOOK = """(key) => {
  const root = [...document.querySelectorAll(`.st-key-${key} *`)].find((element) => element.shadowRoot).shadowRoot;
  const painted = [...root.querySelectorAll("canvas:not(.over)")].map((canvas) => canvas.toDataURL());
  return [root.querySelector(".canvas-root").innerText, ...painted].join("\\n");
}"""
# What is seen two frames after the next click or key, and how many runs of the script have begun until then.
WATCH = f"""([kind, key]) => addEventListener(kind, () => {{
  const {{ begun }} = window.traffic;
  const look = () => (window.early = [({LOOK})(key), window.traffic.begun - begun]);
  requestAnimationFrame(() => requestAnimationFrame(look));
}}, {{ capture: true, once: true }})"""


Clicks = tuple[Callable[[], None], Callable[[], None]]


def pick_head(tab: Page) -> Clicks:
    grid = stage(tab, "heads-grid")
    return lambda: click_cell(grid, 2, 1), lambda: click_cell(grid, 1, 2)


def pick_row(tab: Page) -> Clicks:
    matrix = stage(tab, "heads-matrix")
    return lambda: click_cell(matrix, 5, 2), lambda: click_cell(matrix, 7, 3)


def pick_cell(key: str, number: int = 0) -> Callable[[Page], Clicks]:
    def pick(tab: Page) -> Clicks:
        matrix = stage(tab, key, number)
        return lambda: click_cell(matrix, 5, 2), lambda: click_cell(matrix, 7, 3)

    return pick


def pick_token(key: str) -> Callable[[Page], Clicks]:
    def pick(tab: Page) -> Clicks:
        buttons = widget(tab, key).locator("button.token")
        return buttons.nth(4).click, buttons.nth(2).click

    return pick


def pick_pill(key: str, first: str, second: str) -> Callable[[Page], Clicks]:
    def pick(tab: Page) -> Clicks:
        return pill(tab, key, first).click, pill(tab, key, second).click

    return pick


def move_slider(key: str) -> Callable[[Page], Clicks]:
    def pick(tab: Page) -> Clicks:
        slider = widget(tab, key).get_by_role("slider")
        return lambda: slider.press("ArrowLeft"), lambda: slider.press("ArrowLeft")

    return pick


def step_up(key: str) -> Callable[[Page], Clicks]:
    def pick(tab: Page) -> Clicks:
        button = open_more(tab, key).get_by_test_id("stNumberInputStepUp")
        return button.click, button.click

    return pick


CASES = {
    "heads": ("heads", {}, pick_head, "heads-matrix"),
    "pills": ("heads", {}, pick_pill("layer", "2", "3"), "heads-matrix"),
    "pills of a view": (
        "self-attention",
        {"self_attention_view": "soft dictionary"},
        pick_pill("head", "2", "3"),
        "dictionary",
    ),
    "masks": ("masks", {}, pick_pill("head", "2", "3"), "mask-effect"),
    "slider": (
        "depth",
        {"depth_view": "powers of a matrix"},
        move_slider("depth-power"),
        "depth-matrices",
    ),
    "number box": ("positions", {"positions_view": "heatmap"}, step_up("positions-width"), "positions-table"),
    "number box of a cell": ("positions", {"positions_view": "heatmap"}, step_up("positions-row"), "positions-table"),
    "number box with decimals": (
        "positions",
        {"positions_view": "heatmap", "positions-base": "2", "positions-length": "12", "positions-width": "16"},
        step_up("positions-base"),
        "positions-table",
    ),
    "slider of steps": (
        "lab",
        {"lab_view": "recorded runs"},
        move_slider("lab-recorded-step"),
        "lab-recorded-induction-2-layers",
    ),
    "rows": ("heads", {}, pick_row, "heads-matrix"),
    "one head's vectors": ("heads", {"heads_view": "Q, K, V"}, pick_pill("head", "2", "3"), "heads-qkv-0"),
    "cells of a step": ("self-attention", {}, pick_cell("step-picture", 2), "step-picture"),
    "words of a cell's row": ("self-attention", {}, pick_cell("step-picture", 2), "step-looks"),
    "words of a step": ("self-attention", {}, pick_token("step-looks"), "step-looks"),
    "heads of a step": (
        "self-attention",
        {"self_attention_step": "2 score"},
        pick_pill("head", "2", "3"),
        "step-picture",
    ),
    "weights of the next head": ("self-attention", {}, pick_pill("head", "2", "3"), "step-picture"),
    "journey": ("journey", {}, pick_pill("head", "2", "3"), "journey-4"),
    "cells of an encoding": (
        "positions",
        {"positions_view": "heatmap"},
        pick_cell("positions-table"),
        "positions-table",
    ),
    "cells of a score": ("scaling", {}, pick_cell("scaling-dot"), "scaling-general"),
    "lines": ("heads", {"heads_view": "lines"}, pick_head, "heads-lines"),
    "one-hot": (
        "tokens",
        {"tokens_view": "one-hot against dense"},
        pick_token("tokens-one-hot-text"),
        "tokens-product",
    ),
    "stream": ("block", {"block_view": "residual stream"}, pick_token("block-stream-tokens"), "block-stream-step"),
}


@pytest.mark.parametrize(("path", "settings", "pick", "shows"), CASES.values(), ids=CASES)
def test_the_second_change_is_drawn_before_the_server_answers(
    path: str,
    settings: dict[str, str],
    pick: Callable[[Page], Clicks],
    shows: str,
    page: Callable[..., Page],
    serve: Callable[[str], str],
) -> None:
    tab = page(address(serve("tests/browser/apps/patient_frames.py"), path, **settings), width=1440, height=900)
    drawn(tab)
    first, second = pick(tab)
    first()
    settled(tab)  # the answer has brought the drawings with their frames
    before = tab.evaluate(LOOK, shows)
    tab.evaluate(WATCH, ["keydown" if pick.__qualname__.startswith("move") else "click", shows])
    second()
    settled(tab)
    early, runs = tab.evaluate("() => window.early")
    assert runs == 0 and early != before
    assert early == tab.evaluate(LOOK, shows)


def test_the_matrix_shows_the_head_under_the_pointer_until_it_leaves(
    page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    tab = page(address(serve("tests/browser/apps/patient_frames.py"), "heads"), width=1440, height=900)
    drawn(tab)
    grid, title = stage(tab, "heads-grid"), widget(tab, "heads-matrix").locator(".title").first
    click_cell(grid, 2, 1)
    settled(tab)
    before, runs = tab.evaluate(LOOK, "heads-matrix"), tab.evaluate("() => window.traffic.begun")
    painted = tab.evaluate(LOOK, "heads-grid").partition("data:")[2]
    hover_cell(grid, 4, 5)
    expect(title).to_contain_text("Layer 5 · head 6")
    assert tab.evaluate(LOOK, "heads-grid").partition("data:")[2] == painted, "the chosen head stays marked"
    widget(tab, "heads-matrix").hover()
    expect(title).to_contain_text("Layer 3 · head 2")
    tab.mouse.move(0, 0)
    assert tab.evaluate(LOOK, "heads-matrix") == before and tab.evaluate("() => window.traffic.begun") == runs


def press_a_head_or_row(tab: Page, rng: random.Random) -> None:
    if rng.random() < 0.7:
        click_cell(stage(tab, "heads-grid"), rng.randrange(6), rng.randrange(8))
    else:
        click_cell(stage(tab, "heads-matrix"), rng.randrange(3, 12), 0)


def press_a_cell_or_word(tab: Page, rng: random.Random) -> None:
    if rng.random() < 0.7:
        click_cell(stage(tab, "step-picture", 2), rng.randrange(3, 12), rng.randrange(8))
    else:
        widget(tab, "step-looks").locator("button.token").nth(rng.randrange(8)).click()


def press_an_arrow(tab: Page, rng: random.Random) -> None:
    widget(tab, "depth-power").get_by_role("slider").press(rng.choice(("ArrowLeft", "ArrowRight", "ArrowRight")))


@pytest.mark.parametrize(
    ("path", "settings", "press", "shows"),
    [
        ("heads", {}, press_a_head_or_row, "heads-matrix"),
        ("self-attention", {}, press_a_cell_or_word, "step-picture"),
        ("depth", {"depth_view": "powers of a matrix"}, press_an_arrow, "depth-matrices"),
    ],
    ids=["clicks", "cells", "slider"],
)
def test_after_fast_changes_the_drawing_is_that_of_the_address(
    path: str,
    settings: dict[str, str],
    press: Callable[[Page, random.Random], None],
    shows: str,
    page: Callable[..., Page],
    serve: Callable[[str], str],
) -> None:
    tab, rng = page(address(serve("app.py"), path, **settings), width=1440, height=900), random.Random(0)
    drawn(tab)
    opened, first = location(tab), tab.evaluate(LOOK, shows)
    for _ in range(30):
        press(tab, rng)
        tab.wait_for_timeout(rng.choice((20, 60, 200)))
    tab.mouse.move(0, 0)
    settled(tab)
    tab.wait_for_timeout(1000)  # until the last change is in the address
    settled(tab)
    again = page(location(tab), width=1440, height=900)
    drawn(again)
    assert location(tab) != opened and tab.evaluate(LOOK, shows) != first
    assert tab.evaluate(LOOK, shows) == again.evaluate(LOOK, shows)
    assert not tab.locator(".stale").count()
