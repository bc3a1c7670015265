"""The HTML page that every visit begins with: Streamlit's own, with our style sheets and scripts that run first."""

from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

HOME = Path(__file__).parent
SCRIPTS, STYLES = ("translated.js", "arriving.js"), ("style.css", "arriving.css")


@cache
def index_page() -> str:
    """Return the page.

    The scripts stand first, because one of them changes what Streamlit's scripts call. The style sheets stand last: at
    equal specificity they beat those that Streamlit writes into the head.
    """
    page = _streamlits_own().read_text(encoding="utf-8")
    scripts = "".join(f"<script>{_content(name)}</script>" for name in SCRIPTS)
    styles = "".join(f'<style id="{name.partition(".")[0]}">{_content(name)}</style>' for name in STYLES)
    return page.replace("<head>", f"<head>{scripts}", 1).replace("</body>", f"{styles}</body>", 1)


def _content(name: str) -> str:
    return (HOME / name).read_text(encoding="utf-8")


def _streamlits_own() -> Path:
    return Path(file_util.get_static_dir()) / "index.html"


class IndexPage:
    """Middleware that answers with our page wherever Streamlit answers with its own, which has a known ETag."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.replaced = FileResponse(path := _streamlits_own(), stat_result=path.stat()).headers["etag"]
        self.page = HTMLResponse(index_page(), headers={"Cache-Control": "no-cache"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        replaces = False

        async def send_ours(message: Message) -> None:
            nonlocal replaces
            if message["type"] == "http.response.start":
                replaces = Headers(raw=message["headers"]).get("etag") == self.replaced
                if replaces:
                    await self.page(scope, receive, send)
            if not replaces:
                await send(message)

        await self.app(scope, receive, send_ours)
