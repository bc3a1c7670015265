"""The line that shows the progress of a run: share done, loss, tokens per second, time left."""

import sys
import time
from typing import TextIO

WIDTH = 24
PAUSE_TERMINAL, PAUSE_FILE = 0.5, 30.0


class ProgressLine:
    """A line of progress, rewritten in place on a terminal and written anew every half minute to a file."""

    def __init__(self, name: str, stream: TextIO | None = None, active: bool = True) -> None:
        self.name = name
        self.stream = stream or sys.stderr
        self.active = active
        self.terminal = self.stream.isatty()
        self.loss, self.count, self.since = 0.0, 0, time.monotonic()

    def update(self, step: int, progress: float, minutes: float, loss: float, predictions: int) -> None:
        """Count one more step, and write the line if it is due.

        loss: the step's loss, summed over its predictions.
        """
        self.loss, self.count = self.loss + loss, self.count + predictions
        passed = time.monotonic() - self.since
        if not self.active or passed < (PAUSE_TERMINAL if self.terminal else PAUSE_FILE):
            return
        left = minutes * (1 - progress) / progress if progress else 0.0
        self._write(
            f"{self.name} {bar(progress)} step {step:,}  loss {self.loss / max(self.count, 1):.3f}  "
            f"{self.count / passed:,.0f} tokens/s  {left:.1f} min left"
        )
        self.loss, self.count, self.since = 0.0, 0, time.monotonic()

    def print(self, text: str) -> None:
        """Write a text on a line of its own that is not overwritten."""
        if self.active:
            print(("\r\x1b[K" if self.terminal else "") + text, file=self.stream, flush=True)

    def _write(self, text: str) -> None:
        ends = ("\r\x1b[K", "") if self.terminal else ("", "\n")
        print(f"{ends[0]}{text}", end=ends[1], file=self.stream, flush=True)


def bar(progress: float) -> str:
    """Return a bar of fixed width: [######······] 50%."""
    full = round(min(max(progress, 0.0), 1.0) * WIDTH)
    return f"[{'#' * full}{'·' * (WIDTH - full)}] {progress:4.0%}"
