"""Loaded by Python itself in every server of the browser tests: what it asks of other hosts is refused and noted."""

import os
import sys
from pathlib import Path

HERE = ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::", "")
ASKS = {
    "socket.connect": lambda arguments: arguments[1],
    "socket.sendto": lambda arguments: arguments[1],
    "socket.sendmsg": lambda arguments: arguments[1],
    "socket.getaddrinfo": lambda arguments: arguments,
    "socket.gethostbyname": lambda arguments: arguments,
}


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook. Raises ConnectionRefusedError for another host; a socket in the file system is none."""
    if event not in ASKS:
        return
    where = ASKS[event](arguments)
    host = where[0] if isinstance(where, tuple) else None
    name = host.decode() if isinstance(host, bytes) else host
    if isinstance(name, str) and name not in HERE:
        with Path(os.environ["FOREIGN_HOSTS"]).open("a", encoding="utf-8") as file:
            file.write(f"{event} {name}\n")
        raise ConnectionRefusedError(f"the tests allow no way to {name}")


if "FOREIGN_HOSTS" in os.environ:
    sys.addaudithook(watch)
