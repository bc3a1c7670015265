"""Alignments out of attention patterns, and what differs between two texts."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

AVERAGES = ("this head", "layer", "all")


def averaged(patterns: np.ndarray, layer: int, head: int, over: str) -> np.ndarray:
    """(N, H, Q, K) → (Q, K): one head, the mean of a layer's heads, or of all heads. Rows keep their sum of 1.

    over: one of `AVERAGES`; ValueError for another.
    """
    if over not in AVERAGES:
        raise ValueError(f"an alignment is averaged over {', '.join(AVERAGES)}, not over {over!r}")
    if over == "all":
        return patterns.mean((0, 1))
    return patterns[layer].mean(0) if over == "layer" else patterns[layer, head]


def changed(before: Sequence[int], after: Sequence[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Which places of either text have no partner in the other, by the longest blocks that both share."""
    blocks = SequenceMatcher(None, list(before), list(after), autojunk=False).get_matching_blocks()
    same = [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]
    lost = set(range(len(before))) - {a for a, _ in same}
    new = set(range(len(after))) - {b for _, b in same}
    return frozenset(lost), frozenset(new)
