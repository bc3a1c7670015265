"""A given translation with the model's score of each token."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.text.words import JOIN
from core.topics.generate.records import ScoredToken
from core.topics.shared.labels import NamedColumns, numbered_pieces


@dataclass(frozen=True)
class ScoredText:
    """A text of at least one token, each with the probability that the model gave it."""

    tokens: Sequence[ScoredToken]

    @property
    def surprisals(self) -> list[float]:
        """The surprisal of each token, in bits."""
        return [token.surprisal for token in self.tokens]

    @property
    def least_expected(self) -> ScoredToken:
        """The token with the smallest probability; of equals, the first.

        Punctuation and pieces of words are considered only if there is no whole word.
        """
        pieces = [token.piece for token in self.tokens]
        words = [
            token
            for token, after in zip(self.tokens, [*pieces[1:], ""], strict=True)
            if token.piece.isalpha() and not after.startswith(JOIN)
        ]
        return min(words or self.tokens, key=lambda token: token.probability)

    @property
    def table(self) -> NamedColumns:
        """The scores as a table with a row for each token."""
        return {
            "token": numbered_pieces([token.piece for token in self.tokens]),
            "probability": [token.probability for token in self.tokens],
            "rank": [token.rank for token in self.tokens],
            "bits": self.surprisals,
            "the model would say": [token.best for token in self.tokens],
            "with": [token.best_probability for token in self.tokens],
        }
