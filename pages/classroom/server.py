"""The state that the routes of all classes share: the rooms, their right answers, their connections, and the limits."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from core.explore import Matrix
from core.lessons.lesson import Lesson, Screen
from core.topics.shared.truth import Truth
from pages.classroom.drawings import Drawing, DrawingCache
from pages.classroom.limits import MOST_JUDGED, CodeGuesses, Limits, MemoryLimits
from pages.classroom.memory_rooms import MemoryRooms
from pages.classroom.messages import Message
from pages.classroom.plans import ClassPlan, PlanQuestion
from pages.classroom.printed.truths import no_tables
from pages.classroom.registry import RoomRegistry
from pages.classroom.requests import Rejected, address_of
from pages.classroom.rooms import Room
from pages.classroom.seats import Participant
from pages.classroom.streams import EventStreams
from pages.classroom.teacher_cookie import led_rooms
from pages.classroom.truths import TruthCache

NOT_READY = "This question is not ready yet."


class ClassServer:
    """The state of all classes on this server.

    lessons: returns the lessons by name.
    compute: returns the right answer to a screen's question about a text, or raises ValueError.
    clock: returns the time in seconds.
    sleep: waits for some seconds.
    draw: returns the drawing of a screen about a text as HTML, "" if it has none, or raises ValueError.
    framed: returns the address, below the app's, of the view that shows a screen's truth about a text; "" for none.
    tables: returns the tables of weights in the picture of a screen about a text, or raises ValueError.
    rooms, limits: where the rooms are kept, and how requests are counted; in this process if they are left out.
    """

    def __init__(
        self,
        lessons: Callable[[], Mapping[str, Lesson]],
        compute: Callable[[Screen, str], Truth],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[Screen, str], str] = lambda screen, text: "",
        framed: Callable[[Screen, Truth, str], str] = lambda screen, truth, text: "",
        tables: Callable[[Screen, str], tuple[Matrix, ...]] = no_tables,
        rooms: RoomRegistry | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.lessons = lessons
        self.rooms = rooms or MemoryRooms(clock)
        self.limits = limits or MemoryLimits(clock)
        self.truths = TruthCache(compute)
        self.drawings = DrawingCache(draw)
        self._framed, self._tables = framed, tables
        self.streams = EventStreams(self.rooms)
        self.rooms.attend(self.streams.tell, self.prepare, self.streams.end_all)
        self.code_guesses = CodeGuesses(self.limits, clock=clock, sleep=sleep)
        self._judging = 0
        self._preparing = set[asyncio.Task[None]]()

    async def check_address(self, request: Request) -> None:
        """Count a request of a stranger. Raises Rejected if there are too many from this address."""
        if not await self.limits.allows("address", address_of(request)):
            raise Rejected(429, "Too many requests. Wait a moment.")

    async def check_newcomer(self, request: Request, room: Room) -> None:
        """Count a request of a stranger for a seat. Raises Rejected if there are too many for this room and address.

        Raises NotAllowed, before it counts, if the room takes nobody.
        """
        await self.check_address(request)
        room.check_joinable()
        if not await self.limits.allows("join", f"{room.code} {address_of(request)}"):
            raise Rejected(429, "Many are joining from your network just now. Wait a few seconds.")

    async def check_phone(self, participant: Participant) -> None:
        """Count a request of a participant. Raises Rejected if there are too many."""
        if not await self.limits.allows("phone", participant.id):
            raise Rejected(429, "Too many requests. Wait a moment.")

    async def is_teacher(self, request: Request) -> bool:
        """Return whether a request comes from a browser that leads a class."""
        return bool(await led_rooms(request, self.rooms))

    async def truths_of(self, room: Room, numbers: Iterable[int]) -> dict[int, Truth | str]:
        """Return the right answers by the screen's number; a sentence where the text does not suit the question."""
        return {number: await self._truth(room, number) for number in numbers}

    async def settled_truths(self, room: Room, needed: Callable[[], Sequence[int]]) -> dict[int, Truth | str]:
        """Return the right answers on the screens that are needed, computing again if others are needed meanwhile.

        The same happens if the teacher changes a sentence meanwhile.

        needed: returns the numbers of the screens.
        """
        while True:
            numbers, texts = needed(), tuple(room.texts)
            truths = await self.truths_of(room, numbers)
            if needed() == numbers and tuple(room.texts) == texts:
                return truths

    async def all_truths(self, room: Room, number: int) -> dict[int, Truth | str]:
        """Return the right answers on all screens; NOT_READY where one is not computed yet.

        number: the screen whose answer is computed if necessary.
        """
        numbers = range(1, len(room.polls) + 1)
        wanted = [
            screen_number for screen_number in numbers if screen_number == number or self._is_ready(room, screen_number)
        ]
        return dict.fromkeys(numbers, NOT_READY) | await self.truths_of(room, wanted)

    def drawing(self, room: Room) -> Drawing | None:
        """Return the drawing of a room's question, once the class has seen what is right; None if it has none.

        If it is not there yet, it is made in the background, and everybody is told when it is ready.
        """
        question = room.question(room.number)
        if question.lesson is None or not room.is_truth_shown:
            return None
        loop = asyncio.get_running_loop()

        def tell() -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self.streams.tell, room, True)

        self.drawings.begin(question, room.text, tell)
        return self.drawings.ready(question, room.text)

    def drawing_message(self, room: Room) -> Message:
        """Return the name and the size of `drawing` for a message, {} if there is none."""
        drawing = self.drawing(room)
        if drawing is None:
            return {}
        return {"drawing": {"name": f"{room.number}.{room.poll.edition}", "kilobytes": drawing.kilobytes}}

    def framed_message(self, room: Room, truth: Truth | str) -> Message:
        """Return the address of the page's view for a message, {} if the question has a drawing, or none is shown yet.

        The view has the charts and the training that no drawing holds.

        truth: the right answer to the room's question, or a sentence that says why there is none.
        """
        question = room.question(room.number)
        shown = question.lesson is not None and room.is_truth_shown and self.drawings.lacks(question, room.text)
        if not shown or isinstance(truth, str):
            return {}
        return {"framed": self._framed(question.screen, truth, question.sentence(room.text))}

    def drawing_answer(self, room: Room, request: Request, caching: str) -> Response:
        """Answer with the drawing that a request names. Raises Rejected if the class does not see it."""
        drawing = self.drawing(room)
        if drawing is None or request.path_params["name"] != f"{room.number}.{room.poll.edition}":
            raise Rejected(404, "There is no picture of this question.")
        return drawing.answer(request, caching)

    async def tables(self, screen: Screen, text: str) -> tuple[Matrix, ...]:
        """Return the tables of weights in the picture of a screen about a text; () if it has none."""
        try:
            return await asyncio.to_thread(self._tables, screen, text)
        except ValueError:
            return ()

    def prepare(self, room: Room) -> None:
        """Start computing the right answers of a room in the background; its teacher is told when they are ready."""
        task = asyncio.get_running_loop().create_task(self._prepare(room))
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)

    async def _prepare(self, room: Room) -> None:
        for number in range(1, len(room.polls) + 1):
            await self._truth(room, number)
            self.streams.tell(room, phones=False)

    async def judge(self, plan: ClassPlan, text: str) -> dict[int, str]:
        """Return why a text does not suit questions of a plan, by the number of the question, from 1.

        Raises Rejected if too many texts are being tried.
        """
        if self._judging >= MOST_JUDGED:
            raise Rejected(429, "Many sentences are being tried just now. Wait a moment, then try again.")
        self._judging += 1
        try:
            found = {number: await self.truth(question, text) for number, question in enumerate(plan.questions, 1)}
        finally:
            self._judging -= 1
        return {number: truth for number, truth in found.items() if isinstance(truth, str)}

    def _is_ready(self, room: Room, number: int) -> bool:
        question = room.question(number)
        lesson = question.lesson
        return lesson is None or self.truths.ready(lesson, question.number, room.texts[number - 1])

    async def _truth(self, room: Room, number: int) -> Truth | str:
        return await self.truth(room.question(number), room.texts[number - 1])

    async def truth(self, question: PlanQuestion, text: str) -> Truth | str:
        """Return the right answer to a question about a text; a sentence if the text does not suit the question."""
        if question.lesson is None:
            return question.own_truth
        try:
            return await self.truths.get(question.lesson, question.number, text)
        except ValueError as mistake:
            return str(mistake) or "This text does not suit the question."
