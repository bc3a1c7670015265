"""The page Depth in a real browser: by touch and by keyboard, wide and narrow, in both themes, with hostile text."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import in_address, pill, widget
from tests.pages.screen import HOSTILE

Open = Callable[..., Page]
PAGE = "depth"
# No text of a chart ends beyond the chart's own right edge.
NOT_CLIPPED = """() => [...document.querySelectorAll("svg.marks")].every((svg) => [...svg.querySelectorAll("text")]
  .every((text) => text.getBoundingClientRect().right <= svg.getBoundingClientRect().right + 2))"""
TITLE_INSIDE = """() => document.querySelector("svg.marks .role-title-text text")?.getBoundingClientRect().top >=
  document.querySelector("svg.marks")?.getBoundingClientRect().top - 6"""


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
def test_a_stack_grows_by_touch_and_keyboard_and_a_vector_turns(visit: Open, width: int, dark: bool) -> None:
    tab = visit(width=width, dark=dark, touch=True, t=f"{HOSTILE} a cat", **{"depth-layers": 4})
    expect(tab.get_by_text("of its direction after one layer")).to_be_visible()
    pill(tab, "depth-view", "signal and gradient").tap()
    expect(tab.get_by_text("the gradient at the first of 4 layers")).to_be_visible()
    pill(tab, "depth-show", "activations").tap()
    expect(tab.get_by_text("the activations after 4 layers")).to_be_visible()
    widget(tab, "depth-layers").get_by_role("slider").press("ArrowRight")
    expect(tab.get_by_text("the activations after 5 layers")).to_be_visible()
    in_address(tab, "depth-show=activations", "depth-layers=5")
    tab.wait_for_function(NOT_CLIPPED)
    tab.reload()  # in a row that scrolls, the tap after that on a slider only brings the focus back
    expect(tab.get_by_text("the activations after 5 layers")).to_be_visible()
    pill(tab, "depth-view", "powers of a matrix").tap()
    expect(tab.get_by_text("a vector fades away")).to_be_visible()
    tab.wait_for_function(TITLE_INSIDE)
    pill(tab, "depth-view", "power method").tap()
    expect(tab.get_by_text("after 5 steps")).to_be_visible()
    tab.get_by_role("button", name="Step", exact=True).tap()
    expect(tab.get_by_text("after 6 steps")).to_be_visible()
    in_address(tab, "depth-step=6")
    tab.wait_for_function(NOT_CLIPPED)
    tab.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
