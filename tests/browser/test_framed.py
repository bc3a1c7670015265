"""The app in a frame of another site: one view alone where the site is named, and nothing where it is not."""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser.driver import WAIT
from tests.browser.server import serving

VIEW = "self-attention?t=The+cat+sat&embed=true"
HIDDEN = (".st-key-header", ".st-key-views", ".st-key-pins", "[data-testid=stHeader]")


class Course(BaseHTTPRequestHandler):
    """A page that shows in a frame what its query names."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'<iframe width="900" height="650" src="{self.path.partition("?")[2]}"></iframe>'.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def course() -> Iterator[str]:
    """The origin of another site."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Course)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A page that may log errors: that of a frame which is refused."""
    context = chromium.new_context(viewport={"width": 1000, "height": 720})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    yield page
    context.close()


def frame_of(tab: Page, course: str, app: str) -> Frame:
    tab.goto(f"{course}/?{app}/{VIEW}")
    outer = tab.wait_for_selector("iframe")
    frame = outer.content_frame() if outer else None
    assert frame
    return frame


def test_a_site_that_is_named_shows_one_view_that_answers(tab: Page, course: str, tmp_path: Path) -> None:
    with serving("app.py", tmp_path / "log", variables={"STREAMLIT_CLIENT_ALLOWED_ORIGINS": course}) as app:
        frame = frame_of(tab, course, app)
        expect(frame.locator(".st-key-main-picture")).to_be_visible()
        for hidden in HIDDEN:
            expect(frame.locator(hidden).first).to_be_hidden()
        frame.get_by_text("2 score").click()
        expect(frame.get_by_text("a large score means that they point the same way")).to_be_visible()
        expect(frame.get_by_text(re.compile("minute route"))).to_have_count(0)
        out = frame.get_by_role("link", name="Open in Attention Explorer")
        assert out.get_attribute("target") == "_blank"
        address = out.get_attribute("href") or ""
        assert address.startswith(f"{app}/self-attention?") and "t=The+cat+sat" in address and "embed" not in address


def test_a_site_that_is_not_named_shows_nothing(tab: Page, course: str, serve: Callable[[str], str]) -> None:
    with tab.expect_console_message(lambda message: "frame-ancestors" in message.text):
        frame = frame_of(tab, course, serve("app.py"))
    assert frame.locator("[data-testid=stApp]").count() == 0
