"""The files of the class's plain pages: HTML with the addresses of what each needs, and scripts and style sheets."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from pages.canvas.runtime import modules

WEB = Path(__file__).parent / "web"
TYPES = {".js": "text/javascript", ".css": "text/css"}
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def web_files() -> Mapping[str, bytes]:
    """Return every script and style sheet by its name."""
    return {path.name: path.read_bytes() for path in sorted(WEB.iterdir()) if path.suffix in TYPES}


@cache
def web_version() -> str:
    """Return twelve hexadecimal digits that change when any of the files does."""
    digest = hashlib.sha256()
    for name, content in web_files().items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]


@cache
def page_html(name: str, depth: int) -> str:
    """Return the HTML of a page.

    depth: the number of folders between the app's root and the page's address, by which it finds its files.
    """
    root = "../" * depth or "./"
    html = (WEB / f"{name}.html").read_text(encoding="utf-8")
    for mark, address in (
        ("WEB/", f"{root}class/web/{web_version()}/"),
        ("CANVAS/", root + modules.address("")),
        ("ROOT/", root),
    ):
        html = html.replace(mark, address)
    return html


async def web_file(request: Request) -> Response:
    """Answer with a script or a style sheet of the class pages."""
    name = request.path_params["name"]
    content = web_files().get(name)
    if content is None:
        return PlainTextResponse("There is no such file.", status_code=404)
    return Response(content, media_type=TYPES[Path(name).suffix], headers=FOR_EVER)


def page_answer(name: str, depth: int) -> Response:
    """Answer with a page that browsers must not cache."""
    return HTMLResponse(page_html(name, depth), headers={"Cache-Control": "no-store"})
