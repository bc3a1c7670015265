"""Threads that wait for one another."""

import threading
import time
from collections.abc import Callable
from typing import Any


def until(holds: Callable[[], Any]) -> None:
    """Wait until something holds."""
    while not holds():
        time.sleep(0.001)


def begun(work: Callable[[], Any]) -> threading.Thread:
    """A thread that does this work."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
