"""The page about masks in a real browser: painted by mouse, finger and keyboard, and kept in the address."""

import re
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import CELL_RECT, STAGE_OF, drawn, in_address, location, pill, settled, stage, widget

OPEN = f"""async (element) => {{
  const {{ view }} = await ({STAGE_OF})(element);
  const [rows, cols] = view.shape.map((count) => [...Array(count).keys()]);
  return rows.map((i) => cols.map((j) => view.open([i, j])));
}}"""
Open = Callable[..., Page]
PAGE = "masks"


def mask_of(brush: Locator) -> np.ndarray:
    return np.array(brush.evaluate(OPEN))


def middle(brush: Locator, row: int, col: int) -> tuple[float, float]:
    """The middle of a cell, counted from the brush's corner."""
    x, y, width, height = brush.evaluate(CELL_RECT, [row, col])
    return x + width / 2, y + height / 2


def drag(tab: Page, brush: Locator, start: tuple[int, int], end: tuple[int, int]) -> None:
    brush.scroll_into_view_if_needed()
    corner = brush.bounding_box()
    assert corner
    for cell, act in ((start, tab.mouse.down), (end, tab.mouse.up)):
        x, y = middle(brush, *cell)
        tab.mouse.move(corner["x"] + x, corner["y"] + y)
        act()


def painted(tab: Page, count: int) -> None:
    """Wait until the server has said that so many cells are painted."""
    expect(tab.get_by_text(f"{count} of the cells painted by hand")).to_be_visible()
    settled(tab)


def test_a_drag_paints_every_cell_on_its_way_and_the_address_keeps_it(visit: Open) -> None:
    tab = visit(**{"masks-preset": "none"})
    brush = stage(tab, "mask-paint")
    drag(tab, brush, (2, 1), (2, 9))
    painted(tab, 9)
    drag(tab, brush, (6, 3), (12, 9))
    painted(tab, 16)
    drag(tab, brush, (2, 9), (2, 8))
    painted(tab, 14)
    expected = np.ones((15, 15), bool)
    expected[2, 1:8] = expected[range(6, 13), range(3, 10)] = False
    np.testing.assert_array_equal(mask_of(brush), expected)
    tab.wait_for_function("() => location.search.includes('masks-painting=')")
    again = visit()
    again.goto(location(tab))
    settled(again)
    drawn(again)
    painted(again, 14)
    np.testing.assert_array_equal(mask_of(stage(again, "mask-paint")), expected)
    after = again.locator(".st-key-mask-effect .panel").nth(1)
    words = (
        f"async (element, cells) => {{ const {{ view }} = await ({STAGE_OF})(element); return cells.map(view.words); }}"
    )
    (zero, *_), (other, *_) = after.evaluate(words, [[6, 3], [6, 4]])
    assert zero == "0 (hidden)" and float(other) > 0


def test_the_keyboard_paints_and_no_stroke_is_lost(visit: Open) -> None:
    tab = visit(**{"masks-preset": "none"})
    brush = stage(tab, "mask-paint")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", " "):
        brush.press(key)
    painted(tab, 1)
    expect(widget(tab, "mask-paint").locator(".spoken")).to_have_text(
        re.compile(r"1:animal\W, key \W2:did\W, may not attend$")
    )
    for _ in range(11):
        brush.press("Shift+ArrowRight")
    painted(tab, 12)
    brush.press(" ")
    painted(tab, 11)
    expected = np.ones((15, 15), bool)
    expected[1, 2:13] = False
    np.testing.assert_array_equal(mask_of(brush), expected)


def test_a_finger_paints_and_the_painting_can_be_taken_back(visit: Open) -> None:
    tab = visit(width=360, touch=True, **{"masks-preset": "causal", "masks-view": "empty rows"})
    brush = stage(tab, "mask-paint")
    x, y = middle(brush, 0, 0)
    brush.tap(position={"x": x, "y": y})
    painted(tab, 1)
    expect(tab.get_by_text("“The” may look at nothing")).to_be_visible()
    tab.get_by_role("button", name="Clear the painting").click()
    expect(tab.get_by_text("of the cells painted by hand")).to_have_count(0)
    settled(tab)
    assert mask_of(brush)[0, 0]


def test_a_row_is_chosen_in_a_picture_and_the_view_follows_the_mask(visit: Open) -> None:
    tab = visit(**{"masks-view": "wrong ways"})
    x, y = middle(stage(tab, "mask-ways"), 3, 1)
    stage(tab, "mask-ways").click(position={"x": x, "y": y})
    expect(tab.get_by_text("The row of “·n” sums to 1.00 with −∞")).to_be_visible()
    in_address(tab, "masks-row=3")
    pill(tab, "masks-preset", "none").click()
    expect(tab.get_by_text("Nothing is hidden from “·n”")).to_be_visible()
    pill(tab, "masks-view", "leak test").click()
    expect(tab.get_by_text("under “none” every earlier word's output moves.")).to_be_visible()
    expect(widget(tab, "mask-leak").locator(".title").first).to_contain_text("9:because becomes")
