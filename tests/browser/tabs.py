"""Tabs that tests use one after the other.

A page of the app opens in about half the time in a tab that has opened one before: its scripts are compiled already.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, ViewportSize

from tests.browser.driver import WAIT

KEPT = 2
STEPS = 25  # of its history, after which a tab is closed: a browser keeps 50
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

    own: of one test alone.
    """

    def __init__(self, context: BrowserContext, own: bool = False) -> None:
        self.page, self.own = context.new_page(), own
        self.page.set_default_timeout(WAIT)
        self.problems: list[str] = []
        for script in (STILL, TRAFFIC, REPORT_POLICY):
            self.page.add_init_script(script)
        self.page.on("console", self._logged)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("dialog", lambda dialog: self.problems.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: self._asked(socket.url))

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not BASE_PATH_PROBE.fullmatch(urlsplit(message.location["url"]).path):
            self.problems.append(f"console: {message.text}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in LOOPBACK:
            self.problems.append(f"request to another host: {url}")

    def clear(self) -> bool:
        """Leave the page and forget what it stored; False where the tab is of no more use."""
        if self.own or self.page.is_closed():
            return False
        try:
            if self.page.evaluate(FORGET) > STEPS:
                return False
            self.page.context.clear_cookies()
            self.page.goto("about:blank")
        except Error:
            return False
        self.problems.clear()
        return True

    def close(self) -> None:
        self.page.context.close()


class Tabs:
    """The tabs of one browser: at most KEPT wait for the next test."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[WatchedTab] = []

    def take(self, size: ViewportSize, dark: bool, **options: Any) -> WatchedTab:
        """A tab of this size and theme; one whose context has options of its own is new."""
        if options or not self.free:
            tab = WatchedTab(self.browser.new_context(**options), own=bool(options))
        else:
            tab = self.free.pop()
        tab.page.set_viewport_size(size)
        tab.page.emulate_media(color_scheme="dark" if dark else "light")
        if not tab.own:
            tab.page.emulate_media(forced_colors="none")
        return tab

    def put_back(self, tab: WatchedTab) -> None:
        if len(self.free) < KEPT and tab.clear():
            self.free.append(tab)
        else:
            tab.close()

    def close(self) -> None:
        for tab in self.free:
            tab.close()
