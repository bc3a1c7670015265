"""The effect of an intervention: the tokens that differ, and the choice at which two translations part."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.alignment import changed
from core.topics.generate.records import Candidate, GenerationStep


@dataclass(frozen=True)
class TokenChanges:
    """The differences between a text before and after an intervention.

    lost: positions of the text before that have no partner in the text after.
    new: positions of the text after that have no partner in the text before.
    part: the first position at which they differ, None if they are the same.
    """

    lost: frozenset[int]
    new: frozenset[int]
    part: int | None

    def place(self, length: int, otherwise: int) -> int:
        """Return the position at which the choices before and after are compared.

        It is the position at which the texts part. If they do not part, or the text before, of this length, has ended
        by then, it is `otherwise`.
        """
        return otherwise if self.part is None or self.part >= length else self.part


def changes(before: Sequence[int], after: Sequence[int]) -> TokenChanges:
    """Compare two texts, given as ids."""
    lost, new = changed(before, after)
    differ = [n for n, (old_id, new_id) in enumerate(zip(before, after, strict=False)) if old_id != new_id]
    longer = [min(len(before), len(after))] if len(before) != len(after) else []
    return TokenChanges(lost, new, next(iter(differ + longer), None))


def before_and_after(before: GenerationStep, after: GenerationStep) -> list[Candidate]:
    """Return the five likeliest tokens of each of two choices at one position, the likeliest after the change first.

    probability: after the change.
    own: before it; both are the model's own probabilities.
    """
    likely = {candidate.id: candidate for step in (after, before) for candidate in step.likeliest(5)}
    probabilities_after, probabilities_before = (step.stages[0].probabilities for step in (after, before))
    rows = [
        Candidate(token, candidate.piece, float(probabilities_after[token]), float(probabilities_before[token]))
        for token, candidate in likely.items()
    ]
    return sorted(rows, key=lambda candidate: -candidate.probability)
