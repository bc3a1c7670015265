"""The addresses of the pages to print: one below `/print` for each page, its style sheet and its script."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.lessons.lesson import Screen
from core.topics.shared.truth import Truth
from pages.canvas.runtime.modules import base_path
from pages.classroom.printed.glossary import glossary_sheet
from pages.classroom.printed.inventory import inventory_sheet
from pages.classroom.printed.plan import plan
from pages.classroom.printed.report import report
from pages.classroom.printed.truths import LessonTruths
from pages.classroom.printed.worksheet import worksheet, worksheet_key
from pages.classroom.truths import truth_of
from pages.shell.navigation import Sections, page_of

FILES = Path(__file__).parent / "files"
TYPES = MappingProxyType({"print.css": "text/css", "report.js": "text/javascript"})
ASK_AGAIN = MappingProxyType({"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"})
Sheets = Mapping[str, Callable[[], str]]


def print_routes(sections: Sections) -> list[Route]:
    """Return the route of all pages to print, for `st.App`.

    sections: the topics of each section of the menu, by the dotted paths of their folders.
    """
    pages = {page.address: page for topics in sections.values() for page in map(page_of, topics)}

    def compute(screen: Screen, text: str) -> Truth:
        return truth_of(pages[screen.page], screen, text)

    return routes_of(LessonTruths(compute), base_path())


def routes_of(truths: LessonTruths, base: str = "") -> list[Route]:
    """Return the route of all pages to print.

    base: the path of the app, "" or "/…".
    """
    sheets = sheets_of(truths)

    def answer(request: Request) -> Response:  # in a thread, because a key computes truths
        name = request.path_params["name"]
        if name in sheets:
            return HTMLResponse(sheets[name](), headers=ASK_AGAIN)
        if name in TYPES:
            return Response((FILES / name).read_bytes(), media_type=TYPES[name], headers=ASK_AGAIN)
        return PlainTextResponse("There is no such page.", status_code=404)

    return [Route(f"{base}/print/{{name}}", answer)]


def sheets_of(truths: LessonTruths) -> Sheets:
    """Return the functions that make the printed pages, by the page's name in the address."""
    return {
        "plan-90": partial(plan, 90),
        "plan-45": partial(plan, 45),
        "worksheet": partial(worksheet, truths),
        "worksheet-key": partial(worksheet_key, truths),
        "inventory-a": partial(inventory_sheet, "A", False),
        "inventory-b": partial(inventory_sheet, "B", False),
        "inventory-a-key": partial(inventory_sheet, "A", True),
        "inventory-b-key": partial(inventory_sheet, "B", True),
        "glossary": glossary_sheet,
        "report": report,
    }
