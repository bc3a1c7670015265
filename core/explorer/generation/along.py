"""A written text token by token, cut down to the stretch of it that a picture has room for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.explorer.generation.records import Attentions, GeneratedToken, Lens
from core.explorer.generation.setup import generation_mask
from core.explorer.shared.labels import LabelledMatrix, numbered_pieces
from core.explorer.shared.places import Place
from core.tracing.run import Run

TOKENS, LENS_ROWS = 40, 16


def window(length: int, at: int, most: int = TOKENS) -> tuple[int, int]:
    """The first place and the number of a stretch of at most `most` that holds `at`."""
    first = max(0, min(at - most // 2, length - most))
    return first, min(most, length)


@dataclass(frozen=True, eq=False)
class BitsAlong:
    """How unsure the model was before each of L written tokens, and how surprised by it; at: the token looked at."""

    written: Sequence[GeneratedToken]
    at: int

    @property
    def stretch(self) -> tuple[int, int]:
        """The first token in the picture, and how many there are."""
        return window(len(self.written), self.at)

    @property
    def pieces(self) -> list[str]:
        return [each.piece for each in self.written]

    @property
    def surprisal(self) -> list[float]:
        """(L,) bits."""
        return [each.surprisal for each in self.written]

    @property
    def entropy(self) -> list[float]:
        """(L,) bits."""
        return [each.entropy for each in self.written]

    @property
    def drawn(self) -> tuple[Sequence[str], Sequence[float], Sequence[float], int]:
        """Labels, surprisal and entropy of the tokens in the picture, and the place among them of the one looked at."""
        first, count = self.stretch
        rows = slice(first, first + count)
        return numbered_pieces(self.pieces)[rows], self.surprisal[rows], self.entropy[rows], self.at - first

    @property
    def table(self) -> LabelledMatrix:
        """(L, 4)"""
        numbers = [[each.surprisal, each.entropy, each.own, each.probability] for each in self.written]
        columns = ("surprisal, bits", "entropy, bits", "own chance", "chance at the draw")
        return np.array(numbers), numbered_pieces(self.pieces), columns


@dataclass(frozen=True, eq=False)
class LensAlong:
    """What each layer would have said after each token that was read; behind the last of them stood `came`."""

    lens: Lens
    came: str

    @property
    def read(self) -> int:
        """How many tokens were read."""
        return len(self.lens.pieces)

    @property
    def stretch(self) -> tuple[int, int]:
        """The first row in the picture, and how many there are: the last ones."""
        return window(self.read, self.read - 1, LENS_ROWS)

    @property
    def labels(self) -> tuple[str, ...]:
        return numbered_pieces(self.lens.pieces)

    @property
    def last(self) -> tuple[list[str], list[float]]:
        """Each layer's likeliest next piece after all that was read, and its chance."""
        return [best[-1] for best in self.lens.best], self.lens.probability[:, -1].tolist()

    @property
    def drawn(self) -> tuple[Sequence[str], list[tuple[str, ...]], np.ndarray, list[str], int]:
        """The rows in the picture: labels (R,), best and chances (N + 1, R), what came next (R,), the last's place."""
        first, count = self.stretch
        rows = slice(first, None)
        came = [*self.lens.pieces[1:], self.came]
        best, chances = [each[rows] for each in self.lens.best], self.lens.probability[:, rows]
        return self.labels[rows], best, chances, came[rows], count - 1

    @property
    def table(self) -> LabelledMatrix:
        """(read, N + 1) each layer's chance of the token that really came next."""
        layers = [f"layer {number}" for number in range(len(self.lens.best))]
        return self.lens.chosen.T, self.labels, layers


@dataclass(frozen=True, eq=False)
class GrowingPattern:
    """One head's weights (L, L) over a text that grows; allowed (L, L) booleans, False = hidden by the mask."""

    weights: np.ndarray
    allowed: np.ndarray
    labels: tuple[str, ...]

    @property
    def drawn(self) -> LabelledMatrix:
        """The weights, −∞ where the mask hides them."""
        return np.where(self.allowed, self.weights, -np.inf), self.labels, self.labels

    @property
    def table(self) -> LabelledMatrix:
        return self.weights, self.labels, self.labels


def growing_pattern(run: Run, seen: Attentions, place: Place) -> GrowingPattern:
    """The decoder's head at this place, under the mask with which a text is written."""
    weights = seen.decoder[place.layer, place.head]
    return GrowingPattern(weights, generation_mask(run, len(weights)), seen.labels)
