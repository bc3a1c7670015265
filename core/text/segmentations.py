"""The segmentations of a text into pieces: best, n-best and sampled.

Pure functions on a text whose spaces are already marks (U+2581). A segmentation is given by the offsets at which the
text is cut, from 0 to its length.
Unigram language model: Kudo 2018, "Subword Regularization: Improving Neural Network Translation Models with Multiple
Subword Candidates". BPE-dropout: Provilkov et al. 2020, "BPE-Dropout: Simple and Effective Subword Regularization".
"""

import heapq
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np

UNKNOWN_PENALTY = 10.0  # as in sentencepiece, an unknown character has the lowest score minus 10

Edge = tuple[int, float]  # (start, score) of a piece; its end is the index of its list in the lattice
Lattice = Sequence[Sequence[Edge]]


def lattice(text: str, scores: Mapping[str, float]) -> list[list[Edge]]:
    """Return, for every offset 0 … len(text), the pieces of the vocabulary that end there.

    A character that is not a piece is an edge of its own.

    scores: the log-probability of each piece.
    """
    longest = max(map(len, scores))
    unknown = min(scores.values()) - UNKNOWN_PENALTY
    edges: list[list[Edge]] = [[]]
    for end in range(1, len(text) + 1):
        ending = [(i, scores[text[i:end]]) for i in range(max(0, end - longest), end) if text[i:end] in scores]
        if text[end - 1] not in scores:
            ending.append((end - 1, unknown))
        edges.append(ending)
    return edges


def best(edges: Lattice, n: int) -> list[tuple[list[int], float]]:
    """Return the ``n`` most probable segmentations, best first, as (offsets 0 … len, log-probability).

    This is the Viterbi algorithm with n paths. sentencepiece's own n-best stops at 512, sums in float32 (off by 0.03 in
    1,000 characters), gives a single segmentation the score 0, and takes a typed U+2581 for a space; so it is used only
    to check this function in a test.
    """
    paths: list[list[tuple[float, int, int]]] = [[(0.0, 0, 0)]]  # (score, start of the last piece, rank there)
    for ending in edges[1:]:
        steps = ((before[0] + score, i, rank) for i, score in ending for rank, before in enumerate(paths[i]))
        paths.append(heapq.nlargest(n, steps, key=lambda step: step[0]))
    segmentations = []
    for score, start, rank in paths[-1]:
        cuts = [len(edges) - 1]
        while cuts[-1] > 0:
            cuts.append(start)
            _, start, rank = paths[start][rank]
        segmentations.append((cuts[::-1], score))
    return segmentations


def totals(edges: Lattice, alpha: float = 1.0) -> np.ndarray:
    """Return for each offset the log of the summed probability**alpha of all segmentations up to there, (len + 1,)."""
    forward = np.zeros(len(edges))
    for end, ending in enumerate(edges[1:], start=1):
        forward[end] = np.logaddexp.reduce([forward[i] + alpha * score for i, score in ending])
    return forward


def draws(edges: Lattice, alpha: float, rng: np.random.Generator, count: int) -> Iterator[tuple[list[int], float]]:
    """Yield ``count`` random segmentations as (offsets 0 … len, log-probability).

    A segmentation of probability p is drawn with a probability proportional to p to the power of alpha (Kudo 2018,
    section 3.3, with l → ∞: forward filtering, backward sampling).
    """
    forward = totals(edges, alpha)
    probabilities = [
        list(accumulate(np.exp([forward[i] + alpha * score - forward[end] for i, score in ending]).tolist()))
        for end, ending in enumerate(edges)
    ]
    for _ in range(count):
        cuts, total = [len(edges) - 1], 0.0
        while cuts[-1] > 0:
            choices = probabilities[cuts[-1]]
            start, score = edges[cuts[-1]][bisect_right(choices, rng.random() * choices[-1], 0, len(choices) - 1)]
            cuts.append(start)
            total += score
        yield cuts[::-1], total


def bpe_dropout(text: str, scores: Mapping[str, float], dropout: float, rng: np.random.Generator) -> list[int]:
    """Return the offsets 0 … len of one BPE segmentation with dropout (Provilkov et al. 2020, algorithm 1).

    dropout: the probability with which each possible merge is left out at every step; 0 is plain BPE.
    scores: the order of the merges, highest first.
    """
    cuts = [0]
    for word in re.findall("▁[^▁]*|[^▁]+", text):
        cuts += [cuts[-1] + cut for cut in _merge_word(word, scores, dropout, rng)[1:]]
    return cuts


def merges(word: str, scores: Mapping[str, float]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the states of plain BPE on one word, from single characters to the last merge.

    Each state is (offsets 0 … len, the pairs that could be merged). A pair is given by the index, in the offsets, of
    the offset between its two pieces; the first pair is merged next.
    """
    cuts = list(range(len(word) + 1))
    while True:
        pairs = [-index for _, index in sorted(_pairs(word, cuts, scores), reverse=True)]
        yield list(cuts), pairs
        if not pairs:
            return
        del cuts[pairs[0]]


def _pairs(word: str, cuts: Sequence[int], scores: Mapping[str, float]) -> list[tuple[float, int]]:
    """Return the pairs of neighbours that together are a piece, as (its score, −index of the cut between them).

    The largest of these tuples is merged first.
    """
    joined = (word[a:b] for a, b in zip(cuts, cuts[2:], strict=False))
    return [(scores[piece], -index) for index, piece in enumerate(joined, start=1) if piece in scores]


def _merge_word(word: str, scores: Mapping[str, float], dropout: float, rng: np.random.Generator) -> list[int]:
    cuts = list(range(len(word) + 1))
    while True:
        pairs = _pairs(word, cuts, scores)
        kept = [pair for pair, probability in zip(pairs, rng.random(len(pairs)), strict=True) if probability >= dropout]
        if not kept:
            return cuts
        del cuts[-max(kept)[1]]
