"""Alignments from attention patterns: comparing two texts, or two patterns, token by token."""

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

import numpy as np

AVERAGES = ("this head", "layer", "all")


def averaged(patterns: np.ndarray, layer: int, head: int, over: str) -> np.ndarray:
    """Return the pattern of one head, or the mean of a layer's or of all heads: (N, H, Q, K) to (Q, K).

    The rows of a mean still sum to 1.
    over: one of `AVERAGES`; raises ValueError for another.
    """
    if over not in AVERAGES:
        raise ValueError(f"an alignment is averaged over {', '.join(AVERAGES)}, not over {over!r}")
    if over == "all":
        return patterns.mean((0, 1))
    return patterns[layer].mean(0) if over == "layer" else patterns[layer, head]


def partners(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Match two texts token by token: return the pairs of positions of their longest common blocks, in order."""
    blocks = SequenceMatcher(None, list(before), list(after), autojunk=False).get_matching_blocks()
    return [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]


def changed(before: Sequence[int], after: Sequence[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the positions of each text that have no partner in the other."""
    same = partners(before, after)
    lost = set(range(len(before))) - {a for a, _ in same}
    new = set(range(len(after))) - {b for _, b in same}
    return frozenset(lost), frozenset(new)


def aligned_difference(
    before: np.ndarray, after: np.ndarray, rows: Sequence[tuple[int, int]], columns: Sequence[tuple[int, int]]
) -> np.ndarray:
    """Return after − before, (Q, K), in the positions of `after`; NaN in its rows and columns that have no partner.

    rows, columns: pairs of positions, the first in `before` (Q', K'), the second in `after` (Q, K).
    """
    difference = np.full(after.shape, np.nan)
    after_cells, before_cells = (np.ix_([r[side] for r in rows], [c[side] for c in columns]) for side in (1, 0))
    difference[after_cells] = np.asarray(after, np.float64)[after_cells] - np.asarray(before, np.float64)[before_cells]
    return difference
