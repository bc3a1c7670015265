"""Server-sent events: each phone, projector and teacher has a stream that tells what has changed."""

import asyncio
import json
import signal
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from starlette.responses import StreamingResponse

from pages.classroom.messages import Message
from pages.classroom.registry import RoomRegistry
from pages.classroom.requests import Rejected
from pages.classroom.rooms import Room
from pages.classroom.seats import Participant

HEARTBEAT_SECONDS = 15.0  # proxies close connections that are silent for longer
GATHER_SECONDS = 0.15  # changes within it are told to the projector at once
MOST_SCREENS = 6  # projectors and teacher's pages of one room
RETRY_EVENT = b"retry: 2000\n\n"
STILL_HERE = b": still here\n\n"
GONE_EVENT = b"event: gone\ndata: {}\n\n"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class EventStream:
    """One open connection to a browser.

    wake: set when there is something to send, or when the stream is to end.
    """

    def __init__(self) -> None:
        self.wake, self.is_ended = asyncio.Event(), False

    def end(self) -> None:
        """End the stream; the browser opens another if it still needs one."""
        self.is_ended = True
        self.wake.set()


class Audience:
    """The open connections of one room: one for each phone, and those of the projector and the teacher."""

    def __init__(self) -> None:
        self.phones: dict[str, EventStream] = {}
        self.screens: OrderedDict[int, EventStream] = OrderedDict()

    def add_phone(self, ticket: str) -> EventStream:
        """Return a new stream of a phone, and end its former one."""
        self.drop_phone(ticket)
        self.phones[ticket] = EventStream()
        return self.phones[ticket]

    def drop_phone(self, ticket: str) -> None:
        """End the stream of a phone, if it has one."""
        if former := self.phones.pop(ticket, None):
            former.end()

    def add_screen(self) -> EventStream:
        """Return a new stream of a projector or a teacher; if there are too many, the oldest ends."""
        stream = EventStream()
        self.screens[id(stream)] = stream
        if len(self.screens) > MOST_SCREENS:
            self.screens.popitem(last=False)[1].end()
        return stream

    def remove(self, stream: EventStream) -> None:
        """Forget a stream that has ended."""
        self.screens.pop(id(stream), None)
        for ticket in [ticket for ticket, held in self.phones.items() if held is stream]:
            del self.phones[ticket]


class EventStreams:
    """The streams of all rooms. Use it in the thread of the server's event loop only."""

    def __init__(
        self, rooms: RoomRegistry, heartbeat: float = HEARTBEAT_SECONDS, gather: float = GATHER_SECONDS
    ) -> None:
        self._rooms, self._heartbeat, self._gather = rooms, heartbeat, gather
        self._numbers = count()
        self._audiences: WeakKeyDictionary[Room, Audience] = WeakKeyDictionary()
        self._is_watching = False

    def audience(self, room: Room) -> Audience:
        """Return the open connections of a room."""
        return self._audiences.setdefault(room, Audience())

    def tell(self, room: Room, phones: bool) -> None:
        """Wake the streams of a room because it has changed.

        phones: whether the phones show anything of the change.
        """
        audience = self.audience(room)
        for stream in [*audience.screens.values(), *(audience.phones.values() if phones else ())]:
            stream.wake.set()

    def phone(self, room: Room, participant: Participant, message: Callable[[], Message | None]) -> StreamingResponse:
        """Answer a phone with its stream of events; while it is open the participant is connected.

        message: returns the next message; None if the room is gone.
        """
        audience, connection = self.audience(room), f"{self._rooms.copy}.{next(self._numbers)}"

        async def add() -> EventStream:
            await self._rooms.change(room, lambda: room.connect(participant, connection))
            return audience.add_phone(participant.ticket)

        def note_end() -> None:
            if participant.connection == connection:
                self._rooms.change_later(room, lambda: room.disconnect(participant, connection))

        async def news() -> Message | None:
            return message()

        return self._response(room, add, news, 0.0, note_end)

    def screen(self, room: Room, message: Callable[[], Awaitable[Message | None]]) -> StreamingResponse:
        """Answer a projector or a teacher with a stream of events; changes in quick succession are sent as one.

        message: returns the next message; None if the room is gone.
        """

        async def add() -> EventStream:
            return self.audience(room).add_screen()

        return self._response(room, add, message, self._gather)

    def end_all(self) -> None:
        """End every stream, so that the server can stop."""
        for audience in list(self._audiences.values()):
            for stream in [*audience.screens.values(), *audience.phones.values()]:
                stream.end()

    def _response(
        self,
        room: Room,
        add: Callable[[], Awaitable[EventStream]],
        message: Callable[[], Awaitable[Message | None]],
        gather: float,
        note_end: Callable[[], None] = lambda: None,
    ) -> StreamingResponse:
        self._watch_signals()
        content = self._events(room, add, message, gather, note_end)
        return StreamingResponse(content, media_type="text/event-stream", headers=HEADERS)

    async def _events(
        self,
        room: Room,
        add: Callable[[], Awaitable[EventStream]],
        message: Callable[[], Awaitable[Message | None]],
        gather: float,
        note_end: Callable[[], None],
    ) -> AsyncIterator[bytes]:
        try:
            stream, last = await add(), b""
        except Rejected:
            return
        try:
            yield RETRY_EVENT
            while not stream.is_ended:
                stream.wake.clear()
                news = await message()
                if news is None:
                    yield GONE_EVENT
                    return
                event = b"data: " + json.dumps(news).encode() + b"\n\n"
                yield STILL_HERE if event == last else event
                last = event
                with suppress(TimeoutError):
                    await asyncio.wait_for(stream.wake.wait(), self._heartbeat)
                if gather and not stream.is_ended:
                    await asyncio.sleep(gather)
        except Rejected:  # the class cannot be reached: the browser asks again, and is told
            pass
        finally:
            self.audience(room).remove(stream)
            note_end()

    def _watch_signals(self) -> None:
        """End all streams when the server is told to stop, because it would wait for them for ever."""
        if self._is_watching or threading.current_thread() is not threading.main_thread():
            return
        self._is_watching = True
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, _first(lambda: loop.call_soon_threadsafe(self.end_all), before))


def _first(act: Callable[[], Any], before: Callable[..., Any]) -> Callable[..., Any]:
    """Return a signal handler that calls `act` and then the handler that there was."""

    def handle(number: int, frame: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed
            act()
        before(number, frame)

    return handle
