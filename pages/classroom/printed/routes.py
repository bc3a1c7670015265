"""The addresses of the pages to print: one below `/print` for each page, its style sheet and its script."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.lessons.lesson import Lesson, lessons
from pages.classroom.plans import PLANS, chosen
from pages.classroom.printed.gift import ENDING, gift_file
from pages.classroom.printed.glossary import glossary_sheet
from pages.classroom.printed.inventory import closed_sheet, inventory_sheet
from pages.classroom.printed.plan import plan
from pages.classroom.printed.report import report
from pages.classroom.printed.truths import LessonTruths
from pages.classroom.printed.worksheet import worksheet, worksheet_key, worksheet_of_plan

FILES = Path(__file__).parent / "files"
TYPES = MappingProxyType({"print.css": "text/css", "report.js": "text/javascript"})
ASK_AGAIN = MappingProxyType({"Cache-Control": "no-cache", "Vary": "Cookie", "X-Content-Type-Options": "nosniff"})
FOR_TEACHERS = ("inventory-a-key", "inventory-b-key")
Sheets = Mapping[str, Callable[[], str]]


def print_routes(truths: LessonTruths, is_teacher: Callable[[Request], Awaitable[bool]], base: str = "") -> list[Route]:
    """Return the route of all pages to print.

    is_teacher: returns whether a request comes from a browser that leads a class, which alone sees FOR_TEACHERS.
    base: the path of the app, "" or "/…".
    """
    sheets = sheets_of(truths)

    async def answer(request: Request) -> Response:
        name = request.path_params["name"]
        if name in FOR_TEACHERS and not await is_teacher(request):
            return HTMLResponse(closed_sheet(name), status_code=403, headers=ASK_AGAIN)
        return await run_in_threadpool(printed, name)  # because a key computes truths

    def printed(name: str) -> Response:
        if name in sheets:
            return HTMLResponse(sheets[name](), headers=ASK_AGAIN)
        if name.endswith(ENDING) and (asked := gift_lessons(name.removesuffix(ENDING))):
            saved = {"Content-Disposition": f"attachment; filename={name}"}
            return PlainTextResponse(gift_file(asked, truths), headers=ASK_AGAIN | saved)
        if name in TYPES:
            return Response((FILES / name).read_bytes(), media_type=TYPES[name], headers=ASK_AGAIN)
        return PlainTextResponse("There is no such page.", status_code=404)

    return [Route(f"{base}/print/{{name}}", answer)]


def sheets_of(truths: LessonTruths) -> Sheets:
    """Return the functions that make the printed pages, by the page's name in the address."""
    return {
        **{name: partial(plan, minutes) for name, minutes in PLANS.items()},
        **{f"worksheet-{minutes}": partial(worksheet_of_plan, truths, minutes) for minutes in PLANS.values()},
        **{f"worksheet-{minutes}-key": partial(worksheet_of_plan, truths, minutes, True) for minutes in PLANS.values()},
        "worksheet": partial(worksheet, truths),
        "worksheet-key": partial(worksheet_key, truths),
        "inventory-a": partial(inventory_sheet, "A", False),
        "inventory-b": partial(inventory_sheet, "B", False),
        "inventory-a-key": partial(inventory_sheet, "A", True),
        "inventory-b-key": partial(inventory_sheet, "B", True),
        "glossary": glossary_sheet,
        "report": report,
    }


def gift_lessons(name: str) -> list[Lesson]:
    """Return the lessons of a file of questions: of a plan, a single one, or all; [] if there is no such file."""
    if name in PLANS:
        return chosen(PLANS[name])
    known = lessons()
    return list(known.values()) if name == "lessons" else [known[name]] if name in known else []
