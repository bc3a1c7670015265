"""A given translation with the model's score of each token."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.text.words import JOIN
from core.topics.generation.records import ScoredToken
from core.topics.shared.labels import NamedColumns, numbered_pieces
from core.topics.translate.readings import name_scored


@dataclass(frozen=True)
class ScoredText:
    """A text of at least one token, each with the probability that the model gave it."""

    tokens: Sequence[ScoredToken]

    @property
    def surprisals(self) -> list[float]:
        """The surprisal of each token, in bits."""
        return [each.surprisal for each in self.tokens]

    @property
    def notes(self) -> list[str]:
        """The text shown beside each token."""
        return [name_scored(each.probability, each.rank, each.best) for each in self.tokens]

    @property
    def least_expected(self) -> ScoredToken:
        """The token with the smallest probability, the first of equals.

        Punctuation and pieces of words are considered only if there is no whole word.
        """
        pieces = [each.piece for each in self.tokens]
        whole = [
            each
            for each, after in zip(self.tokens, [*pieces[1:], ""], strict=True)
            if each.piece.isalpha() and not after.startswith(JOIN)
        ]
        return min(whole or self.tokens, key=lambda each: each.probability)

    @property
    def table(self) -> NamedColumns:
        """The scores as a table with a row for each token."""
        return {
            "token": numbered_pieces([each.piece for each in self.tokens]),
            "probability": [each.probability for each in self.tokens],
            "rank": [each.rank for each in self.tokens],
            "bits": self.surprisals,
            "the model would say": [each.best for each in self.tokens],
            "with": [each.best_probability for each in self.tokens],
        }
