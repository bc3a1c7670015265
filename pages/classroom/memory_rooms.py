"""Rooms in the memory of this copy of the app: all that one copy needs, and gone when it ends."""

import secrets
import time
from collections.abc import Callable

from pages.classroom.plans import ClassPlan
from pages.classroom.registry import MOST_ROOMS, ROOM_SECONDS, Result, RoomRegistry
from pages.classroom.rooms import Room


class MemoryRooms(RoomRegistry):
    """The rooms of this process."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, draw: Callable[[str], str] = secrets.choice
    ) -> None:
        super().__init__(clock, draw)
        self._rooms: dict[str, Room] = {}

    async def open(self, plan: ClassPlan, text: str, keep: tuple[int, ...] = ()) -> Room:
        self._forget_old()
        if len(self._rooms) >= MOST_ROOMS:
            deserted = min(self._rooms.values(), key=lambda room: room.seen)
            self._check_deserted(deserted.seen)
            del self._rooms[deserted.code]
        while (code := self._new_code()) in self._rooms:
            pass
        room = self._rooms[code] = self._new_room(code, plan, text, keep)
        self._welcome(room)
        return room

    async def close(self, room: Room) -> None:
        if self.holds(room):
            del self._rooms[room.code]
            self._tell(room, True)

    def holds(self, room: Room) -> bool:
        return self._by_code(room.code) is room

    async def by_code(self, code: str) -> Room | None:
        return self._by_code(code)

    async def by_projector(self, key: str) -> Room | None:
        self._forget_old()
        wanted = key.encode()
        rooms = [room for room in self._rooms.values() if secrets.compare_digest(room.projector.encode(), wanted)]
        return rooms[0] if rooms else None

    async def change(self, room: Room, act: Callable[[], Result], phones: bool = False) -> Result:
        result = act()
        self._tell(room, phones)
        return result

    def change_later(self, room: Room, act: Callable[[], None]) -> None:
        act()
        self._tell(room, False)

    async def touch(self, room: Room) -> None:
        room.touch()

    async def count(self) -> int:
        self._forget_old()
        return len(self._rooms)

    def _by_code(self, code: str) -> Room | None:
        self._forget_old()
        return self._rooms.get(code)

    def _forget_old(self) -> None:
        end = self.clock() - ROOM_SECONDS
        for code in [code for code, room in self._rooms.items() if room.opened <= end]:
            del self._rooms[code]
