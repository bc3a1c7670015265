"""The requests of phones: to join, for what to show, for events, and with an answer."""

from starlette.requests import Request
from starlette.responses import Response

from core.lessons.grading import checked_answer
from core.topics.shared.truth import Truth
from pages.classroom.messages import Message, phone_message, phone_signal
from pages.classroom.registry import CODE_LENGTH, is_code
from pages.classroom.requests import Rejected, address_of, json_answer, number_of, read_json, text_of
from pages.classroom.rooms import Participant, Room
from pages.classroom.server import ClassServer

ID_HEADER = "x-participant"
ID_CHARACTERS = 40


class PhoneRoutes:
    """The handlers of the requests that phones send."""

    def __init__(self, server: ClassServer) -> None:
        self._server = server

    async def join(self, request: Request) -> Response:
        """Answer with the id of a new participant, or with the id that the phone has already in this room."""
        content = await read_json(request)
        room = await self._room(request, text_of(content, "code", CODE_LENGTH).upper())
        known = text_of(content, "id", ID_CHARACTERS)
        if known in room.participants:
            self._server.check_phone(room.participants[known])
        else:
            self._server.check_address(request)
        participant = room.join(known)
        self._server.streams.tell(room, phones=False)
        return json_answer({"id": participant.id})

    async def state(self, request: Request) -> Response:
        """Answer with everything that this phone shows."""
        room, participant = await self._entered(request)
        return json_answer(await self._message(room, participant))

    async def events(self, request: Request) -> Response:
        """Answer with a stream of signals that something has changed."""
        room = await self._room(request, request.path_params["code"].upper())
        ticket = request.query_params.get("ticket", "")
        participant = next((seat for seat in list(room.participants.values()) if seat.ticket == ticket), None)
        if participant is None:
            self._server.check_address(request)
            raise Rejected(403, "Join first.")
        self._server.check_phone(participant)

        def signal() -> Message | None:
            return phone_signal(room) if self._server.rooms.holds(room) else None

        return self._server.streams.phone(room, ticket, signal)

    async def answer(self, request: Request) -> Response:
        """Take an answer."""
        room, participant = await self._entered(request)
        content = await read_json(request)
        number, vote = number_of(content, "number"), number_of(content, "vote")
        if not 1 <= number <= len(room.polls) or vote not in (1, 2):
            raise Rejected(400, "There is no such question.")
        truth = (await self._server.truths_of(room, [number]))[number]
        if not isinstance(truth, Truth):
            raise Rejected(409, truth)
        try:
            answer = checked_answer(room.lesson.screens[number - 1], truth, content.get("answer"))
        except ValueError as mistake:
            raise Rejected(400, str(mistake)) from mistake
        self._check_open(room)
        room.answer(participant, number, vote, answer)
        self._server.streams.tell(room, phones=False)
        return json_answer({"saved": True})

    async def stuck(self, request: Request) -> Response:
        """Record whether a participant says that they are stuck."""
        room, participant = await self._entered(request)
        content = await read_json(request)
        room.set_stuck(participant, content.get("stuck") is True)
        self._server.streams.tell(room, phones=False)
        return json_answer({"stuck": participant.is_stuck})

    async def go_on(self, request: Request) -> Response:
        """Move a participant to the next screen, if everyone goes at their own pace."""
        room, participant = await self._entered(request)
        room.go_on(participant, number_of(await read_json(request), "number"))
        self._server.streams.tell(room, phones=False)
        return json_answer(await self._message(room, participant))

    async def _message(self, room: Room, participant: Participant) -> Message:
        def needed() -> range:
            number = room.shown_to(participant)[0]
            return range(1, number) if number > len(room.polls) else range(number, number + 1)

        truths = await self._server.settled_truths(room, needed)
        self._check_open(room)
        return phone_message(room, participant, truths)

    async def _entered(self, request: Request) -> tuple[Room, Participant]:
        """Return the room and the participant that a request names.

        Raises Rejected if there is none, or if this participant asks too often.
        """
        room = await self._room(request, request.path_params["code"].upper())
        known = request.headers.get(ID_HEADER, "")
        if known not in room.participants:
            self._server.check_address(request)
            raise Rejected(403, "Join first.")
        participant = room.participant(known)
        self._server.check_phone(participant)
        return room, participant

    async def _room(self, request: Request, code: str) -> Room:
        room = self._server.rooms.by_code(code)
        if room is None:
            if not is_code(code):
                raise Rejected(404, "There is no class with this code.")
            await self._server.wrong_codes.reject(code, address_of(request))
        return room

    def _check_open(self, room: Room) -> None:
        if not self._server.rooms.holds(room):
            raise Rejected(404, "This class is over.")
