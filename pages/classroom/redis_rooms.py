"""Rooms in Redis: every copy of the app that uses the same Redis leads the same classes, and may start again.

A room is a hash: its fixed part, its state as JSON, and a version that counts the changes. A change is made in this
copy and then written if the version is still the one that it began with; otherwise it is made again on the newer state.
Each change is published, and every copy that holds the room reads it anew and tells its own phones and screens.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from core.lessons.lesson import Lesson
from pages.classroom.plan_files import BrokenPlan
from pages.classroom.plans import ClassPlan
from pages.classroom.redis_client import PREFIX, UNREACHED, reaching
from pages.classroom.registry import MOST_ROOMS, ROOM_SECONDS, Result, RoomRegistry
from pages.classroom.requests import Rejected
from pages.classroom.room_records import fixed_record, read_fixed, read_state, state_record
from pages.classroom.rooms import Room

ROOMS = PREFIX + "rooms"  # the codes of all rooms, each with the time at which it ends
NEWS = PREFIX + "news"  # the channel on which codes of changed rooms are published
MOST_TRIES = 100  # of one change, when many copies change a room at once
TOUCH_SECONDS = 60.0  # a room in use says so no more often
SWEEP_SECONDS = 3.0  # between looks for rooms and copies that are gone
ALIVE_SECONDS = 20  # without a sign, after which a copy is taken for dead
PAUSE = 1.0  # seconds until Redis is tried again
ANY_VERSION = -1
# Write a new room, unless there is one of its code.
OPEN = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'fixed', ARGV[1], 'state', ARGV[2], 'version', 0, 'seen', ARGV[3])
redis.call('SET', KEYS[2], ARGV[4])
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[4])
for each = 1, 2 do redis.call('PEXPIRE', KEYS[each], ARGV[6]) end
return 1
"""
# Write the state of a room and publish that it changed: 1; 0 if another has changed it meanwhile, -1 if it is gone.
WRITE = """
local version = redis.call('HGET', KEYS[1], 'version')
if not version then return -1 end
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'state', ARGV[2], 'seen', ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
"""

# Note when somebody was seen in a room; one that has ended is not brought back by it.
TOUCH = "if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'seen', ARGV[1]) end return 1"


