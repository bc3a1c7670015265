"""The open rooms, found by code, by the teacher's secret or by the projector's key; each is gone after four hours.

One contract for all places where rooms may be kept. Use a registry in the thread of the server's event loop only.
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from pages.classroom.codes import CODE_LENGTH, LETTERS
from pages.classroom.plans import ClassPlan
from pages.classroom.refusals import NotAllowed
from pages.classroom.rooms import Room

MOST_ROOMS = 40  # more than one address may open at once
ROOM_SECONDS = 4 * 3600.0
DESERTED_SECONDS = 15 * 60.0  # after which a room may be closed for another, if there are too many
TOO_MANY = "Too many classes are open on this server. Try again in a quarter of an hour."
Result = TypeVar("Result")


class RoomRegistry(ABC):
    """The open rooms.

    copy: names this copy of the app in the names of streams.
    clock: returns the time in seconds.
    draw: returns one letter of several, by chance.
    """

    copy = ""

    def __init__(self, clock: Callable[[], float], draw: Callable[[str], str] = secrets.choice) -> None:
        self.clock, self._draw = clock, draw
        self._tell: Callable[[Room, bool], None] = lambda room, phones: None
        self._welcome: Callable[[Room], None] = lambda room: None
        self._interrupt: Callable[[], None] = lambda: None

    def attend(
        self, tell: Callable[[Room, bool], None], welcome: Callable[[Room], None], interrupt: Callable[[], None]
    ) -> None:
        """Set what follows from events.

        tell: is called with a room that has changed, and whether phones show anything of it.
        welcome: is called with a room that is new to this copy of the app.
        interrupt: is called when changes are heard of no longer.
        """
        self._tell, self._welcome, self._interrupt = tell, welcome, interrupt

    @abstractmethod
    async def open(self, plan: ClassPlan, text: str, keep: tuple[int, ...] = ()) -> Room:
        """Open a room.

        text: the text that all questions are asked about; "" if each is asked about that of its lesson.
        keep: the numbers of the questions that are asked about their lessons' sentences all the same.

        Raises NotAllowed if there are too many rooms, and somebody was in each a short time ago.
        """

    @abstractmethod
    async def close(self, room: Room) -> None:
        """Delete a room and all answers in it."""

    @abstractmethod
    def holds(self, room: Room) -> bool:
        """Return whether a room is still open, as far as this copy of the app has heard."""

    @abstractmethod
    async def by_code(self, code: str) -> Room | None:
        """Return the room of this code, up to date; None if there is none."""

    @abstractmethod
    async def by_projector(self, key: str) -> Room | None:
        """Return the room that this projector shows, up to date; None if there is none."""

    async def by_secret(self, code: str, secret: str) -> Room | None:
        """Return the room of this code if the secret is its teacher's; else None.

        The time that it takes does not depend on the letters that are right.
        """
        room = await self.by_code(code)
        return room if room and secrets.compare_digest(room.secret.encode(), secret.encode()) else None

    @abstractmethod
    async def change(self, room: Room, act: Callable[[], Result], phones: bool = False) -> Result:
        """Change a room and tell everybody in it; return what `act` returns.

        act: changes the room. It may be called again, after another has changed the room at the same time.
        phones: whether phones show anything of the change.

        Raises what `act` raises; the room is then as it was.
        """

    @abstractmethod
    def change_later(self, room: Room, act: Callable[[], None]) -> None:
        """Change a room as soon as possible, where nobody can wait for it or hear of a failure."""

    @abstractmethod
    async def touch(self, room: Room) -> None:
        """Record that the teacher or the projector is still connected."""

    @abstractmethod
    async def count(self) -> int:
        """Return how many rooms are open."""

    def _new_code(self) -> str:
        return "".join(self._draw(LETTERS) for _ in range(CODE_LENGTH))

    def _new_room(self, code: str, plan: ClassPlan, text: str, keep: tuple[int, ...]) -> Room:
        room = Room(code, secrets.token_urlsafe(24), secrets.token_urlsafe(16), plan, text, self.clock)
        room.keep_words(keep)
        return room

    def _check_deserted(self, seen: float) -> None:
        """Raise NotAllowed if a room is not deserted, which somebody was seen in at this time."""
        if self.clock() - seen < DESERTED_SECONDS:
            raise NotAllowed(TOO_MANY)
