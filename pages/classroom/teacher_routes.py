"""The requests of teachers: to open a room, for what to show, for events, for the counts, and to lead the class."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pages.classroom.messages import Message
from pages.classroom.requests import Rejected, address_of, json_answer, number_of, read_json, text_of
from pages.classroom.rooms import NotAllowed, Room
from pages.classroom.server import ClassServer
from pages.classroom.states import State
from pages.classroom.teaching import counts_table, teacher_message

TEXT_CHARACTERS = 300
NAME_CHARACTERS = 60


class TeacherRoutes:
    """The handlers of the requests that the teacher's page sends."""

    def __init__(self, server: ClassServer) -> None:
        self._server = server

    async def list_lessons(self, request: Request) -> Response:
        """Answer with all lessons."""
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
        return json_answer({"lessons": rows, "characters": TEXT_CHARACTERS})

    async def open_room(self, request: Request) -> Response:
        """Open a room, and answer with its teacher's secret."""
        content = await read_json(request)
        lesson = self._server.lessons().get(text_of(content, "lesson", NAME_CHARACTERS))
        if lesson is None:
            raise Rejected(400, "There is no such lesson.")
        text = text_of(content, "text", TEXT_CHARACTERS) or lesson.words
        if not self._server.opening_limit.allows(address_of(request)):
            raise Rejected(429, "Many classes were opened from your network. Wait five minutes, then try again.")
        room = self._server.rooms.open(lesson, text)
        self._server.prepare(room)
        return json_answer({"secret": room.secret})

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
        return json_answer(await self._message(room) or {"state": "gone"})

    async def counts(self, request: Request) -> Response:
        """Answer with the counts of all answers, as CSV."""
        room = self._room(request)
        truths = await self._server.truths_of(room, range(1, len(room.polls) + 1))
        name = f"attachment; filename=class-{room.lesson.name}.csv"
        headers = {"Cache-Control": "no-store", "Content-Disposition": name}
        return Response(counts_table(room, truths), media_type="text/csv", headers=headers)

    def _do(self, room: Room, content: Mapping[str, Any]) -> None:
        to = content.get("to")
        match content.get("do"):
            case "advance" if isinstance(to, str) and to in list(State):
                room.advance(State(to))
            case "screen":
                room.show_screen(number_of(content, "to"))
            case "pace" if to in ("together", "free"):
                room.set_pace(to)
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
        room = self._server.rooms.by_secret(request.path_params["secret"])
        if room is None:
            self._server.check_address(request)
            raise Rejected(404, "There is no such class.")
        return room