@dataclass(eq=False)
class Held:
    """What this copy knows of a room: the version that it has, and the lock of whoever reads or changes it here."""

    version: int = ANY_VERSION
    touched: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class RedisRooms(RoomRegistry):
    """The rooms of all copies of the app that use the same Redis.

    known: returns the lessons by name.
    clock: returns the time in seconds, the same on all copies.
    """

    def __init__(
        self,
        client: Redis,
        known: Callable[[], Mapping[str, Lesson]],
        clock: Callable[[], float] = time.time,
        draw: Callable[[str], str] = secrets.choice,
    ) -> None:
        super().__init__(clock, draw)
        self._client, self._known = client, known
        self.copy = _new_copy()
        self._rooms: dict[str, Room] = {}
        self._held: WeakKeyDictionary[Room, Held] = WeakKeyDictionary()
        self._listening: asyncio.Task[None] | None = None
        self._tasks = set[asyncio.Task[None]]()

    async def open(self, plan: ClassPlan, text: str, keep: tuple[int, ...] = ()) -> Room:
        self._listen()
        with reaching():
            await self._make_place()
            while True:
                room = self._new_room(self._new_code(), plan, text, keep)
                keys = (_key(room.code), _projector_key(room.projector), ROOMS)
                ends, lasts = room.opened + ROOM_SECONDS, int(1000 * ROOM_SECONDS)
                values = (fixed_record(room), state_record(room), room.seen, room.code, ends, lasts)
                if await self._run(OPEN, keys, values):
                    return self._keep(room, 0)

    async def close(self, room: Room) -> None:
        self._listen()
        with reaching():
            await self._delete(room.code, room.projector)
        self._forget(room)

    def holds(self, room: Room) -> bool:
        return self._rooms.get(room.code) is room

    async def by_code(self, code: str) -> Room | None:
        self._listen()
        with reaching():
            room = self._rooms.get(code)
            if room is not None and await self._refresh(room):
                return room
            return await self._load(code)

    async def by_projector(self, key: str) -> Room | None:
        self._listen()
        with reaching():
            code = await self._client.get(_projector_key(key))
        return await self.by_code(str(code)) if code else None

    async def change(self, room: Room, act: Callable[[], Result], phones: bool = False) -> Result:
        self._listen()
        held = self._held[room]
        async with held.lock:
            for _ in range(MOST_TRIES):
                with reaching():
                    if not await self._refresh_locked(room):
                        raise Rejected(404, "This class is over.")
                version, held.version = held.version, ANY_VERSION  # so that what fails midway is read anew
                result = act()
                news = f"{room.code} {int(phones)}"
                with reaching():
                    values = (version, state_record(room), room.seen, NEWS, news)
                    written = await self._run(WRITE, (_key(room.code),), values)
                if written == 1:
                    held.version = version + 1
                    self._tell(room, phones)
                    return result
        raise Rejected(503, UNREACHED)

    def change_later(self, room: Room, act: Callable[[], None]) -> None:
        async def changed() -> None:
            with suppress(Rejected):
                await self.change(room, act)

        task = asyncio.get_running_loop().create_task(changed())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def touch(self, room: Room) -> None:
        held, now = self._held[room], self.clock()
        if now - held.touched >= TOUCH_SECONDS and self.holds(room):
            room.touch()
            held.touched = now
            with reaching():
                await self._run(TOUCH, (_key(room.code),), (now,))

    async def count(self) -> int:
        with reaching():
            return int(await self._client.zcount(ROOMS, self.clock(), "+inf"))

    async def _refresh(self, room: Room) -> bool:
        """Bring a room up to date, when nobody here is changing it; return whether it is still open."""
        async with self._held[room].lock:
            return await self._refresh_locked(room)

    async def _refresh_locked(self, room: Room) -> bool:
        held, key = self._held[room], _key(room.code)
        (version,) = await self._fields(key, "version")
        if version is None or not self.holds(room):
            self._forget(room)
            return False
        if int(version) != held.version:
            version, state = await self._fields(key, "version", "state")
            if version is None:
                self._forget(room)
                return False
            read_state(room, state)
            held.version = int(version)
        return True

    async def _load(self, code: str) -> Room | None:
        """Return a room that this copy does not have yet; None if there is none."""
        fixed, version, state, seen = await self._fields(_key(code), "fixed", "version", "state", "seen")
        if code in self._rooms or fixed is None:
            return self._rooms.get(code)
        try:
            room = read_fixed(fixed, self._known(), self.clock)
        except BrokenPlan:  # of another version of the app, with other lessons
            return None
        read_state(room, state)
        room.seen = float(seen)
        return self._keep(room, int(version))

    def _keep(self, room: Room, version: int) -> Room:
        self._rooms[room.code], self._held[room] = room, Held(version)
        self._welcome(room)
        return room

    def _forget(self, room: Room) -> None:
        if self.holds(room):
            del self._rooms[room.code]
            self._tell(room, True)

    async def _make_place(self) -> None:
        """Close the room that was deserted first if there are too many. Raises NotAllowed if none is."""
        await self._client.zremrangebyscore(ROOMS, "-inf", self.clock())
        codes = [str(code) for code in await self._client.zrange(ROOMS, 0, -1)]
        if len(codes) < MOST_ROOMS:
            return
        seen = {code: float((await self._fields(_key(code), "seen"))[0] or 0) for code in codes}
        oldest = min(codes, key=seen.__getitem__)
        self._check_deserted(seen[oldest])
        await self._delete(oldest)

    async def _delete(self, code: str, projector: str = "") -> None:
        steps = self._client.pipeline()
        steps.delete(_key(code), _projector_key(projector))
        steps.zrem(ROOMS, code)
        steps.publish(NEWS, f"{code} 1")
        await steps.execute()

    async def _fields(self, key: str, *names: str) -> list[Any]:
        return await cast(Awaitable[list[Any]], self._client.hmget(key, list(names)))

    async def _run(self, script: str, keys: tuple[str, ...], values: tuple[Any, ...]) -> int:
        return int(await cast(Awaitable[int], self._client.eval(script, len(keys), *keys, *values)))

    def _listen(self) -> None:
        """Start to hear of changes that other copies make, unless this copy does already."""
        if self._listening is None or self._listening.done():
            self._listening = asyncio.get_running_loop().create_task(self._hear())

    async def _hear(self) -> None:
        """Hear of changes for ever; where Redis cannot be reached, end all streams and try again."""
        while not _is_cancelled():
            try:
                async with self._client.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(NEWS)
                    await self._sweep()
                    await self._hear_news(channel)
            except (RedisError, OSError, TimeoutError):
                self.copy = _new_copy()  # the phones of the former are disconnected after a while
                self._interrupt()
                await asyncio.sleep(PAUSE)

    async def _hear_news(self, channel: PubSub) -> None:
        swept = time.monotonic()
        while not _is_cancelled():
            message = await channel.get_message(timeout=SWEEP_SECONDS / 5)
            if message:
                code, phones = str(message["data"]).split()
                await self._hear_of(code, phones == "1")
            if time.monotonic() - swept > SWEEP_SECONDS:
                await self._sweep()
                swept = time.monotonic()

    async def _hear_of(self, code: str, phones: bool) -> None:
        room = self._rooms.get(code)
        if room is None:
            return
        version = self._held[room].version
        if await self._refresh(room) and self._held[room].version != version:
            self._tell(room, phones)

    async def _sweep(self) -> None:
        """Say that this copy is alive, bring all rooms up to date, and disconnect phones of copies that are gone."""
        await self._client.set(_copy_key(self.copy), 1, ex=ALIVE_SECONDS)
        for room in list(self._rooms.values()):
            await self._hear_of(room.code, True)
            copies = {each.connection.partition(".")[0] for each in room.participants.values() if each.connection}
            for copy in copies - {self.copy}:
                if not await self._client.exists(_copy_key(copy)):
                    self.change_later(room, partial(room.drop_copy, copy))


def _is_cancelled() -> bool:
    """Return whether this task is to end; the client of Redis lets go unheard of that while it connects."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _new_copy() -> str:
    return secrets.token_hex(6)


def _key(code: str) -> str:
    return f"{PREFIX}room:{code}"


def _projector_key(key: str) -> str:
    return f"{PREFIX}projector:{key}"


def _copy_key(copy: str) -> str:
    return f"{PREFIX}copy:{copy}"
