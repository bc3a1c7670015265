"""The addresses of the class: pages, JSON and events for phones, the projector and the teacher, below `/class`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from core.explore import Matrix
from core.lessons.lesson import Screen, lessons
from core.topics.shared.truth import Truth
from pages.canvas.runtime.modules import base_path
from pages.classroom.files import page_answer, web_file, web_version
from pages.classroom.kept import kept_classes
from pages.classroom.phone_routes import PhoneRoutes
from pages.classroom.plan_routes import PlanRoutes
from pages.classroom.printed import LessonTruths, print_routes, tables_in
from pages.classroom.projector_routes import ProjectorRoutes
from pages.classroom.refusals import NotAllowed, RoomFull
from pages.classroom.requests import Rejected, json_answer
from pages.classroom.server import ClassServer
from pages.classroom.teacher_routes import TeacherRoutes
from pages.classroom.truths import truth_of
from pages.compute.run_slots import run_slots
from pages.shell.framed import framed_address
from pages.shell.navigation import Sections, page_of
from pages.shell.saved.lesson import pictures_of, save_picture
from pages.shell.security_headers import POLICY, directives, policy_of

Handler = Callable[[Request], Awaitable[Response]]
FRAMES = MappingProxyType({"frame-src": "'self'"})  # of pages that show a drawing


def class_routes(sections: Sections) -> list[Route]:
    """Return the routes of the class and of the pages to print, for `st.App`.

    sections: the topics of each section of the menu, by the dotted paths of their folders.
    """
    pages = {page.address: page for topics in sections.values() for page in map(page_of, topics)}

    def compute(screen: Screen, text: str) -> Truth:
        return truth_of(pages[screen.page], screen, text)

    def draw(screen: Screen, text: str) -> str:
        with run_slots().turn():
            return save_picture(pages[screen.page], screen, text)

    def framed(screen: Screen, truth: Truth, text: str) -> str:
        return framed_address(pages[screen.page], screen, truth, text)

    def tables(screen: Screen, text: str) -> tuple[Matrix, ...]:
        with run_slots().turn():
            return tables_in(pictures_of(pages[screen.page], screen, text))

    rooms, limits = kept_classes(lessons)
    server = ClassServer(lessons, compute, draw=draw, framed=framed, tables=tables, rooms=rooms, limits=limits)
    base = base_path()
    return [*routes_of(server, base), *print_routes(LessonTruths(compute, tables), server.is_teacher, base)]


def routes_of(server: ClassServer, base: str = "") -> list[Route]:
    """Return the routes of all classes.

    base: the path of the app, "" or "/…".
    """
    phones, projectors = PhoneRoutes(server), ProjectorRoutes(server)
    plans, teachers = PlanRoutes(server, base), TeacherRoutes(server, base)
    table: Sequence[tuple[str, str, Handler]] = (
        ("GET", "", _page("join", 0)),
        ("GET", "/", _to_join),
        ("GET", "/teach", _page("teach", 1)),
        ("GET", "/lessons", plans.list_lessons),
        ("POST", "/rooms", plans.open_room),
        ("POST", "/plans", plans.check),
        ("POST", "/judge", plans.judge),
        ("POST", "/find", phones.find),
        ("POST", "/join", phones.join),
        ("GET", f"/web/{web_version()}/{{name}}", web_file),
        ("GET", "/teacher/{code}", _page("teacher", 2, FRAMES)),
        ("GET", "/teacher/{code}/state", teachers.state),
        ("GET", "/teacher/{code}/events", teachers.events),
        ("POST", "/teacher/{code}/act", teachers.act),
        ("POST", "/teacher/{code}/choice", teachers.choose),
        ("GET", "/teacher/{code}/counts.csv", teachers.counts),
        ("GET", "/teacher/{code}/slides", teachers.slides),
        ("GET", "/teacher/{code}/slides/{number:int}", teachers.slide),
        ("GET", "/projector/{key}", _page("projector", 2, FRAMES)),
        ("GET", "/projector/{key}/state", projectors.state),
        ("GET", "/projector/{key}/events", projectors.events),
        ("GET", "/projector/{key}/qr", projectors.qr),
        ("GET", "/projector/{key}/drawing/{name}", projectors.drawing),
        ("GET", "/{code}", _page("phone", 1, FRAMES)),
        ("GET", "/{code}/state", phones.state),
        ("GET", "/{code}/events", phones.events),
        ("GET", "/{code}/drawing/{name}", phones.drawing),
        ("POST", "/{code}/answer", phones.answer),
        ("POST", "/{code}/stuck", phones.stuck),
        ("POST", "/{code}/next", phones.go_on),
    )
    return [Route(f"{base}/class{path}", _answering(handler), methods=[method]) for method, path, handler in table]


def _page(name: str, depth: int, more: Mapping[str, str] = MappingProxyType({})) -> Handler:
    """Return a handler that answers with a page.

    more: directives of its Content-Security-Policy that other pages do not have.
    """

    async def answer(request: Request) -> Response:
        response = page_answer(name, depth)
        if more:
            response.headers[POLICY] = policy_of(directives() | dict(more))
        return response

    return answer


async def _to_join(request: Request) -> Response:
    return RedirectResponse("../class")


def _answering(handler: Handler) -> Handler:
    """Return a handler that answers every refusal with its status and a sentence as JSON."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Rejected as refusal:
            status, sentence = refusal.status, str(refusal)
        except RoomFull as refusal:
            status, sentence = 503, str(refusal)
        except NotAllowed as refusal:
            status, sentence = 409, str(refusal)
        return json_answer({"error": sentence}, status)

    return answer
