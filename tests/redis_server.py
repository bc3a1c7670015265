"""A real Redis server for tests, started and stopped by the test, with its data in a folder of the test's own."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.browser.server import free_port

PROGRAM = "redis-server"
START_SECONDS = 20


class RedisServer:
    """A server that can be paused, killed and started again with the same data."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "yes", "dir": str(self.folder)}
        command = [PROGRAM, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            assert time.monotonic() < end, "Redis does not start."
            time.sleep(0.02)

    def answers(self) -> bool:
        with Redis.from_url(self.address) as client:
            try:
                return bool(client.ping())
            except RedisError:
                return False

    def empty(self) -> None:
        with Redis.from_url(self.address) as client:
            client.flushall()

    def lasts(self, key: str) -> float:
        """The seconds until a key is gone; below 0 if it stays for ever or is not there."""
        with Redis.from_url(self.address) as client:
            return float(client.pttl(key)) / 1000

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)


@contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    """A Redis server; skips the test where there is none, and fails it where `CI` is set."""
    if not shutil.which(PROGRAM):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"There is no {PROGRAM} on this machine.")
    server = RedisServer(folder)
    try:
        yield server
    finally:
        server.kill()
