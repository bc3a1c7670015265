"""Chooses the pieces that a masked language model must predict, and the pieces that it reads in their place.

Devlin et al. 2019, section 3.1 and appendix A.1.
"""

import numpy as np

from core.text.pieces import FIRST_LEARNED
from core.text.special import MASK, PAD, SPECIAL

SHARE = 0.15  # of the pieces of a row that must be predicted
MASKED, SWAPPED = 0.8, 0.1  # shares of those that the mask piece, or a random piece, replaces; the rest are unchanged


def mask_pieces(
    ids: np.ndarray, vocabulary: int, rng: np.random.Generator, masked: float = MASKED, swapped: float = SWAPPED
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pieces that the model reads and those that it must predict, both (B, L).

    ids: (B, L), padded with 0.
    vocabulary: the number of pieces in the vocabulary.
    masked: the chance that a piece to predict is replaced by the mask piece.
    swapped: the chance that it is replaced by a learned piece, drawn evenly.

    15 % of the pieces of each row must be predicted, rounded to the nearest whole number and at least one; special
    pieces never are. The second result is 0 at all other positions.
    """
    real = ids >= len(SPECIAL)
    count = real.sum(1)
    wanted = np.where(count > 0, np.maximum(np.rint(SHARE * count), 1), 0)  # (B,)
    order = np.where(real, rng.random(ids.shape), np.inf)
    predicted = order.argsort(1).argsort(1) < wanted[:, None]  # the `wanted` first of each row, in a random order
    fate = rng.random(ids.shape)
    random_ids = rng.integers(FIRST_LEARNED, vocabulary, ids.shape)
    given = np.where(predicted & (fate < masked), MASK, ids)
    given = np.where(predicted & (fate >= masked) & (fate < masked + swapped), random_ids, given)
    return given, np.where(predicted, ids, PAD)
