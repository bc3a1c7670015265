"""One translation as far as a page looks at it: what is written of it, what the decoder had read, where it was cut."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.explorer.generation.records import UNTOUCHED, GeneratedToken, Intervention
from core.explorer.generation.setup import translation_limit
from core.explorer.shared.once import once
from core.readings.generation import name_chance
from core.readings.translate import read_cut_after
from core.tracing.run import Run

Write = Callable[[int, Intervention], tuple[GeneratedToken, ...]]


@dataclass(frozen=True)
class Translation:
    """What the model writes for the source, greedily: its first `count` tokens, or all of it.

    start: the ids that the decoder has read before it writes; source: the pieces that the encoder reads. write: gives
    the first tokens, so many, under an intervention; called when they are asked for.
    """

    run: Run
    start: tuple[int, ...]
    source: tuple[str, ...]
    write: Write
    count: int | None = None
    intervention: Intervention = UNTOUCHED

    def first(self, count: int) -> "Translation":
        """Its first tokens."""
        return replace(self, count=count)

    def under(self, intervention: Intervention) -> "Translation":
        """The same, as it is written when this is forced on the model."""
        return replace(self, intervention=intervention)

    @property
    def most(self) -> int:
        """How many tokens are written at most."""
        return translation_limit(self.run.config, len(self.start), len(self.source))

    @once
    def written(self) -> tuple[GeneratedToken, ...]:
        return self.write(self.most if self.count is None else min(self.count, self.most), self.intervention)

    @property
    def noted(self) -> list[tuple[str, str]]:
        """The pieces that are written, each with what is read out beside it."""
        return [(each.piece, name_chance(each.own)) for each in self.written]

    @property
    def ended(self) -> bool:
        return bool(self.written and self.written[-1].ended)

    @property
    def ids(self) -> tuple[int, ...]:
        """Of the tokens that are written."""
        return tuple(each.chosen for each in self.written)

    def read(self, at: int | None = None) -> tuple[int, ...]:
        """What the decoder had read when it chose token `at`; without one the whole text, as far as it can be read."""
        return (*self.start, *self.ids[:at])[: self.run.config.max_length]

    @property
    def cut(self) -> str | None:
        """That the model was stopped before it wrote </s>, where it was."""
        count = len(self.written)
        if not count or self.ids[-1] in self.run.special.ends or not (self.ended or count == self.most):
            return None
        return read_cut_after(count)
