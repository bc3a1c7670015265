"""The server is killed and started again: the address brings a visitor back to the screen that was there."""

import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from tests.benchmarks.load.visit import Visit
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


def test_after_a_kill_the_address_brings_the_screen_back() -> None:
    place = {"model": "random weights", "n": 2, "d": 32, "heads-view": "lines", "layer": 2, "head": 3}
    with serving("app.py") as url:
        before = screen(url, t="a new text", **place)
        for folder in processes(url):
            os.kill(int(folder.name), signal.SIGKILL)
        with serving("app.py", port=int(url.rpartition(":")[2])) as again:
            assert again == url and screen(again, t="a new text", **place) == before
            assert screen(again, t="an old text", **place) != before
