"""The addresses of the pages to print: one below `/print` for each page, its style sheet and its script."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages.classroom.printed.glossary import glossary_sheet
from pages.classroom.printed.html import Html
from pages.classroom.printed.inventory import inventory_sheet
from pages.classroom.printed.plan import plan
from pages.classroom.printed.report import report
from pages.classroom.printed.worksheet import worksheet

FILES = Path(__file__).parent / "files"
TYPES = MappingProxyType({"print.css": "text/css", "report.js": "text/javascript"})
PAGES: Mapping[str, Callable[[], Html]] = MappingProxyType(
    {
        "plan-90": partial(plan, 90),
        "plan-45": partial(plan, 45),
        "worksheet": worksheet,
        "inventory-a": partial(inventory_sheet, "A", False),
        "inventory-b": partial(inventory_sheet, "B", False),
        "inventory-a-key": partial(inventory_sheet, "A", True),
        "inventory-b-key": partial(inventory_sheet, "B", True),
        "glossary": glossary_sheet,
        "report": report,
    }
)
ASK_AGAIN = MappingProxyType({"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"})


def routes() -> list[Route]:
    """Return the route of all pages to print, for `st.App`.

    `st.App` does not put an app's own routes below `server.baseUrlPath`, so the route includes that path.
    """
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return [Route(f"{base and f'/{base}'}/print/{{name}}", _sheet)]


async def _sheet(request: Request) -> Response:
    name = request.path_params["name"]
    if name in PAGES:
        return HTMLResponse(PAGES[name](), headers=ASK_AGAIN)
    if name in TYPES:
        return Response((FILES / name).read_bytes(), media_type=TYPES[name], headers=ASK_AGAIN)
    return PlainTextResponse("There is no such page.", status_code=404)
