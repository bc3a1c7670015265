"""A given translation as the model scores it, token by token."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.explorer.generation.records import ScoredToken
from core.explorer.shared.labels import NamedColumns, numbered_pieces
from core.readings.translate import name_scored
from core.text.words import JOIN


@dataclass(frozen=True)
class ScoredText:
    """A text of at least one token, each with the chance that the model gave it."""

    tokens: Sequence[ScoredToken]

    @property
    def surprisals(self) -> list[float]:
        """Of each token, in bits."""
        return [each.surprisal for each in self.tokens]

    @property
    def notes(self) -> list[str]:
        """What is read out beside each token."""
        return [name_scored(each.probability, each.rank, each.best) for each in self.tokens]

    @property
    def least_expected(self) -> ScoredToken:
        """The token of the smallest chance, the first of several; a mark or a piece of a word only where there is no
        word."""
        pieces = [each.piece for each in self.tokens]
        whole = [
            each
            for each, after in zip(self.tokens, [*pieces[1:], ""], strict=True)
            if each.piece.isalpha() and not after.startswith(JOIN)
        ]
        return min(whole or self.tokens, key=lambda each: each.probability)

    @property
    def table(self) -> NamedColumns:
        """A row for each token."""
        return {
            "token": numbered_pieces([each.piece for each in self.tokens]),
            "probability": [each.probability for each in self.tokens],
            "rank": [each.rank for each in self.tokens],
            "bits": self.surprisals,
            "the model would say": [each.best for each in self.tokens],
            "with": [each.best_probability for each in self.tokens],
        }
