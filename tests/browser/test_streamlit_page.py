"""What our modules look for in Streamlit's page is there; nothing of it is named anywhere else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pages.canvas.runtime.modules import HOME
from tests.browser.test_canvas_modules import Call
from tests.browser.test_canvas_modules import call as call

NAMES = ("MAIN", "NO_RUN", "MENU_OPENER")
MODULE = "runtime/streamlit_page.js"


@pytest.fixture
def selectors(call: Call) -> dict[str, str]:
    found: dict[str, str] = call(MODULE, "return {...m, step: m.numberStep(1), key: m.byKey('look-at')}")
    return found


def test_each_selector_finds_its_element(selectors: dict[str, str], visit: Callable[..., Page]) -> None:
    tab = visit("generate")
    for name in (*NAMES, "key", "step"):
        assert tab.locator(selectors[name]).count(), name
    tab.locator(selectors["MENU_OPENER"]).click()
    tab.locator(selectors["MENU_OF_PAGES"]).wait_for()
    tab.locator(selectors["MENU_CONTENT"]).wait_for()
    tab.locator(selectors["MENU_CLOSER"]).first.evaluate("button => button.click()")
    tab.locator(selectors["MENU_OPENER"]).wait_for()
    kept = tab.evaluate("() => Object.keys(localStorage)")
    assert any(key.startswith(selectors["MENU_SHUT_KEY"]) for key in kept)
    tab.get_by_test_id("stPopover").first.locator("button").click()
    tab.locator(selectors["OPEN_POPOVER"]).first.wait_for()


def test_no_other_module_names_them() -> None:
    names = re.compile(r"data-test|st-key-|\bst(Main|Sidebar|Popover)")
    assert [str(path) for path in HOME.rglob("*.js") if names.search(path.read_text("utf-8"))] == [str(HOME / MODULE)]
