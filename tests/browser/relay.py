"""A proxy before several copies of the app: each connection goes to the next copy that answers, whoever asks."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from urllib.parse import urlsplit

from tests.browser.server import free_port

CHUNK = 65536  # bytes


class Relay:
    """Passes bytes between browsers and copies. Its loop runs in a thread of its own."""

    def __init__(self, copies: list[str]) -> None:
        self.port = free_port()
        self._ports = [int(urlsplit(copy).port or 0) for copy in copies]
        self._turns = count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        self._thread.start()
        serving = asyncio.start_server(self._serve, "127.0.0.1", self.port)
        asyncio.run_coroutine_threadsafe(serving, self._loop).result(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turn = next(self._turns)
        for port in [self._ports[(turn + step) % len(self._ports)] for step in range(len(self._ports))]:
            with suppress(OSError):
                there, back = await asyncio.open_connection("127.0.0.1", port)
                await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
                return
        writer.close()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await source.read(CHUNK):
                target.write(chunk)
                await target.drain()
        target.close()


@contextmanager
def relaying(copies: list[str]) -> Iterator[str]:
    """A relay before copies of the app; gives the address that browsers know."""
    relay = Relay(copies)
    relay.start()
    try:
        yield f"http://127.0.0.1:{relay.port}"
    finally:
        relay.stop()
