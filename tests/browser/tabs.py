"""Tabs that tests use one after the other.

A page of the app opens in about half the time in a tab that has opened one before: its scripts are compiled already.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, ViewportSize

from tests.browser.driver import WAIT
from tests.browser.layout_shift import WATCH

KEPT = 3
STEPS = 25  # of its history, after which another page stands in its context: a browser keeps 50
FORGET = "() => { localStorage.clear(); sessionStorage.clear(); return history.length; }"
REPORT_POLICY = """document.addEventListener("securitypolicyviolation", (broken) =>
  console.error(`policy: ${broken.effectiveDirective} refuses ${broken.blockedURI} in ${broken.sourceFile}`));"""
TRAFFIC = Path(__file__).with_name("traffic.js").read_text(encoding="utf-8")  # what `driver.settled` goes by
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
# On a deep link Streamlit's client finds the app's base path by asking one folder too deep first, and gets a 404.
BASE_PATH_PROBE = re.compile(r"/[^/_]+/_stcore/(health|host-config)")
# Fades, slides and what turns while one waits end at once: to draw their frames took a sixth of the work. A duration of
# zero would also end the animations that follow a scroll position.
STILL = """{
  const sheet = new CSSStyleSheet();
  const times = ["animation-delay: 0s", "animation-duration: 0.01ms", "animation-iteration-count: 1"];
  const none = [...times, "transition-duration: 0s", "transition-delay: 0s"].map((each) => `${each} !important`);
  sheet.replaceSync(`*, ::before, ::after { ${none.join("; ")} }`);
  document.adoptedStyleSheets.push(sheet);
}"""


class WatchedTab:
    """A tab in a context of its own. problems: errors logged or thrown, dialogs, requests to other hosts, and whatever
    the Content-Security-Policy refuses.

    options: those of its context.
    scripts: run before those of each of its pages.
    """

    def __init__(self, context: BrowserContext, options: Mapping[str, Any], *scripts: str) -> None:
        self.context, self.options, self.scripts = context, options, scripts
        self.problems: list[str] = []
        self.page = self._new_page()

    def _new_page(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(WAIT)
        for script in (*self.scripts, TRAFFIC, REPORT_POLICY):
            page.add_init_script(script)
        page.on("console", self._logged)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("dialog", lambda dialog: self.problems.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self._asked(request.url))
        page.on("websocket", lambda socket: self._asked(socket.url))
        return page

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not BASE_PATH_PROBE.fullmatch(urlsplit(message.location["url"]).path):
            self.problems.append(f"console: {message.text}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in LOOPBACK:
            self.problems.append(f"request to another host: {url}")

    def clear(self) -> bool:
        """Leave the page and forget what it stored; False where the tab is of no more use."""
        if self.page.is_closed():
            return False
        try:
            steps = self.page.evaluate(FORGET)
            self.context.clear_cookies()
            if steps > STEPS:
                self.page.close()
                self.page = self._new_page()
            else:
                self.page.goto("about:blank")
        except Error:
            return False
        self.problems.clear()
        return True

    def close(self) -> None:
        self.context.close()


class Tabs:
    """The tabs of one browser: for each set of options at most KEPT wait for the next test."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[WatchedTab] = []

    def take(self, size: ViewportSize, dark: bool, new: bool = False, **options: Any) -> WatchedTab:
        """A tab of this size and theme, whose context has these options.

        new: one that has opened nothing before, with animations, which notes what moves (`layout_shift`).
        """
        scripts = (WATCH,) if new else (STILL,)
        free = (each for each in self.free if each.options == options and each.scripts == scripts)
        tab = None if new else next(free, None)
        if tab is None:
            tab = WatchedTab(self.browser.new_context(**options), options, *scripts)
        else:
            self.free.remove(tab)
        tab.page.set_viewport_size(size)
        tab.page.emulate_media(color_scheme="dark" if dark else "light")
        tab.page.emulate_media(forced_colors=options.get("forced_colors", "none"))
        return tab

    def put_back(self, tab: WatchedTab) -> None:
        kept = sum(each.options == tab.options for each in self.free)
        if STILL in tab.scripts and kept < KEPT and tab.clear():
            self.free.append(tab)
        else:
            tab.close()

    def close(self) -> None:
        for tab in self.free:
            tab.close()
