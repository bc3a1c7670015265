"""A written text token by token, cut to the stretch that fits in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.topics.generate.records import Attentions, GeneratedToken, Lens
from core.topics.generate.setup import generation_mask
from core.topics.shared.labels import Labelled, numbered_pieces
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run

TOKENS, LENS_ROWS = 40, 16


def window(length: int, position: int, max_places: int = TOKENS) -> tuple[int, int]:
    """Return the first index and the length of a window of a text, centred on `position` where possible.

    length: the number of tokens of the text.
    max_places: the largest length of the window.
    """
    first = max(0, min(position - max_places // 2, length - max_places))
    return first, min(max_places, length)


@dataclass(frozen=True, eq=False)
class BitsAlong:
    """The model's entropy before each of L written tokens, and the surprisal of each token.

    written: the tokens.
    at: the number of the selected token.
    """

    written: Sequence[GeneratedToken]
    at: int

    @property
    def stretch(self) -> tuple[int, int]:
        """The index of the first token shown in the picture, and the number of tokens shown."""
        return window(len(self.written), self.at)

    @property
    def pieces(self) -> list[str]:
        return [token.piece for token in self.written]

    @property
    def surprisal(self) -> list[float]:
        """The surprisal of each token, (L,) in bits."""
        return [token.surprisal for token in self.written]

    @property
    def entropy(self) -> list[float]:
        """The entropy before each token, (L,) in bits."""
        return [token.entropy for token in self.written]

    @property
    def drawn(self) -> tuple[Sequence[str], Sequence[float], Sequence[float], int]:
        """The labels, surprisal and entropy of the tokens in the picture, and the index of the selected token."""
        first, count = self.stretch
        rows = slice(first, first + count)
        return numbered_pieces(self.pieces)[rows], self.surprisal[rows], self.entropy[rows], self.at - first

    @property
    def table(self) -> Labelled:
        """A table of each token: its surprisal, its entropy, and its chance before and after the filters, (L, 4)."""
        numbers = [[token.surprisal, token.entropy, token.own, token.probability] for token in self.written]
        columns = ("surprisal, bits", "entropy, bits", "own chance", "chance at the draw")
        return Labelled(np.array(numbers), numbered_pieces(self.pieces), columns)


@dataclass(frozen=True, eq=False)
class LensAlong:
    """The next token that each layer predicts at every token of a text (the logit lens).

    came: the token that really followed the last one read.
    """

    lens: Lens
    came: str

    @property
    def read(self) -> int:
        """The number of tokens that were read."""
        return len(self.lens.pieces)

    @property
    def stretch(self) -> tuple[int, int]:
        """The index of the first row shown in the picture, and the number of rows shown; these are the last rows."""
        return window(self.read, self.read - 1, LENS_ROWS)

    @property
    def labels(self) -> tuple[str, ...]:
        return numbered_pieces(self.lens.pieces)

    @property
    def last(self) -> tuple[list[str], list[float]]:
        """The likeliest next piece of each layer after all that was read, and its probability."""
        return [best[-1] for best in self.lens.best], self.lens.probability[:, -1].tolist()

    @property
    def drawn(self) -> tuple[Sequence[str], list[tuple[str, ...]], np.ndarray, list[str], int]:
        """The R rows shown in the picture, as five parts.

        These are the labels (R,) of the tokens read, the likeliest pieces (N + 1, R) and their probabilities (N + 1,
        R), the tokens (R,) that really came next, and the index of the last row.
        """
        first, count = self.stretch
        rows = slice(first, None)
        came = [*self.lens.pieces[1:], self.came]
        best, probabilities = [pieces[rows] for pieces in self.lens.best], self.lens.probability[:, rows]
        return self.labels[rows], best, probabilities, came[rows], count - 1

    @property
    def table(self) -> Labelled:
        """Each layer's probability of the token that really came next, (read, N + 1)."""
        layers = [f"layer {number}" for number in range(len(self.lens.best))]
        return Labelled(self.lens.chosen.T, self.labels, layers)


@dataclass(frozen=True, eq=False)
class GrowingPattern:
    """The attention weights of one head over a text that grows.

    weights (L, L): the attention weights.
    allowed (L, L): booleans, False = hidden by the mask.
    """

    weights: np.ndarray
    allowed: np.ndarray
    labels: tuple[str, ...]

    def earlier(self, place: int) -> int:
        """Return `place` if it lies before the newest token, otherwise the place in the middle of those before it."""
        newest = len(self.weights) - 1
        return place if place < newest else max(0, newest - 1) // 2

    @property
    def drawn(self) -> Labelled:
        """The weights, with −∞ in the pairs that the mask hides."""
        return Labelled(np.where(self.allowed, self.weights, -np.inf), self.labels, self.labels)

    @property
    def table(self) -> Labelled:
        return Labelled(self.weights, self.labels, self.labels)


def growing_pattern(run: Run, attentions: Attentions, place: HeadAddress) -> GrowingPattern:
    """Return the pattern of the decoder's head at this place, under the mask with which a text is written."""
    weights = attentions.decoder[place.layer, place.head]
    return GrowingPattern(weights, generation_mask(run, len(weights)), attentions.labels)
