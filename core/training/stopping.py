"""Stopping a run cleanly from outside."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Whether SIGTERM or Ctrl-C came: the first is taken as a wish to stop cleanly, the next one kills."""
    asked = False
    old = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(number, signal.SIG_DFL)

    for number in old:
        signal.signal(number, note)
    try:
        yield lambda: asked
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
