"""The requests of the projector: for what to show, for events, and for the QR code of the class."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from pages.classroom.messages import Message, projector_message
from pages.classroom.requests import Rejected, json_answer
from pages.classroom.rooms import Room
from pages.classroom.server import ClassServer
from pages.shell.sharing import code_of

ADDRESS_CHARACTERS = 300


class ProjectorRoutes:
    """The handlers of the requests that the projector sends."""

    def __init__(self, server: ClassServer) -> None:
        self._server = server

    async def state(self, request: Request) -> Response:
        """Answer with everything that the projector shows."""
        room = await self._room(request)
        message = await self._message(room)
        if message is None:
            raise Rejected(404, "This class is over.")
        return json_answer(message)

    async def events(self, request: Request) -> Response:
        """Answer with a stream of everything that the projector shows."""
        room = await self._room(request)
        return self._server.streams.screen(room, lambda: self._message(room))

    async def qr(self, request: Request) -> Response:
        """Answer with the QR code of the address at which phones join, as the browser of the projector sees it."""
        room = await self._room(request)
        address = request.query_params.get("at", "")
        parts = urlsplit(address)
        if (
            len(address) > ADDRESS_CHARACTERS
            or parts.scheme not in ("http", "https")
            or not parts.path.endswith(f"/class/{room.code}")
        ):
            raise Rejected(400, "This is not the address of the class.")
        code, reached, why = code_of(address)
        return json_answer(
            {"address": reached, "why": why, "svg": code.svg_data_uri(border=2, light="#fff") if code else ""}
        )

    async def drawing(self, request: Request) -> Response:
        """Answer with the drawing of the question that the class is at, once it has seen what is right."""
        return self._server.drawing_answer(await self._room(request), request, "no-store")

    async def _message(self, room: Room) -> Message | None:
        """Return everything that the projector shows; None if the room is gone."""

        def needed() -> range:
            return range(1, len(room.polls) + 1) if room.is_over else range(room.number, room.number + 1)

        truths = await self._server.settled_truths(room, needed)
        if not self._server.rooms.holds(room):
            return None
        await self._server.rooms.touch(room)
        drawing = self._server.drawing_message(room)
        if drawing:
            drawing |= {"choice": room.poll.choice}
        elif not room.is_over:
            drawing = self._server.framed_message(room, truths[room.number])
        return projector_message(room, truths) | drawing

    async def _room(self, request: Request) -> Room:
        room = await self._server.rooms.by_projector(request.path_params["key"])
        if room is None:
            await self._server.check_address(request)
            raise Rejected(404, "There is no such class.")
        return room
