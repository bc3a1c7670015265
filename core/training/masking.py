"""Which pieces a masked language model is asked for, and what it reads in their place.

Devlin et al. 2019, section 3.1 and appendix A.1.
"""

import numpy as np

from core.text.pieces import FIRST_LEARNED
from core.text.special import MASK, PAD, SPECIAL

SHARE = 0.15  # of the pieces of a row, that are asked for
MASKED, SWAPPED = 0.8, 0.1  # shares of those that the mask piece, or some other piece, stands in for; the rest are left


def mask_pieces(
    ids: np.ndarray, vocabulary: int, rng: np.random.Generator, masked: float = MASKED, swapped: float = SWAPPED
) -> tuple[np.ndarray, np.ndarray]:
    """ids (B, L), padded with 0, of a vocabulary of so many pieces → what is read and what is asked for, both (B, L).

    Of each row 15 % are asked for, to the nearest whole number and one at least; special pieces never are. What is
    asked for is 0 elsewhere. masked, swapped: the chances that the mask piece stands where a piece is asked for, or a
    learned piece drawn evenly.
    """
    real = ids >= len(SPECIAL)
    count = real.sum(1)
    wanted = np.where(count > 0, np.maximum(np.rint(SHARE * count), 1), 0)  # (B,)
    order = np.where(real, rng.random(ids.shape), np.inf)
    asked = order.argsort(1).argsort(1) < wanted[:, None]  # the `wanted` first of each row, in a random order
    fate = rng.random(ids.shape)
    other = rng.integers(FIRST_LEARNED, vocabulary, ids.shape)
    given = np.where(asked & (fate < masked), MASK, ids)
    given = np.where(asked & (fate >= masked) & (fate < masked + swapped), other, given)
    return given, np.where(asked, ids, PAD)
