"""The drawings' modules as files of the server: where they are found, what may be fetched, and what a click sends."""

import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.canvas.runtime import modules
from tests.browser.driver import drawn, pill, settled
from tests.browser.server import serving

DEMO = "tests/browser/apps/lines_demo.py"
MOST = 10_000  # bytes of script that one click may send
PICTURES = "(all) => all.map((canvas) => canvas.toDataURL())"


def drawing(frame: bytes | str) -> Any:
    """The component in a message to the browser, or None."""
    message = ForwardMsg()
    message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
    element = message.delta.new_element
    return element.bidi_component if element.WhichOneof("type") == "bidi_component" else None


def changed(tab: Page, before: list[str]) -> bool:
    deadline = time.monotonic() + 20
    while tab.locator("canvas.base").evaluate_all(PICTURES) == before:
        if time.monotonic() > deadline:
            return False
        tab.wait_for_timeout(100)
    return True


NO_DRAWINGS = ("saved_facts", "address", "next_frames")  # of the components


def test_another_layer_of_the_journey_sends_hardly_any_script(visit: Callable[..., Page]) -> None:
    tab, frames = visit(), list[bytes | str]()

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(frame))

    tab.on("websocket", listen)
    tab.reload()
    settled(tab)
    drawn(tab)
    before = tab.locator("canvas.base").evaluate_all(PICTURES)
    frames.clear()
    pill(tab, "layer", "2").click()
    assert changed(tab, before)
    settled(tab)
    named = (found for frame in frames if (found := drawing(frame)))
    sent = [each for each in named if each.component_name not in NO_DRAWINGS]
    without = [each.component_name for each in sent if not each.bytes]
    assert len(sent) >= 5 and without == [], "the drawings of the journey came with their data"
    assert sum(len(each.js_content + each.css_content + each.html_content) for each in sent) < MOST


def answer(url: str) -> tuple[int, dict[str, str]]:
    """Status and headers, past any proxy of this machine."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url) as found:
            return found.status, {name.lower(): value for name, value in found.headers.items()}
    except urllib.error.HTTPError as refused:
        return refused.code, {}


def test_only_scripts_and_style_sheets_are_served_and_for_good(serve: Callable[[str], str]) -> None:
    home = serve(DEMO)
    for path, kind in (("lines/lines.js", "text/javascript"), ("runtime/shared.css", "text/css")):
        status, headers = answer(f"{home}/{modules.address(path)}")
        assert status == 200 and headers["content-type"].startswith(kind)
        assert "immutable" in headers["cache-control"] and headers["x-content-type-options"] == "nosniff"
    for path in (
        "lines/lines.py",
        "runtime/../lines/lines.py",
        "..%2f..%2fapp.py",
        "%2e%2e/app.py",
        "",
        "lines/",
    ):
        status, headers = answer(f"{home}/{modules.address(path)}")
        assert status >= 400 or "javascript" not in headers["content-type"], path


def test_a_module_is_fetched_once(page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    tab, asked = page(f"{serve(DEMO)}/?tokens=6"), list[str]()
    expect(tab.locator(".save-png")).to_be_visible()
    tab.on("request", lambda request: asked.append(request.url))
    tab.locator(".column.q button").nth(3).click()
    expect(tab.get_by_text("pinned: 3 after 1")).to_be_visible()
    assert not [url for url in asked if "/canvas/" in url]


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the demo below a base path of two segments."""
    with serving(DEMO, tmp_path_factory.mktemp("server") / "below.log", base="foo/bar") as url:
        yield url


@pytest.mark.parametrize("address", ["/", ""])
def test_pictures_are_drawn_below_a_base_path(page: Callable[..., Page], below: str, address: str) -> None:
    tab = page(f"{below}{address}?tokens=6")
    expect(tab.locator(".column.q button")).to_have_count(6)


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """A page that may log errors: of files that are not found."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def test_pictures_are_drawn_where_the_files_are_one_level_up(tab: Page, below: str) -> None:
    """As behind a proxy that puts a segment before the pages' names, but not before the files."""

    def one_level_up(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace("/foo/canvas/", "/foo/bar/canvas/")))

    tab.route("**/foo/bar/canvas/**", lambda route: route.fulfill(status=404, body="not here"))
    tab.route("**/foo/canvas/**", one_level_up)
    tab.goto(f"{below}/?tokens=6")
    expect(tab.locator(".column.q button")).to_have_count(6)


@pytest.mark.parametrize("missing", ["lines.js", "unpack.js", "lines.css"])
def test_a_picture_whose_files_are_missing_says_so(tab: Page, serve: Callable[[str], str], missing: str) -> None:
    tab.route(f"**/canvas/**/{missing}", lambda route: route.abort())
    tab.goto(f"{serve(DEMO)}/?tokens=6")
    expect(tab.get_by_text(modules.FAILED)).to_be_visible()
