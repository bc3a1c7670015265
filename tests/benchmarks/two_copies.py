"""Two copies of the app behind Caddy, as `compose.yaml` has them: what visitors notice when one goes and comes back.

    python -m tests.benchmarks.two_copies [--visitors 4]

Needs `caddy` and a Chromium on the path. Visitors open a page with settings of their own; each must stay with one copy
(a file of a copy is not found at the other). Then each copy in turn is stopped, as in a restart, and started again. A
visitor's screen must come back by itself, as it was, and whoever comes meanwhile must find the app.
"""

import argparse
import os
import subprocess
import textwrap
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.browser.driver import FLAGS, address, browser_path, drawn, location, pill, settled, widget
from tests.browser.server import ROOT, free_port, serving

COPIES = ("explorer-1:8501", "explorer-2:8501")
NONE_LOST = "all screens came back as they were"


def caddyfile(ports: list[int]) -> str:
    """The proxy's configuration out of `compose.yaml`, with the copies on this machine."""
    said = textwrap.dedent((ROOT / "compose.yaml").read_text().split("content: |\n")[1]).replace("$$", "$")
    for copy, port in zip(COPIES, ports, strict=True):
        assert copy in said
        said = said.replace(copy, f"127.0.0.1:{port}")
    return said


@contextmanager
def proxy(ports: list[int]) -> Iterator[str]:
    """Caddy before the copies; gives the address that visitors know."""
    with TemporaryDirectory() as folder:
        url = f"http://127.0.0.1:{free_port()}"
        place = Path(folder, "Caddyfile")
        place.write_text("{\n\tadmin off\n}\n" + caddyfile(ports))
        environment = os.environ | {"SITE": url, "HOME": folder}
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(place)]
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield url
        finally:
            running.terminate()
            running.wait(10)


class Newcomers(threading.Thread):
    """Somebody new asks for the app five times a second; counts who found it and who did not."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.found, self.lost, self.over = url, 0, list[str](), threading.Event()

    def run(self) -> None:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while not self.over.wait(0.2):
            try:
                with opener.open(f"{self.url}/heads", timeout=10) as answer:
                    answer.read()
                self.found += 1
            except OSError as error:
                self.lost.append(str(error))


def screen(tab: Page) -> tuple[str, str]:
    """What a visitor sees: the address, and the words of the page's part below the menu."""
    settled(tab)
    drawn(tab)
    return location(tab), " ".join(tab.get_by_test_id("stMain").inner_text().split())


def copy_of(context: BrowserContext) -> str:
    """The copy that a visitor is with, by the proxy's cookie."""
    return next(each["value"] for each in context.cookies() if each["name"] == "copy")


def back(tab: Page, before: tuple[str, str]) -> float | None:
    """Seconds until the screen is as it was; None where it is not within a minute."""
    start = time.perf_counter()
    while time.perf_counter() - start < 60:
        if tab.get_by_test_id("stConnectionStatus").count() == 0 and screen(tab) == before:
            return time.perf_counter() - start
        tab.wait_for_timeout(250)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description="Two copies behind a proxy, each stopped and started again.")
    parser.add_argument("--visitors", type=int, default=4)
    options = parser.parse_args()
    ports = [free_port(), free_port()]
    with ExitStack() as stack, sync_playwright() as playwright:
        copies = [stack.enter_context(_stack(port)) for port in ports]
        url = stack.enter_context(proxy(ports))
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        time.sleep(3)  # in which Caddy asks the copies how they are
        tabs = [_visitor(browser.new_context(), url, number) for number in range(options.visitors)]
        before = [screen(tab) for tab in tabs]
        where = [copy_of(tab.context) for tab in tabs]
        print(f"{options.visitors} visitors, with each copy: {sorted(where.count(each) for each in set(where))}")
        for tab in tabs:
            with tab.expect_download() as download:
                widget(tab, "heads-all-heads-csv").get_by_role("button").click()
            assert download.value.path().stat().st_size > 100
        print("each fetched a file from its own copy")
        for number, port in enumerate(ports):
            newcomers = Newcomers(url)
            newcomers.start()
            copies[number].close()
            time.sleep(4)
            took = [back(tab, screen_before) for tab, screen_before in zip(tabs, before, strict=True)]
            copies[number] = stack.enter_context(_stack(port))
            time.sleep(3)
            newcomers.over.set()
            newcomers.join()
            print(f"copy {number + 1} stopped: {NONE_LOST if None not in took else took}")
            print(f"  meanwhile {newcomers.found} newcomers found the app, {len(newcomers.lost)} did not")
        for tab in tabs:
            pill(tab, "layer", "3").click()
            tab.wait_for_function("() => location.search.includes('layer=3')", timeout=60_000)
        print("each screen answers a click")
        moved = [copy_of(tab.context) for tab in tabs]
        print(f"visitors with another copy than at first: {sum(a != b for a, b in zip(where, moved, strict=True))}")
        browser.close()


def _stack(port: int) -> ExitStack:
    """A copy on a port, stopped by `close()`."""
    held = ExitStack()
    held.enter_context(serving("app.py", port=port))
    return held


def _visitor(context: BrowserContext, url: str, number: int) -> Page:
    tab = context.new_page()
    tab.goto(address(url, "heads", t=f"visitor {number} sees the cat", layer=2, head=number % 4 + 1))
    drawn(tab)
    return tab


if __name__ == "__main__":
    main()
