"""Without the changes to Streamlit that only make it quicker, the app works as it does with them."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from pages.shell.environment import PATCHES_VARIABLE
from tests.browser.driver import address, drawn, settled
from tests.browser.server import serving
from tests.browser.test_arrival import choose


def test_pages_open_and_answer_without_the_quickening_changes(page: Callable[..., Page]) -> None:
    with serving("app.py", variables={PATCHES_VARIABLE: "needed"}) as url:
        tab = page(address(url, "heads", t="the cat sat on the mat"))
        drawn(tab)
        tab.get_by_role("radio", name="lines").click()
        settled(tab)
        expect(tab).to_have_url(re.compile("heads-view=lines"))
        choose(tab, "Attention", "Scores and scaling")
        expect(tab).to_have_url(re.compile("/scaling.*the.cat.sat"))
        settled(tab)
