"""The streams of events: what is told when, to whom, and when they end."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from starlette.responses import StreamingResponse

from pages.classroom.memory_rooms import MemoryRooms
from pages.classroom.messages import Message
from pages.classroom.plans import lesson_plan
from pages.classroom.rooms import Room
from pages.classroom.streams import GONE_EVENT, MOST_SCREENS, RETRY_EVENT, STILL_HERE, EventStreams
from tests.pages.classroom.lesson import LESSON, Clock
from tests.pages.classroom.loops import run_async

LONG, SHORT = 1000.0, 0.01  # seconds


def new_room() -> Room:
    return Room("BCDFG", "secret", "projector", lesson_plan(LESSON), LESSON.words, Clock())


def events_of(response: StreamingResponse) -> AsyncGenerator[bytes, None]:
    content = response.body_iterator
    assert isinstance(content, AsyncGenerator)
    return content


async def following(response: StreamingResponse) -> bytes:
    """The next part of a stream."""
    return await asyncio.wait_for(anext(events_of(response)), 30)


async def nothing_follows(response: StreamingResponse) -> bool:
    """Whether a stream has ended."""
    try:
        await following(response)
    except StopAsyncIteration:
        return True
    return False


def data(event: bytes) -> Any:
    return json.loads(event.removeprefix(b"data: "))


def run(scene: Callable[[EventStreams, Room], Awaitable[None]], heartbeat: float = LONG, gather: float = 0.0) -> None:
    rooms = MemoryRooms(Clock())
    streams = EventStreams(rooms, heartbeat, gather)
    rooms.attend(streams.tell, lambda room: None, streams.end_all)
    run_async(scene(streams, new_room()))  # type: ignore[arg-type]


def test_a_phone_is_told_of_each_change() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        phone = streams.phone(room, room.join(), lambda: {"version": room.version})
        assert await following(phone) == RETRY_EVENT and data(await following(phone)) == {"version": 0}
        assert phone.media_type == "text/event-stream" and phone.headers["cache-control"] == "no-store"
        room.version = 1
        streams.tell(room, phones=True)
        assert data(await following(phone)) == {"version": 1}

    run(scene)


def test_what_happens_while_news_are_made_is_told_as_well() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        async def message() -> Message:
            version = room.version
            if version == 0:
                room.version = 1
                streams.tell(room, phones=False)
            return {"version": version}

        screen = streams.screen(room, message)
        await following(screen)
        assert [data(await following(screen)) for _ in range(2)] == [{"version": 0}, {"version": 1}]

    run(scene)


def test_without_news_a_stream_only_says_that_it_is_there() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        phone = streams.phone(room, room.join(), lambda: {"version": 0})
        await following(phone)
        assert data(await following(phone)) == {"version": 0}
        assert await following(phone) == await following(phone) == STILL_HERE

    run(scene, heartbeat=SHORT)


def test_answers_of_others_do_not_wake_phones() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        asked: list[str] = []
        phone = streams.phone(room, room.join(), lambda: asked.append("phone") or {})  # type: ignore[func-returns-value]
        await following(phone)
        await following(phone)
        waiting = asyncio.create_task(following(phone))
        await asyncio.sleep(0)
        streams.tell(room, phones=False)
        for _ in range(5):
            await asyncio.sleep(0)
        assert asked == ["phone"] and not waiting.done()
        waiting.cancel()

    run(scene)


def test_a_phone_has_one_stream() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        owner = room.join()
        first, second = (streams.phone(room, owner, lambda: {"version": 0}) for _ in range(2))
        for phone in (first, second):
            await following(phone)
        assert await nothing_follows(first) and not await nothing_follows(second)
        assert room.connected == 1 and owner.is_connected  # also after the end of the first

    run(scene)


def test_only_so_many_screens_have_a_stream() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        async def message() -> Message:
            return {}

        screens = [streams.screen(room, message) for _ in range(MOST_SCREENS + 1)]
        for screen in screens:
            await following(screen)
        assert [await nothing_follows(screen) for screen in screens] == [True] + [False] * MOST_SCREENS

    run(scene)


def test_a_stream_that_is_closed_is_not_counted() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        owner = room.join()
        phone = streams.phone(room, owner, dict)
        assert not owner.was_connected
        await following(phone)
        assert room.connected == 1 and owner.is_connected
        await events_of(phone).aclose()
        assert room.connected == 0 and not owner.is_connected and owner.was_connected

    run(scene)


def test_a_stream_ends_with_its_room_and_with_the_server() -> None:
    async def scene(streams: EventStreams, room: Room) -> None:
        gone = streams.phone(room, room.join(), lambda: None)
        assert (
            await following(gone) == RETRY_EVENT and await following(gone) == GONE_EVENT and await nothing_follows(gone)
        )
        phone = streams.phone(room, room.join(), dict)
        await following(phone)
        await following(phone)
        streams.end_all()
        assert await nothing_follows(phone)

    run(scene)
