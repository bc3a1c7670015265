"""Small helpers for driving the app in Chromium, shared by tests and benchmarks."""

import shutil
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The Chromium of this machine, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def address(base: str, page: str = "", **params: object) -> str:
    """The URL of a page with these settings."""
    return f"{base}/{page}?{urlencode(params, doseq=True)}"


def settled(tab: Page) -> None:
    """Wait until the app's script has run and nothing is left to run."""
    tab.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=60_000)


def widget(tab: Page, key: str) -> Locator:
    """The widget of the setting with this key."""
    return tab.locator(f".st-key-{key}")


def pill(tab: Page, key: str, label: str) -> Locator:
    """One pill of a setting."""
    return widget(tab, key).get_by_role("radio", name=label, exact=True)


def enter(tab: Page, key: str, value: object) -> None:
    """Write into a text or number box, and press Enter."""
    box = widget(tab, key).locator("input")
    box.fill(str(value))
    box.press("Enter")
