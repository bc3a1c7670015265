"""Where a text stands whose keys and values are kept: what the decoder has read, and which of it is new."""

from dataclasses import dataclass

from core.tracing.run import Run


@dataclass(frozen=True)
class Moment:
    """A text as far as the decoder has read it.

    start: how many tokens it begins with; ids, pieces: all that were read; source: tokens of the source, 0 without
    one; limit: the most tokens that can be read; over: whether nothing can follow.
    """

    run: Run
    start: int
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    source: int
    limit: int
    over: bool

    @property
    def length(self) -> int:
        return len(self.ids)

    @property
    def new(self) -> int:
        """How many rows this step computes: the whole beginning in the first, then one."""
        return self.length if self.length == self.start else 1

    @property
    def old(self) -> int:
        """How many tokens were read before this step."""
        return self.length - self.new
