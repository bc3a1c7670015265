"""The requests of phones: to join, for what to show, for events, and with an answer."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from core.lessons.grading import checked_answer
from core.topics.shared.truth import Truth
from pages.classroom.codes import is_code, read_code
from pages.classroom.inventory_steps import asked_questions, checked_sheet
from pages.classroom.messages import Message, phone_message, phone_signal
from pages.classroom.registry import ROOM_SECONDS
from pages.classroom.requests import Rejected, address_of, json_answer, number_of, read_json, text_of
from pages.classroom.rooms import Room
from pages.classroom.seats import Participant
from pages.classroom.server import ClassServer

ID_HEADER = "x-participant"
ID_CHARACTERS = 40
TYPED_CHARACTERS = 300  # of a code, or of an address with one
SEEN_SECONDS = 10.0  # a phone that asks is noted no more often: its seat is safe for a minute
KEPT = f"private, max-age={ROOM_SECONDS:.0f}, immutable"  # a drawing has another name for another sentence


class PhoneRoutes:
    """The handlers of the requests that phones send."""

    def __init__(self, server: ClassServer) -> None:
        self._server = server

    async def find(self, request: Request) -> Response:
        """Answer with the code of a class as it is written, from what somebody typed; nobody joins by that."""
        content = await read_json(request)
        room = await self._room(request, text_of(content, "code", TYPED_CHARACTERS))
        return json_answer({"code": room.code})

    async def join(self, request: Request) -> Response:
        """Answer with the id of a new participant, or with the id that the phone has already in this room."""
        content = await read_json(request)
        known = text_of(content, "id", ID_CHARACTERS)
        room = await self._room(
            request, text_of(content, "code", TYPED_CHARACTERS), lambda room: known in room.participants
        )
        if known in room.participants:
            await self._server.check_phone(room.participants[known])
        else:
            await self._server.check_newcomer(request, room)
        participant = await self._server.rooms.change(room, lambda: room.join(known))
        return json_answer({"id": participant.id})

    async def state(self, request: Request) -> Response:
        """Answer with everything that this phone shows."""
        room, participant = await self._entered(request)
        return json_answer(await self._message(room, participant))

    async def events(self, request: Request) -> Response:
        """Answer with a stream of signals that something has changed."""
        room, participant = await self._with_ticket(request)

        def signal() -> Message | None:
            return phone_signal(room) | self._server.drawing_message(room) if self._server.rooms.holds(room) else None

        return self._server.streams.phone(room, participant, signal)

    async def drawing(self, request: Request) -> Response:
        """Answer with the drawing of the question that the class is at, which this phone may keep for the class."""
        room, _ = await self._with_ticket(request)
        return self._server.drawing_answer(room, request, KEPT)

    async def answer(self, request: Request) -> Response:
        """Take an answer."""
        room, participant = await self._entered(request)
        content = await read_json(request)
        number, vote = number_of(content, "number"), number_of(content, "vote")
        edition = number_of({"edition": 0, **content}, "edition")
        if not 1 <= number <= len(room.polls) or vote not in (1, 2):
            raise Rejected(400, "There is no such question.")
        if edition != room.polls[number - 1].edition:
            raise Rejected(409, "Your teacher has changed the sentence.")
        truth = (await self._server.truths_of(room, [number]))[number]
        if not isinstance(truth, Truth):
            raise Rejected(409, truth)
        question, given = room.question(number), content.get("answer")
        try:
            if question.when:
                answer = checked_sheet(asked_questions(room, participant, question.when), given)
            else:
                answer = checked_answer(question.screen, truth, given)
        except ValueError as mistake:
            raise Rejected(400, str(mistake)) from mistake
        self._check_open(room)
        await self._server.rooms.change(room, lambda: room.answer(participant, number, vote, answer, edition))
        return json_answer({"saved": True})

    async def stuck(self, request: Request) -> Response:
        """Record whether a participant says that they are stuck."""
        room, participant = await self._entered(request)
        content = await read_json(request)
        is_stuck = content.get("stuck") is True
        await self._server.rooms.change(room, lambda: room.set_stuck(participant, is_stuck))
        return json_answer({"stuck": participant.is_stuck})

    async def go_on(self, request: Request) -> Response:
        """Move a participant to the next screen, if everyone goes at their own pace."""
        room, participant = await self._entered(request)
        number = number_of(await read_json(request), "number")
        await self._server.rooms.change(room, lambda: room.go_on(participant, number))
        return json_answer(await self._message(room, participant))

    async def _message(self, room: Room, participant: Participant) -> Message:
        def needed() -> range:
            number = room.shown_to(participant)[0]
            return range(1, number) if number > len(room.polls) else range(number, number + 1)

        truths = await self._server.settled_truths(room, needed)
        self._check_open(room)
        return phone_message(room, participant, truths) | self._server.drawing_message(room)

    async def _entered(self, request: Request) -> tuple[Room, Participant]:
        """Return the room and the participant that a request names.

        Raises Rejected if there is none, or if this participant asks too often.
        """
        known = request.headers.get(ID_HEADER, "")
        room = await self._room(request, request.path_params["code"], lambda room: known in room.participants)
        if known not in room.participants:
            await self._server.check_address(request)
            raise Rejected(403, "Join first.")
        participant = await self._seated(room, known)
        await self._server.check_phone(participant)
        return room, participant

    async def _with_ticket(self, request: Request) -> tuple[Room, Participant]:
        """Return the room and the participant of the ticket in an address, where a browser sends no id.

        Raises Rejected if there is none, or if this participant asks too often.
        """
        ticket = request.query_params.get("ticket", "")
        room = await self._room(request, request.path_params["code"], lambda room: room.with_ticket(ticket) is not None)
        found = room.with_ticket(ticket)
        if found is None:
            await self._server.check_address(request)
            raise Rejected(403, "Join first.")
        participant = await self._seated(room, found.id)
        await self._server.check_phone(participant)
        return room, participant

    async def _room(self, request: Request, typed: str, knows: Callable[[Room], bool] = lambda room: False) -> Room:
        """Return the room with a code, after a while if the code is a guess.

        knows: returns whether a room knows whoever asks, who then guesses nothing.

        Raises Rejected if there is no such room.
        """
        try:
            code = read_code(typed)
        except ValueError as mistake:
            raise Rejected(400, str(mistake)) from mistake
        room = await self._server.rooms.by_code(code)
        if is_code(code) and not (room and knows(room)):
            await self._server.code_guesses.wait(code, address_of(request), room is not None)
        if room is None or not self._server.rooms.holds(room):
            raise Rejected(404, "There is no class with this code.")
        return room

    async def _seated(self, room: Room, known: str) -> Participant:
        """Return a participant of this room, who is given a seat again after losing it.

        Raises RoomFull if there is no seat.
        """
        participant = room.participants[known]
        if participant.has_seat and (participant.is_connected or room.clock() - participant.seen < SEEN_SECONDS):
            return participant
        return await self._server.rooms.change(room, lambda: room.participant(known))

    def _check_open(self, room: Room) -> None:
        if not self._server.rooms.holds(room):
            raise Rejected(404, "This class is over.")
