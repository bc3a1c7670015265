"""What an intervention changed: the tokens that differ, and the choice where two translations part."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.alignment import changed
from core.explorer.generation.records import Candidate, GenerationStep


@dataclass(frozen=True)
class TokenChanges:
    """lost: places of the text before that have no partner in the text after; new: those of the text after. part: the
    first place where they differ, None where they are the same."""

    lost: frozenset[int]
    new: frozenset[int]
    part: int | None

    def place(self, length: int, otherwise: int) -> int:
        """Where the choices before and after are compared: where the texts part, if the text before, of this length, is
        not over there, and `otherwise` in any other case."""
        return otherwise if self.part is None or self.part >= length else self.part


def changes(before: Sequence[int], after: Sequence[int]) -> TokenChanges:
    """Two texts, as ids."""
    lost, new = changed(before, after)
    differ = [n for n, (old, now) in enumerate(zip(before, after, strict=False)) if old != now]
    longer = [min(len(before), len(after))] if len(before) != len(after) else []
    return TokenChanges(lost, new, next(iter(differ + longer), None))


def before_and_after(before: GenerationStep, after: GenerationStep, count: int = 10) -> list[Candidate]:
    """The likeliest tokens of two choices at one place, the likeliest after the change first.

    probability: after the change; own: before it, both the model's own.
    """
    likely = {each.id: each for step in (after, before) for each in step.likeliest(6)}
    now, then = (step.stages[0].probabilities for step in (after, before))
    rows = [Candidate(token, each.piece, float(now[token]), float(then[token])) for token, each in likely.items()]
    return sorted(rows, key=lambda each: -each.probability)[:count]
