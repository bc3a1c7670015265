"""Sentences about the four terms of a score, of token and position: plain text, true of the numbers given."""

from collections.abc import Sequence

import numpy as np

from core.readings.words import number, percent, plural

DECIDES = (  # what each of the four terms of a score depends on
    "what they are",
    "what the query’s token is and where the key’s stands",
    "where the query’s token stands and what the key’s is",
    "where they stand",
)


def read_terms(names: Sequence[str], sizes: np.ndarray) -> tuple[str, str]:
    """Return sentences on what decides the scores most, by the largest of their four terms, and on the sizes of all.

    names: the names of the terms.
    sizes: the root of the mean square of each.
    """
    order = np.argsort(-sizes[:4])
    parts = ", ".join(f"{names[n]} {number(sizes[n])}" for n in order)
    share = float(sizes[3] ** 2 / (sizes[:4] ** 2).sum()) if sizes[:4].any() else 0.0
    headline = f"This head scores two tokens most of all by {DECIDES[order[0]]}."
    return (
        headline if sizes[:4].any() else "All four parts of these scores are 0.",
        f"Typical sizes (root mean square): {parts}. Position alone holds {percent(share)} of the four squares.",
    )


def read_parts(head: int, off: float, general: bool, pre_norm: bool) -> str:
    """Say which head's score was split into terms, and how nearly they add up to it.

    head: the head, from 0.
    off: the largest error of the sum.
    general: whether the score has a matrix of its own.
    pre_norm: whether a norm comes before the projections.
    """
    matrix = " (times the matrix of its score)" if general else ""
    norm = " The norm before the projections divides every part by the same number." if pre_norm else ""
    return (
        f"Layer 1, head {head + 1}; W and U are this head's W_Q and W_K{matrix}. The terms add up to what the model "
        f"computed, to within {number(off, 2)}.{norm}"
    )


def read_joined(added: int, joined: int, width: int) -> str:
    """Compare the number of weights of one layer's projections with positions added and with positions concatenated.

    added, joined: these two numbers.
    width: the number of numbers in a concatenated position.
    """
    return (
        f"Weights of W_Q, W_K and W_V in one layer: {added:,} with positions added, {joined:,} with "
        f"{plural(width, 'number')} of position concatenated."
    )
