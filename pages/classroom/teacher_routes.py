"""The requests of a teacher whose class is open: for what to show, for events, for the counts, and to lead it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pages.classroom.counts import counts_table
from pages.classroom.drawings import checked_choice
from pages.classroom.limits import TEXT_CHARACTERS
from pages.classroom.messages import Message
from pages.classroom.printed.worksheet import Printed
from pages.classroom.refusals import NotAllowed
from pages.classroom.requests import Rejected, json_answer, number_of, read_json, text_of
from pages.classroom.rooms import Room
from pages.classroom.server import ClassServer
from pages.classroom.slide_picture import slide_svg
from pages.classroom.slides import slide_of, slides_sheet
from pages.classroom.states import State
from pages.classroom.teacher_cookie import given_secret, take_secret
from pages.classroom.teaching import teacher_message


class TeacherRoutes:
    """The handlers of the requests that the teacher's page sends."""

    def __init__(self, server: ClassServer, base: str = "") -> None:
        """base: the path of the app, "" or "/…"."""
        self._server, self._base = server, base

    async def state(self, request: Request) -> Response:
        """Answer with everything that the teacher's page shows."""
        room = await self._room(request)
        message = await self._message(room)
        if message is None:
            raise Rejected(404, "This class is over.")
        return json_answer(message)

    async def events(self, request: Request) -> Response:
        """Answer with a stream of everything that the teacher's page shows."""
        room = await self._room(request)
        return self._server.streams.screen(room, lambda: self._message(room))

    async def act(self, request: Request) -> Response:
        """Carry out a teacher's command, unless the class has moved on since the teacher's page was drawn."""
        room = await self._room(request)
        content = await read_json(request)
        truths = await self._server.all_truths(room, room.number)
        text = text_of(content, "to", TEXT_CHARACTERS) if content.get("do") == "sentence" else ""
        suits = await self._server.truth(room.question(room.number), text) if text else truths[room.number]
        _check_place(room, content)
        if (text or content.get("to") == State.OPEN) and isinstance(suits, str):
            raise NotAllowed(suits)
        await self._do(room, content)
        message = await self._message(room)
        answer = json_answer(message or {"state": "gone"})
        if message is None:
            take_secret(answer, room, self._base)
        return answer

    async def choose(self, request: Request) -> Response:
        """Take what the teacher has chosen in the drawing, and let the projector's follow."""
        room = await self._room(request)
        content = await read_json(request)
        try:
            choice = checked_choice(content)
        except ValueError as mistake:
            raise Rejected(400, str(mistake)) from mistake
        number, edition = number_of(content, "number"), number_of(content, "edition")
        await self._server.rooms.change(room, lambda: room.set_choice(number, edition, choice))
        return json_answer({"saved": True})

    async def counts(self, request: Request) -> Response:
        """Answer with the counts of all answers, as CSV with the mark by which Excel knows UTF-8."""
        room = await self._room(request)
        truths = await self._server.truths_of(room, range(1, len(room.polls) + 1))
        name = f"attachment; filename=class-{room.plan.name}.csv"
        headers = {"Cache-Control": "no-store", "Content-Disposition": name}
        table = counts_table(room, truths, date.today()).encode("utf-8-sig")
        return Response(table, media_type="text/csv", headers=headers)

    async def slides(self, request: Request) -> Response:
        """Answer with the questions that are over and their answers, as a page to print."""
        room = await self._room(request)
        truths = await self._server.truths_of(room, range(1, len(room.polls) + 1))
        return HTMLResponse(slides_sheet(room, truths), headers={"Cache-Control": "no-store"})

    async def slide(self, request: Request) -> Response:
        """Answer with one question and its answers as an SVG picture, once the class has seen what is right."""
        room, number = await self._room(request), request.path_params["number"]
        if not 1 <= number <= len(room.polls):
            raise Rejected(404, "There is no such question.")
        truth = (await self._server.truths_of(room, [number]))[number]
        slide = slide_of(room, number, truth)
        if slide is None or isinstance(truth, str):
            raise Rejected(404, "There is no slide yet: the class has to see first what is right.")
        has_page = room.question(number).lesson is not None
        tables = await self._server.tables(slide.screen, slide.sentence) if has_page else ()
        pictures = Printed(slide.screen, truth, tables).pictures
        return json_answer({"name": f"slide-{number}.png", "svg": slide_svg(slide, next(pictures, ""))})

    async def _do(self, room: Room, content: Mapping[str, Any]) -> None:
        if content.get("do") == "close":
            await self._server.rooms.close(room)
        else:
            await self._server.rooms.change(room, lambda: self._step(room, content), phones=True)

    def _step(self, room: Room, content: Mapping[str, Any]) -> None:
        _check_place(room, content)  # once more: it may have moved on meanwhile
        to = content.get("to")
        match content.get("do"):
            case "advance" if isinstance(to, str) and to in list(State):
                room.advance(State(to))
            case "screen":
                room.show_screen(number_of(content, "to"))
            case "pace" if to in ("together", "free"):
                room.set_pace(to)
            case "sentence":
                room.change_text(text_of(content, "to", TEXT_CHARACTERS))
            case "lock" if isinstance(to, bool):
                room.set_locked(to)
            case "clear":
                room.clear_vote()
            case "finish":
                room.finish()
            case _:
                raise Rejected(400, "There is no such action.")

    async def _message(self, room: Room) -> Message | None:
        """Return everything that the teacher's page shows; None if the room is gone."""
        while True:
            number, texts = room.number, tuple(room.texts)
            truths = await self._server.all_truths(room, number)
            if not self._server.rooms.holds(room):
                return None
            if (room.number, tuple(room.texts)) == (number, texts):
                await self._server.rooms.touch(room)
                message = teacher_message(room, truths)
                return message | self._server.drawing_message(room)

    async def _room(self, request: Request) -> Room:
        """Return the room that a request is about. Raises Rejected if this browser does not lead it."""
        code = request.path_params["code"]
        secret = given_secret(request, code)
        room = await self._server.rooms.by_secret(code, secret) if secret else None
        if room is not None:
            return room
        await self._server.check_address(request)
        if secret:
            raise Rejected(404, "There is no such class.")
        raise Rejected(401, "This browser does not lead this class.")


def _check_place(room: Room, content: Mapping[str, Any]) -> None:
    """Raise NotAllowed if the class is not where the teacher's page showed it."""
    state = "over" if room.is_over else room.poll.state
    if (content.get("number"), content.get("state")) != (room.number, state):
        raise NotAllowed("The class is somewhere else by now.")
