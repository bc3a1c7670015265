"""The ways in which a unigram tokenizer can cut a word: all possible pieces, the best ways, and random ones."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.text import segmentations
from core.text.pieces import mark_spaces
from core.text.tokenizer import Segmentation, Tokenizer
from core.topics.tokens.merging import piece_name

DRAWS = 200


@dataclass(frozen=True)
class Arc:
    """A possible piece, from one character offset to another.

    score: its log-probability.
    best: whether it is part of the best way.
    known: whether it is in the vocabulary, and not a character that is spelt in bytes.
    """

    start: int
    end: int
    piece: str
    score: float
    best: bool
    known: bool


@dataclass(frozen=True, eq=False)
class WordLattice:
    """The lattice of a word.

    letters: its characters.
    arcs: the possible pieces.
    best, total: for each node 0 … len the log-probability of the best way to it, and of all ways together.
    ranked: the best ways, the best first.
    """

    letters: tuple[str, ...]
    arcs: tuple[Arc, ...]
    best: np.ndarray
    total: np.ndarray
    ranked: tuple[Segmentation, ...]

    @property
    def chosen(self) -> tuple[Arc, ...]:
        """The arcs of the best way, from left to right."""
        return tuple(sorted((arc for arc in self.arcs if arc.best), key=lambda arc: arc.start))

    @property
    def ways(self) -> int:
        """The number of all ways from the first node to the last."""
        ways = [1] + [0] * len(self.letters)
        for arc in sorted(self.arcs, key=lambda arc: arc.end):
            ways[arc.end] += ways[arc.start]
        return ways[-1]


@dataclass(frozen=True)
class Draw:
    """A segmentation of a word that came up when segmentations were drawn at random.

    times: how often it came up in `DRAWS` draws.
    share: its probability.
    """

    pieces: tuple[str, ...]
    times: int
    share: float


def word_lattice(tokenizer: Tokenizer, word: str, count: int) -> WordLattice:
    """Return the lattice of a word, and its `count` best ways.

    Raises ValueError for a tokenizer that has no probabilities.
    """
    ranked = tokenizer.nbest(word, count)
    text = mark_spaces(word)
    edges = segmentations.lattice(text, tokenizer.scores)
    ((cuts, _),) = segmentations.best(edges, 1)
    chosen = set(pairwise(cuts))
    arcs = [
        Arc(start, end, piece_name(text[start:end]), score, (start, end) in chosen, text[start:end] in tokenizer.scores)
        for end, ending in enumerate(edges)
        for start, score in ending
    ]
    return WordLattice(
        tuple(map(piece_name, text)), tuple(arcs), _best_scores(edges), segmentations.totals(edges), ranked
    )


def doubt(tokenizer: Tokenizer, word: str) -> float:
    """Return the probability of all ways to cut a word except the best."""
    (best,) = tokenizer.nbest(word, 1)
    return 1 - (best.probability or 0.0)


def drawn_ways(tokenizer: Tokenizer, word: str, alpha: float, seed: int) -> tuple[Draw, ...]:
    """Return `DRAWS` ways to cut a word, drawn at random, the most frequent first; see `Tokenizer.sample`."""
    counts = Counter(tokenizer.sample(word, alpha, seed, DRAWS))
    edges = segmentations.lattice(mark_spaces(word), tokenizer.scores)
    total = float(segmentations.totals(edges, alpha)[-1])
    return tuple(
        Draw(way.tokens.labels, times, float(np.exp(alpha * (way.score or 0.0) - total)))
        for way, times in counts.most_common()
    )


def _best_scores(edges: Sequence[Sequence[segmentations.Edge]]) -> np.ndarray:
    """Return the log-probability of the best way to each node (the Viterbi algorithm)."""
    best = np.zeros(len(edges))
    for end, ending in enumerate(edges[1:], start=1):
        best[end] = max(best[start] + score for start, score in ending)
    return best
