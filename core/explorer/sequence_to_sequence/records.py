"""One translation of a sentence, with what the model that wrote it held at each step."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.explorer.shared.labels import numbered_pieces
from core.text.special import EOS

BOTTLENECK, ADDITIVE, TRANSFORMER = "rnn-bottleneck", "rnn-attention", "translator"
TITLES = {BOTTLENECK: "GRU, one vector", ADDITIVE: "GRU with attention", TRANSFORMER: "Transformer"}
LONGEST = 64  # tokens of a source: no sentence of the training was longer


@dataclass(frozen=True, eq=False)
class Passage:
    """What one model writes for a source, greedily.

    ids, pieces, chances (T,): the tokens that it wrote. text: what they say. source (S,): the pieces that it read.
    weights (T, S): where it looked for each token, None without attention; of the transformer the mean of all heads of
    all layers. states: (T or S, U) by site, such as "forwards.state" and "decoder.update"; of the transformer
    "encoder.state" and "decoder.state", what comes out of both stacks, behind the last norm.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    chances: np.ndarray
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
        """Labels of the tokens that it wrote."""
        return numbered_pieces(self.pieces)

    @property
    def columns(self) -> tuple[str, ...]:
        """Labels of the tokens that it read."""
        return numbered_pieces(self.source)


@dataclass(frozen=True, eq=False)
class Moved:
    """What changes in the bottleneck where one word of the source is another, or is left out: one row a word.

    words (W,): labels. vector (W,): how far the vector moves, as a share of its length. decoder (W, T): the same of the
    decoder's state at each token, when it reads the tokens that it first wrote. original (U,), others (W, U): vectors.
    """

    words: tuple[str, ...]
    vector: np.ndarray
    decoder: np.ndarray
    original: np.ndarray
    others: np.ndarray


@dataclass(frozen=True, eq=False)
class Directions:
    """How far the forward and the backward state at each word move when one word is another: (W, W), rows are the
    words that change; −∞ where the word itself is left out."""

    words: tuple[str, ...]
    forwards: np.ndarray
    backwards: np.ndarray


@dataclass(frozen=True, eq=False)
class AdditiveCell:
    """The score of one cell of the additive attention, with what it is made of.

    query (A,) is W s of the decoder's state before the token; key (A,) is U h + b of the source token; v (A,). scores,
    weights (S,): of the whole row.
    """

    query: np.ndarray
    key: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
