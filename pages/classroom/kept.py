"""Where the classes of this copy of the app are kept: in its memory, or in a Redis that it shares with other copies."""

import os
from collections.abc import Callable, Mapping

from core.lessons.lesson import Lesson
from pages.classroom.limits import Limits, MemoryLimits
from pages.classroom.memory_rooms import MemoryRooms
from pages.classroom.registry import RoomRegistry
from pages.shell.environment import REDIS_VARIABLE


def kept_classes(known: Callable[[], Mapping[str, Lesson]]) -> tuple[RoomRegistry, Limits]:
    """Return the rooms and the limits: of the Redis that the environment names, otherwise of this process.

    known: returns the lessons by name.

    Raises ValueError if the environment names something else than the address of a Redis.
    """
    address = os.environ.get(REDIS_VARIABLE, "").strip()
    if not address:
        return MemoryRooms(), MemoryLimits()
    from pages.classroom.redis_client import connected
    from pages.classroom.redis_limits import RedisLimits
    from pages.classroom.redis_rooms import RedisRooms

    try:
        client = connected(address)
    except ValueError as mistake:
        raise ValueError(f"{REDIS_VARIABLE} must be an address such as redis://host:6379/0. {mistake}") from mistake
    return RedisRooms(client, known), RedisLimits(client)
