"""The server is killed and started again: the address brings the screen back, and an open page goes on."""

import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, expect

from tests.benchmarks.load.visit import Visit
from tests.browser.driver import address, drawn, pill
from tests.browser.server import processes, serving
from tests.pages.screen import STAMP


def written(proto: Any, kind: str) -> bytes:
    """An element as bytes; a drawing without its stamp, which differs from session to session."""
    if kind == "bidi_component":
        proto.bytes = proto.bytes[:-STAMP]
        proto.json = json.dumps({key: value for key, value in json.loads(proto.json or "{}").items() if key != "stamp"})
    found: bytes = proto.SerializeToString(deterministic=True)
    return found


def screen(url: str, **query: object) -> list[bytes]:
    """Every drawing and every sentence that comes to the browser of a visitor with this address."""

    async def look() -> list[bytes]:
        visit = Visit(url)
        await visit.open("heads", urlencode(query))
        shown = [each for each in visit.screen.shown() if each.kind in ("bidi_component", "markdown", "heading")]
        await visit.close()
        return [written(each.proto, each.kind) for each in shown]

    with ThreadPoolExecutor(1) as beside:  # in this thread a browser's loop may be running
        return beside.submit(asyncio.run, look()).result()


def kill(url: str) -> None:
    for folder in processes(url):
        os.kill(int(folder.name), signal.SIGKILL)


def test_after_a_kill_the_address_brings_the_screen_back() -> None:
    place = {"model": "random weights", "n": 2, "d": 32, "heads-view": "lines", "layer": 2, "head": 3}
    with serving("app.py") as url:
        before = screen(url, t="a new text", **place)
        kill(url)
        with serving("app.py", port=int(url.rpartition(":")[2])) as again:
            assert again == url and screen(again, t="a new text", **place) == before
            assert screen(again, t="an old text", **place) != before


def test_an_open_page_answers_its_first_click_after_a_kill(chromium: Browser) -> None:
    with serving("app.py") as url, chromium.new_page() as tab:
        tab.goto(address(url, "heads", t="a new text", layer=2))
        drawn(tab)
        kill(url)
        lost = tab.get_by_role("dialog").filter(has_text="Connection error")
        expect(lost).to_be_visible()
        with serving("app.py", port=int(url.rpartition(":")[2])):
            expect(lost).to_have_count(0)
            pill(tab, "layer", "3").click()
            tab.wait_for_function("() => location.search.includes('layer=3')")
