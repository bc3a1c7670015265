"""One translation of a sentence, with the states of the model that wrote it at each step, and related results."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.text.special import EOS
from core.topics.shared.labels import numbered_pieces

BOTTLENECK, ADDITIVE, TRANSFORMER = "rnn-bottleneck", "rnn-attention", "translator"
TITLES = {BOTTLENECK: "GRU, one vector", ADDITIVE: "GRU with attention", TRANSFORMER: "Transformer"}
MAX_SOURCE_TOKENS = 64  # tokens of a source: no training sentence was longer


@dataclass(frozen=True, eq=False)
class Passage:
    """The greedy translation of a source by one model.

    ids, pieces, probabilities (T,): the tokens that it wrote, and their probabilities.
    text: the decoded text.
    source (S,): the pieces that it read.
    weights (T, S): its attention for each token; None without attention; for the transformer the mean of all heads of
    all layers.
    states: (T or S, U) by site, such as "forwards.state" and "decoder.update"; for the transformer "encoder.state" and
    "decoder.state", the outputs of both stacks after the last norm.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    probabilities: np.ndarray
    text: str
    source: tuple[str, ...]
    weights: np.ndarray | None
    states: Mapping[str, np.ndarray]

    @property
    def ended(self) -> bool:
        """Whether the model wrote </s> itself."""
        return bool(self.ids) and self.ids[-1] == EOS

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the tokens that it wrote."""
        return numbered_pieces(self.pieces)

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels of the tokens that it read."""
        return numbered_pieces(self.source)


@dataclass(frozen=True, eq=False)
class Moved:
    """The changes in the bottleneck model when one word of the source is replaced or left out, one row for each word.

    words (W,): labels.
    vector (W,): how far the bottleneck's vector moves, as a share of its length.
    decoder (W, T): the same for the decoder's state at each token, while it reads the tokens that it first wrote.
    original (U,), others (W, U): the vectors of the bottleneck.
    """

    words: tuple[str, ...]
    vector: np.ndarray
    decoder: np.ndarray
    original: np.ndarray
    others: np.ndarray


@dataclass(frozen=True, eq=False)
class Directions:
    """How far the forward and the backward state at each word move when one word is replaced.

    forwards, backwards (W, W): rows are the words that change; −∞ if the word itself is left out.
    """

    words: tuple[str, ...]
    forwards: np.ndarray
    backwards: np.ndarray


@dataclass(frozen=True, eq=False)
class AdditiveCell:
    """The score of one cell of the additive attention, with its parts.

    query (A,): W s of the decoder's state before the token.
    key (A,): U h + b of the source token.
    v (A,): the vector that the score multiplies by.
    scores, weights (S,): the scores and weights of the whole row.
    """

    query: np.ndarray
    key: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
