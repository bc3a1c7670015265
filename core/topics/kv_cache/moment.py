"""The state of a text with a KV cache: the tokens that the decoder has read, and which of them are new."""

from dataclasses import dataclass

from core.tracing.run import Run


@dataclass(frozen=True)
class Moment:
    """A text as far as the decoder has read it.

    start: number of tokens in its beginning.
    ids, pieces: all tokens that were read.
    source: number of tokens in the source; 0 without one.
    limit: the largest number of tokens that can be read.
    over: whether nothing can follow.
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
        """The number of rows that this step computes: the whole beginning in the first step, then one."""
        return self.length if self.length == self.start else 1

    @property
    def old(self) -> int:
        """The number of tokens that were read before this step."""
        return self.length - self.new
