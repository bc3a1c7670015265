"""What axe-core finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")


def found_by_axe(tab: Page, *only: str) -> list[str]:
    """The serious problems: which rule, and where. only: the rules that are tried, where not all are."""
    # Streamlit draws the menu of a narrow screen with parts in its list that are no items of it.
    asked = {"exclude": [["[data-testid=stSidebarNav]"]]}
    # Browsers give the keyboard what can be scrolled (Chromium 130); the rule asks for an attribute besides.
    rules = {"scrollable-region-focusable": {"enabled": False}}
    options: dict[str, Any] = {"rules": rules, "resultTypes": ["violations"]}  # what is kept is not told
    options |= {"runOnly": [*only]} if only else {}
    violations = Axe().run(tab, context=asked, options=options).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary'][:200]}"
        for each in violations
        if each["impact"] in SERIOUS
        for node in each["nodes"][:3]
    ]
