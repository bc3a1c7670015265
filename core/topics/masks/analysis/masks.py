"""The effect of a mask on a softmax, applied in the right way and in wrong ways."""

import numpy as np
import torch
from torch import Tensor

from core.model.attention import apply_mask, masked_softmax

RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE, NAIVE_WAY = "right", "zero after", "zero before", "naive"
WAYS = (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE, NAIVE_WAY)


def weights(scores: Tensor, mask: Tensor, way: str = RIGHT_WAY) -> Tensor:
    """Return attention weights (…, Q, K) from scores and a boolean mask, True = may attend.

    "right": −∞ before the softmax, and zeros in a row with nothing to attend.
    "zero after": softmax over all keys, then hidden cells set to 0, so that rows sum to less than 1.
    "zero before": a score of 0 in place of −∞, so that hidden keys keep e⁰ in the sum.
    "naive": −∞ and a plain softmax, which makes a row with nothing to attend NaN.
    Raises ValueError for another way.
    """
    if way == RIGHT_WAY:
        return masked_softmax(apply_mask(scores, mask), mask)
    if way == ZEROS_AFTER:
        return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    if way == ZEROS_BEFORE:
        return torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)
    if way == NAIVE_WAY:
        return torch.softmax(apply_mask(scores, mask), dim=-1)
    raise ValueError(f"way {way!r} is not one of {', '.join(WAYS)}")


def empty_rows(mask: np.ndarray) -> tuple[int, ...]:
    """Return the queries of an (L, L) mask that may attend to nothing."""
    return tuple(np.flatnonzero(~mask.any(1)).tolist())


def telling_keys(right: np.ndarray, wrong: np.ndarray, mask: np.ndarray, max_keys: int) -> np.ndarray:
    """Return at most `max_keys` keys of one row that show best how right and wrong weights differ, in ascending order.

    Up to half are hidden keys, those with the largest wrong weights; the rest are visible keys with the largest right
    ones.
    right, wrong, mask: (L,) each.
    """
    hidden = np.flatnonzero(~mask)[np.argsort(-wrong[~mask], kind="stable")]
    seen = np.flatnonzero(mask)[np.argsort(-right[mask], kind="stable")]
    kept = seen[: max(max_keys // 2, max_keys - len(hidden))]
    return np.sort(np.concatenate([kept, hidden[: max_keys - len(kept)]]))
