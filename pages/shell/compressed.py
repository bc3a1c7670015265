"""Streamlit's own scripts and style sheets, compressed once for all visitors.

Streamlit sends them as they are, because its server would compress them again for each visitor. They are most of what
a first visit loads.
"""

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import file_util

from pages.canvas.runtime.modules import base_path

TYPES = {".js": "text/javascript", ".css": "text/css"}
YEAR_SECONDS = 31_536_000  # the name of a file changes with its content
HEADERS = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


@cache
def static_files() -> Mapping[str, Path]:
    """Return Streamlit's scripts and style sheets by their paths below the app."""
    home = Path(file_util.get_static_dir())
    paths = (path for path in sorted((home / "static").rglob("*")) if path.suffix in TYPES)
    return {path.relative_to(home).as_posix(): path for path in paths}


@cache
def compressed(name: str) -> bytes:
    """Return one of `static_files`, compressed."""
    return gzip.compress(static_files()[name].read_bytes(), mtime=0)


def takes_gzip(scope: Scope) -> bool:
    """Return whether a request's browser reads compressed answers."""
    offers = Headers(scope=scope).get("accept-encoding", "").split(",")
    return any(offer.strip().partition(";")[0] == "gzip" and "q=0" not in offer.replace(" ", "") for offer in offers)


class CompressedFiles:
    """Middleware that answers requests for Streamlit's scripts and style sheets."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.names = app, {f"{base_path()}/{name}": name for name in static_files()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = self.names.get(scope.get("path", "")) if scope["type"] == "http" else None
        if name is None or scope["method"] != "GET" or not takes_gzip(scope):
            await self.app(scope, receive, send)
            return
        content = await run_in_threadpool(compressed, name)
        headers = HEADERS | {"Cache-Control": f"public, immutable, max-age={YEAR_SECONDS}"}
        await Response(content, media_type=TYPES[Path(name).suffix], headers=headers)(scope, receive, send)
