"""All rooms of this server: found by code, by the teacher's secret or by the projector's; gone after four hours."""

import secrets
import threading
import time
from collections.abc import Callable

from pages.classroom.codes import CODE_LENGTH, LETTERS
from pages.classroom.plans import ClassPlan
from pages.classroom.refusals import NotAllowed
from pages.classroom.rooms import Room

MOST_ROOMS = 40  # more than one address may open at once
ROOM_SECONDS = 4 * 3600.0
DESERTED_SECONDS = 15 * 60.0  # after which a room may be closed for another, if there are too many


class RoomRegistry:
    """The rooms that are open, in memory only.

    clock: returns the time in seconds.
    draw: returns one letter of several, by chance.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, draw: Callable[[str], str] = secrets.choice
    ) -> None:
        self._clock, self._draw = clock, draw
        self._rooms: dict[str, Room] = {}
        self._lock = threading.RLock()

    def open(self, plan: ClassPlan, text: str) -> Room:
        """Open a room.

        text: the text that all questions are asked about; "" if each is asked about that of its lesson.

        Raises NotAllowed if there are too many rooms, and somebody was in each a short time ago.
        """
        with self._lock:
            self._forget_old()
            if len(self._rooms) >= MOST_ROOMS:
                self._close_deserted()
            code = self._new_code()
            room = Room(code, secrets.token_urlsafe(24), secrets.token_urlsafe(16), plan, text, self._clock)
            self._rooms[code] = room
            return room

    def close(self, room: Room) -> None:
        """Delete a room and all answers in it."""
        with self._lock:
            if self._rooms.get(room.code) is room:
                del self._rooms[room.code]

    def holds(self, room: Room) -> bool:
        """Return whether a room is still open."""
        return self.by_code(room.code) is room

    def by_code(self, code: str) -> Room | None:
        """Return the room of this code; None if there is none."""
        with self._lock:
            self._forget_old()
            return self._rooms.get(code)

    def by_secret(self, secret: str) -> Room | None:
        """Return the room of this teacher; None if there is none."""
        return self._find(secret, lambda room: room.secret)

    def by_projector(self, key: str) -> Room | None:
        """Return the room that this projector shows; None if there is none."""
        return self._find(key, lambda room: room.projector)

    def __len__(self) -> int:
        with self._lock:
            self._forget_old()
            return len(self._rooms)

    def _find(self, given: str, key: Callable[[Room], str]) -> Room | None:
        """Return the room with this key; the time that it takes does not depend on the letters that are right."""
        with self._lock:
            self._forget_old()
            wanted = given.encode()
            matching = [room for room in self._rooms.values() if secrets.compare_digest(key(room).encode(), wanted)]
            return matching[0] if matching else None

    def _new_code(self) -> str:
        while True:
            code = "".join(self._draw(LETTERS) for _ in range(CODE_LENGTH))
            if code not in self._rooms:
                return code

    def _forget_old(self) -> None:
        end = self._clock() - ROOM_SECONDS
        for code in [code for code, room in self._rooms.items() if room.opened <= end]:
            del self._rooms[code]

    def _close_deserted(self) -> None:
        room = min(self._rooms.values(), key=lambda room: room.seen)
        if self._clock() - room.seen < DESERTED_SECONDS:
            raise NotAllowed("Too many classes are open on this server. Try again in a quarter of an hour.")
        del self._rooms[room.code]
