"""The first page in a real browser: words that are pointed at, one word changed, the drawer."""

from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, expect

from pages.canvas import Bridge
from tests.browser.driver import address, drawn, in_address, widget
from tests.browser.test_canvas_modules import Call
from tests.browser.test_canvas_modules import call as call

Open = Callable[..., Page]
WIDE = "The animal couldn't cross the street because it was too wide."


def first(page: Open, serve: Callable[[str], str], **options: object) -> Page:
    tab = page(address(serve("app.py")), **options)
    drawn(tab)
    return tab


def test_a_word_that_is_pointed_at_has_its_lines_and_its_sentence(page: Open, serve: Callable[[str], str]) -> None:
    tab = first(page, serve)
    bridge = widget(tab, "welcome-bridge")
    told = bridge.locator(".said")
    expect(told).to_contain_text("To write “")
    bridge.locator(".written button").first.hover()
    expect(told).to_contain_text("To write “\u2066Le\u2069”")
    assert bridge.locator("path").count() >= 1
    bridge.locator(".read button", has_text="chair").focus()
    expect(told).to_contain_text("The model looked at “\u2066chair\u2069” to write")
    tab.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("“\u2066red\u2069”")
    end = bridge.locator(".read button", has_text="(end)")
    end.hover()
    expect(bridge.locator(".tip")).to_contain_text("Marks where the text stops.")


def test_one_click_changes_a_word_and_the_translation(page: Open, serve: Callable[[str], str]) -> None:
    tab = first(page, serve)
    widget(tab, "welcome-second").get_by_role("button").click()
    words = widget(tab, "welcome-bridge").locator(".written")
    expect(words).to_contain_text("qu'il")
    widget(tab, "welcome-swap").get_by_role("button").click()
    expect(words).to_contain_text("qu'elle")
    expect(widget(tab, "t").locator("input")).to_have_value(
        "The animal couldn't cross the street because it was too wide."
    )


LONG = "The woman in the yellow dress buys two red apples and a loaf of bread at the market on Sunday."
CROSSED = """root => {
  const inside = (box, { x, y }, by) =>
    x > box.left + by && x < box.right - by && y > box.top + by && y < box.bottom - by;
  const boxes = [...root.querySelectorAll(".word, p")].map((each) => each.getBoundingClientRect());
  const points = [...root.querySelectorAll("path")].flatMap((path) => {
    const whole = path.getTotalLength();
    return Array.from({ length: 200 }, (_, i) => path.getPointAtLength((whole * i) / 199)
      .matrixTransform(path.getScreenCTM()));
  });
  return points.filter((point) => boxes.some((box) => inside(box, point, 1))).length;
}"""


def test_no_line_goes_through_a_word_or_a_caption(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), t=LONG), width=390)
    drawn(tab)
    bridge = widget(tab, "welcome-bridge")
    buttons = bridge.locator(".word")
    tops = {round(box["y"]) for each in buttons.all() if (box := each.bounding_box())}
    assert len(tops) > 3  # the sentences take several rows each
    for each in buttons.all():
        each.focus()
        assert bridge.locator("path").count()
        assert bridge.evaluate(CROSSED) == 0


def test_the_picture_is_saved_as_it_stands(page: Open, serve: Callable[[str], str]) -> None:
    tab = first(page, serve)
    with tab.expect_download() as saved:
        widget(tab, "welcome-bridge").get_by_role("button", name="as SVG").click()
    text = saved.value.path().read_text()
    assert ">rouge</text>" in text and ">red</text>" in text and "<path" in text and "Your sentence" in text


def test_build_your_own_opens_the_drawer_with_the_sizes_in_the_address(visit: Open) -> None:
    tab = visit("heads", model="storyteller-small")
    widget(tab, "open-drawer").get_by_role("button", name="Build an untrained model").click()
    expect(widget(tab, "d").locator("input")).to_have_value("64")
    expect(widget(tab, "d")).to_be_in_viewport()
    in_address(tab, "model=random", "kind=decoder", "pos=rotary")


def test_sentences_name_the_largest_weights_of_a_row_or_a_column(call: Call) -> None:
    weights = [0.7, 0.2, 0.1, 0.0, 0.995, 0.005]
    picture = {"weights": weights, "read": ["a", "b", "c"], "written": ["x", "y"]}
    say = "return m.sentence(given[0], given[1]).replaceAll('\u2066', '').replaceAll('\u2069', '')"
    for side, at, said in (
        ("written", 0, "To write “x”, the model looked at “a” (70%), “b” (20%) and “c” (10%)."),
        ("written", 1, "To write “y”, the model looked at “b” (more than 99%)."),
        ("read", 0, "The model looked at “a” to write “x” (70%)."),
    ):
        assert call("bridge/bridge.js", say, [picture, {"side": side, "at": at}]) == said


def test_weights_that_do_not_fit_are_refused() -> None:
    for shape, glosses in (((2, 3), ()), ((3, 2), ()), ((1, 2), ("g", "h"))):
        try:
            Bridge(np.zeros(shape), ("x",), ("a", "b"), key="k", name="n", above="", below="", glosses=glosses)
        except ValueError as mistake:
            assert "do not fit" in str(mistake)
        else:
            raise AssertionError(shape)
