"""Fixtures for tests in a real browser: a Chromium that is on the machine, a Streamlit server, watched pages."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from pages.shell.settings import RANDOM_WEIGHTS
from tests.browser.driver import BROWSERS, FLAGS, WAIT, address, browser_path, drawn, settled
from tests.browser.server import ROOT, foreign_hosts, serving
from tests.browser.tabs import Tabs, WatchedTab
from tests.pages.house import ANY_MODEL

expect.set_options(timeout=WAIT)
# Most pages live too short for what the compiler that optimises costs: a sixth of the browser's work.
UNOPTIMISED = "--js-flags=--no-opt"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One headless browser for the whole run; without one, tests fail in CI and are skipped elsewhere."""
    path = browser_path()
    if path is None:
        message = f"no browser found: none of {', '.join(BROWSERS)} is on the path"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, UNOPTIMISED])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for what the servers of `serve` ask of other hosts."""
    return tmp_path_factory.mktemp("servers") / "foreign"


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory, foreign: Path) -> Iterator[Callable[[Path | str], str]]:
    """`serve(app_path)` runs the app on a free port and returns its URL; one server per app, all stopped at the end.

    The run fails when any of them has asked another host for anything.
    """
    running: dict[Path, str] = {}
    with ExitStack() as servers:

        def start(app: Path | str) -> str:
            path = ROOT / app
            if path not in running:
                log = tmp_path_factory.mktemp("server") / f"{path.stem}.log"
                running[path] = servers.enter_context(serving(path, log, foreign=foreign))
            return running[path]

        yield start
    assert foreign_hosts(foreign) == []


@pytest.fixture(scope="session")
def tabs(chromium: Browser) -> Iterator[Tabs]:
    """What the pages of all tests are opened in."""
    kept = Tabs(chromium)
    yield kept
    kept.close()


@pytest.fixture
def page(tabs: Tabs) -> Iterator[Callable[..., Page]]:
    """`page(url, width=1280, height=900, dark=False, new=False, **context)` opens `url` and waits for the script's end.

    new: in a tab with an empty cache, in which `layout_shift.moved_too_far` can be asked.

    The test fails when any of its pages logs an error, throws, opens a dialog, or asks another host for anything.
    """
    taken: list[WatchedTab] = []

    def open_page(
        url: str, *, width: int = 1280, height: int = 900, dark: bool = False, new: bool = False, **options: Any
    ) -> Page:
        taken.append(tabs.take(ViewportSize(width=width, height=height), dark, new, **options))
        tab = taken[-1].page
        tab.goto(url)
        settled(tab)
        return tab

    yield open_page
    problems = [problem for tab in taken for problem in tab.problems]
    for tab in reversed(taken):
        tabs.put_back(tab)
    assert not problems, "\n".join(problems)


@pytest.fixture
def visit(
    request: pytest.FixtureRequest, page: Callable[..., Page], serve: Callable[[str], str]
) -> Callable[..., Page]:
    """`visit("heads", d=32, dark=True)` opens a page of the app by deep link and waits for its pictures.

    Without a name: the page that the test's file names in PAGE, or the journey. Where the test names no model, pages
    that can show any have random weights.
    """
    home = getattr(request.module, "PAGE", "") or "journey"

    def open_page(
        path: str = home, *, dark: bool = False, width: int = 1280, touch: bool = False, **params: Any
    ) -> Page:
        path = path or "journey"
        if path in ANY_MODEL:
            params = {"model": RANDOM_WEIGHTS, **params}
        context = {"has_touch": True} if touch else {}
        tab = page(address(serve("app.py"), path, **params), dark=dark, width=width, **context)
        drawn(tab)
        return tab

    return open_page
