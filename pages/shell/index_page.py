"""The HTML page that every visit begins with: Streamlit's own, with our style sheets and scripts that run first."""

import gzip
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from pages.canvas.runtime.modules import address, needed_by
from pages.shell.compressed import HEADERS, takes_gzip

HOME = Path(__file__).parent
SCRIPTS, STYLE = ("translated.js", "arriving.js", "heard.js"), "style.css"
COMPONENTS = ("address", "drawer", "presenter", "saved_facts", "terms")  # of every page
FONTS = ("SourceSansVF-Upright", "MaterialSymbols-Rounded")  # of every page, as Streamlit's files of them begin


@cache
def index_page() -> str:
    """Return the HTML page that loads Streamlit's app, with our scripts, fonts and style sheets in it.

    The scripts come first, because one of them changes what Streamlit's scripts call. The style sheets, the shell's and
    then those of the topics, come last: at equal specificity they beat those that Streamlit writes into the head.
    The fonts are requested at once: a text whose font comes later is laid out twice, and everything below it moves. The
    modules of every page are requested while Streamlit's scripts come, not after them, one import after the other.
    """
    page = _streamlits_own().read_text(encoding="utf-8")
    scripts = "".join(f"<script>{_content(name)}</script>" for name in SCRIPTS)
    early = "".join([*map(_preload, _font_files()), *map(_preload_module, _modules())])
    sheets = [_content(STYLE), *(path.read_text(encoding="utf-8") for path in topic_sheets(STYLE))]
    style = f"<style>{''.join(sheets)}</style>"
    return page.replace("<head>", f"<head>{scripts}{early}", 1).replace("</body>", f"{style}</body>", 1)


def topic_sheets(name: str) -> list[Path]:
    """Return the style sheets of this name that are in the folders of topics, beside their page.py."""
    return sorted(HOME.parent.glob(f"*/*/{name}"))


def _content(name: str) -> str:
    return (HOME / name).read_text(encoding="utf-8")


def _streamlits_own() -> Path:
    return Path(file_util.get_static_dir()) / "index.html"


def _font_files() -> list[str]:
    media = _streamlits_own().parent / "static" / "media"
    return [path.name for name in FONTS for path in sorted(media.glob(f"{name}.*woff2"))]


def _preload(font: str) -> str:
    return f'<link rel="preload" href="./static/media/{font}" as="font" type="font/woff2" crossorigin>'


def _modules() -> list[str]:
    """Return the paths of the modules that every page loads."""
    needed = frozenset[str]().union(*(needed_by(f"{name}/{name}.js") for name in COMPONENTS))
    return sorted(path for path in needed if path.endswith(".js"))


def _preload_module(path: str) -> str:
    return f'<link rel="modulepreload" href="./{address(path)}" fetchpriority="low">'


class IndexPage:
    """Middleware that answers with our page wherever Streamlit answers with its own, which has a known ETag."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.replaced = FileResponse(path := _streamlits_own(), stat_result=path.stat()).headers["etag"]
        plain = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        self.page = HTMLResponse(index_page(), headers=plain)
        self.small = HTMLResponse(gzip.compress(index_page().encode()), headers=plain | HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        replaces = False

        async def send_ours(message: Message) -> None:
            nonlocal replaces
            if message["type"] == "http.response.start":
                replaces = Headers(raw=message["headers"]).get("etag") == self.replaced
                if replaces:
                    await (self.small if takes_gzip(scope) else self.page)(scope, receive, send)
            if not replaces:
                await send(message)

        await self.app(scope, receive, send_ours)
