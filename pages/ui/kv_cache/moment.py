"""Where the text stands: what the decoder has read, and which of it is new."""

from dataclasses import dataclass

import numpy as np

from core.analysis.kv_costs import Reading, operations, with_cache, without_cache
from core.tracing.run import Run

KINDS = ("with the cache", "without a cache")


@dataclass(frozen=True)
class Moment:
    """start: how many tokens the text begins with; ids: all that the decoder has read; source: tokens of the source,
    0 without one; limit: the most tokens that can be read."""

    run: Run
    ids: tuple[int, ...]
    start: int
    source: int
    limit: int

    @property
    def length(self) -> int:
        return len(self.ids)

    @property
    def new(self) -> int:
        """How many rows this step computes: the whole beginning in the first, then one."""
        return self.length if self.length == self.start else 1

    def readings(self, length: int) -> tuple[Reading, Reading]:
        """The pass that reads the token at this length, with a cache and without."""
        return with_cache(length, self.source, self.start), without_cache(length, self.source)

    def terms(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """The names of this step's terms, and the operations of each with a cache and without."""
        mine, other = (operations(self.run.config, each) for each in self.readings(self.length))
        return list(mine), np.array(list(mine.values())), np.array(list(other.values()))

    def along(self, lengths: list[int]) -> np.ndarray:
        """(T, 2) operations of one more token at each length, behind whatever stands there."""
        config = self.run.config
        pairs = [(with_cache(length, self.source), without_cache(length, self.source)) for length in lengths]
        return np.array([[sum(operations(config, each).values()) for each in pair] for pair in pairs])


def counted(number: float) -> str:
    """A large number as people write it: 950, 12.3 thousand, 4.56 million."""
    for power, word in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if abs(number) >= power:
            return f"{number / power:.3g}{word}"
    return f"{number:,.0f}"


def short(number: float) -> str:
    """The same in few letters: 12.3k, 4.56M, 7.8B."""
    for power, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= power:
            return f"{number / power:.3g}{letter}"
    return f"{number:.3g}"


def stored(number: float) -> str:
    """Bytes: 512 bytes, 45.0 KiB, 1.25 MiB, 3.4 GiB."""
    for power, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if number >= power:
            return f"{number / power:.3g} {unit}" if number < 1000 * power else f"{number / power:,.0f} {unit}"
    return f"{number:,.0f} bytes"
