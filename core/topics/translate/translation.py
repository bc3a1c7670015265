"""One translation, up to the token that a page shows: its tokens, the tokens that the decoder had read, and its end."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.topics.generate.records import NO_INTERVENTION, GeneratedToken, Intervention
from core.topics.generate.setup import translation_limit
from core.topics.shared.once import once
from core.tracing.run import Run

Write = Callable[[int, Intervention], tuple[GeneratedToken, ...]]


@dataclass(frozen=True)
class Translation:
    """The greedy translation of the source: its first `count` tokens, or all of it if `count` is None.

    start: the ids that the decoder has read before it writes.
    source: the pieces that the encoder reads.
    write: returns the first tokens, given their number and an intervention; called when the tokens are needed.
    """

    run: Run
    start: tuple[int, ...]
    source: tuple[str, ...]
    write: Write
    count: int | None = None
    intervention: Intervention = NO_INTERVENTION

    def first(self, count: int) -> "Translation":
        """Return the translation up to its first `count` tokens."""
        return replace(self, count=count)

    def under(self, intervention: Intervention) -> "Translation":
        """Return the translation that is written under this intervention."""
        return replace(self, intervention=intervention)

    @property
    def max_tokens(self) -> int:
        """The largest number of tokens that are written."""
        return translation_limit(self.run.config, len(self.start), len(self.source))

    @once
    def written(self) -> tuple[GeneratedToken, ...]:
        return self.write(
            self.max_tokens if self.count is None else min(self.count, self.max_tokens), self.intervention
        )

    @property
    def ended(self) -> bool:
        return bool(self.written and self.written[-1].ended)

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the written tokens."""
        return tuple(token.chosen for token in self.written)

    def read(self, index: int | None = None) -> tuple[int, ...]:
        """Return the ids that the decoder had read when it chose token `index`, cut to the model's longest text.

        Without `index`, all ids are returned.
        """
        return (*self.start, *self.ids[:index])[: self.run.config.max_length]

    @property
    def is_cut(self) -> bool:
        """Whether the model was stopped before it wrote </s>."""
        count = len(self.written)
        stopped = self.ended or count == self.max_tokens
        return count > 0 and stopped and self.ids[-1] not in self.run.format.special.ends
