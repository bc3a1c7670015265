"""The requests of teachers: to open a room, for what to show, for events, for the counts, and to lead the class."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pages.classroom.counts import counts_table
from pages.classroom.messages import Message
from pages.classroom.requests import Rejected, address_of, json_answer, number_of, read_json, text_of
from pages.classroom.rooms import NotAllowed, Room
from pages.classroom.server import ClassServer
from pages.classroom.slides import slides_sheet
from pages.classroom.states import State
from pages.classroom.teacher_cookie import give_secret, given_secret, led_rooms, take_secret
from pages.classroom.teaching import teacher_message

TEXT_CHARACTERS = 300
NAME_CHARACTERS = 60


class TeacherRoutes:
    """The handlers of the requests that the teacher's page sends."""

    def __init__(self, server: ClassServer, base: str = "") -> None:
        """base: the path of the app, "" or "/…"."""
        self._server, self._base = server, base

    async def list_lessons(self, request: Request) -> Response:
        """Answer with all lessons, and with the classes that this browser leads."""
        rows = [
            {
                "name": lesson.name,
                "number": lesson.number,
                "title": lesson.title,
                "goal": lesson.goal,
                "words": lesson.words,
                "minutes": lesson.minutes,
                "questions": len(lesson.screens),
            }
            for lesson in self._server.lessons().values()
        ]
        led = [{"code": room.code, "title": room.lesson.title} for room in led_rooms(request, self._server.rooms)]
        return json_answer({"lessons": rows, "classes": led, "characters": TEXT_CHARACTERS})

    async def open_room(self, request: Request) -> Response:
        """Open a room, and answer with its code; the teacher's secret goes into a cookie."""
        content = await read_json(request)
        lesson = self._server.lessons().get(text_of(content, "lesson", NAME_CHARACTERS))
        if lesson is None:
            raise Rejected(400, "There is no such lesson.")
        text = text_of(content, "text", TEXT_CHARACTERS) or lesson.words
        if not self._server.opening_limit.allows(address_of(request)):
            raise Rejected(429, "Many classes were opened from your network. Wait five minutes, then try again.")
        room = self._server.rooms.open(lesson, text)
        self._server.prepare(room)
        answer = json_answer({"code": room.code})
        give_secret(answer, request, room, self._base)
        return answer

    async def state(self, request: Request) -> Response:
        """Answer with everything that the teacher's page shows."""
        room = self._room(request)
        message = await self._message(room)
        if message is None:
            raise Rejected(404, "This class is over.")
        return json_answer(message)

    async def events(self, request: Request) -> Response:
        """Answer with a stream of everything that the teacher's page shows."""
        room = self._room(request)
        return self._server.streams.screen(room, lambda: self._message(room))

    async def act(self, request: Request) -> Response:
        """Carry out a teacher's command, unless the class has moved on since the teacher's page was drawn."""
        room = self._room(request)
        content = await read_json(request)
        truths = await self._server.all_truths(room, room.number)
        state = "over" if room.is_over else room.poll.state
        if (content.get("number"), content.get("state")) != (room.number, state):
            raise NotAllowed("The class is somewhere else by now.")
        if content.get("to") == State.OPEN and isinstance(truths[room.number], str):
            raise NotAllowed(str(truths[room.number]))
        self._do(room, content)
        self._server.streams.tell(room, phones=True)
        message = await self._message(room)
        answer = json_answer(message or {"state": "gone"})
        if message is None:
            take_secret(answer, room, self._base)
        return answer

    async def counts(self, request: Request) -> Response:
        """Answer with the counts of all answers, as CSV with the mark by which Excel knows UTF-8."""
        room = self._room(request)
        truths = await self._server.truths_of(room, range(1, len(room.polls) + 1))
        name = f"attachment; filename=class-{room.lesson.name}.csv"
        headers = {"Cache-Control": "no-store", "Content-Disposition": name}
        table = counts_table(room, truths, date.today()).encode("utf-8-sig")
        return Response(table, media_type="text/csv", headers=headers)

    async def slides(self, request: Request) -> Response:
        """Answer with the questions that are over and their answers, as a page to print."""
        room = self._room(request)
        truths = await self._server.truths_of(room, range(1, len(room.polls) + 1))
        return HTMLResponse(slides_sheet(room, truths), headers={"Cache-Control": "no-store"})

    def _do(self, room: Room, content: Mapping[str, Any]) -> None:
        to = content.get("to")
        match content.get("do"):
            case "advance" if isinstance(to, str) and to in list(State):
                room.advance(State(to))
            case "screen":
                room.show_screen(number_of(content, "to"))
            case "pace" if to in ("together", "free"):
                room.set_pace(to)
            case "lock" if isinstance(to, bool):
                room.set_locked(to)
            case "clear":
                room.clear_vote()
            case "finish":
                room.finish()
            case "close":
                self._server.rooms.close(room)
            case _:
                raise Rejected(400, "There is no such action.")

    async def _message(self, room: Room) -> Message | None:
        """Return everything that the teacher's page shows; None if the room is gone."""
        while True:
            number = room.number
            truths = await self._server.all_truths(room, number)
            if not self._server.rooms.holds(room):
                return None
            if room.number == number:
                room.touch()
                return teacher_message(room, self._server.streams.counts(room), truths)

    def _room(self, request: Request) -> Room:
        """Return the room that a request is about. Raises Rejected if this browser does not lead it."""
        code = request.path_params["code"]
        secret = given_secret(request, code)
        room = self._server.rooms.by_secret(secret)
        if room is not None and room.code == code:
            return room
        self._server.check_address(request)
        if secret:
            raise Rejected(404, "There is no such class.")
        raise Rejected(401, "This browser does not lead this class.")
