"""Filters of the logits before a token is drawn: pure functions of logits (…, V), in which −∞ marks a removed token.

Each filter considers the whole vocabulary. Of two equally likely tokens, the one with the lower id ranks first.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

REMOVED = float("-inf")
ROUNDING = 1e-9  # relative tolerance; a sum over the probabilities of a whole vocabulary is exact to about 1e-11


def repetition_penalty(logits: Tensor, seen: Tensor, penalty: float) -> Tensor:
    """Return the logits with those of seen tokens lowered.

    A positive logit is divided by the penalty, another multiplied by it (Keskar et al. 2019, section 4.1, in the form
    that also lowers negative logits).

    seen: (…, V) booleans, whether the text already contains each token.
    """
    return torch.where(seen, torch.where(logits > 0, logits / penalty, logits * penalty), logits)


def temperature(logits: Tensor, value: float) -> Tensor:
    """Return the logits / T: below 1 likely tokens become likelier, above 1 the probabilities move closer together.

    If a quotient exceeds the range of the number format, the largest logit is first subtracted from all, which does
    not change the probabilities, and quotients below the range are set to its lower end, where the probability is 0.

    value: the temperature T, above 0.
    """
    limits, removed = torch.finfo(logits.dtype), logits == REMOVED
    scaled = logits / value
    if value >= limits.tiny and bool((scaled.isfinite() | removed).all()):
        return scaled
    behind = (logits - logits.amax(-1, keepdim=True)).double() / value
    return behind.clamp(min=limits.min).to(logits).masked_fill(removed, REMOVED)


def top_k(logits: Tensor, k: int) -> Tensor:
    """Remove all but the k likeliest tokens (Fan et al. 2018, section 5.1)."""
    _, rank = _ranks(logits)
    return logits.masked_fill(rank >= k, REMOVED)


def top_p(logits: Tensor, p: float) -> Tensor:
    """Remove all tokens outside the nucleus (Holtzman et al. 2020, equation 2).

    The nucleus is the smallest set of the likeliest tokens whose probabilities add up to p or more. At least one token
    is left. p = 1 removes nothing.
    """
    if p >= 1:
        return logits
    order, rank = _ranks(logits)
    probabilities = torch.softmax(logits.double(), -1).gather(-1, order)
    reached = probabilities.cumsum(-1) >= p * (1 - ROUNDING)
    kept = torch.ones_like(reached)
    kept[..., 1:] = ~reached[..., :-1]  # a token is needed if the likelier ones do not reach p
    return logits.masked_fill(~kept.gather(-1, rank), REMOVED)


def min_p(logits: Tensor, share: float) -> Tensor:
    """Remove all tokens less than `share` times as likely as the likeliest one (Nguyen et al. 2024, section 3)."""
    if share <= 0:
        return logits
    probabilities = torch.softmax(logits.double(), -1)
    return logits.masked_fill(probabilities < share * probabilities.amax(-1, keepdim=True), REMOVED)


def without(logits: Tensor, ids: Sequence[Sequence[int]]) -> Tensor:
    """Remove certain tokens from each row of the logits (N, V).

    ids: the ids to remove from each row.
    """
    removed = torch.zeros_like(logits, dtype=torch.bool)
    for row, those in zip(removed, ids, strict=True):
        row[list(those)] = True
    return logits.masked_fill(removed, REMOVED)


def _ranks(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return the ids by falling logit (…, V), and each id's rank in that order (…, V), from 0."""
    order = logits.sort(dim=-1, descending=True, stable=True).indices
    places = torch.arange(logits.shape[-1], device=logits.device).expand_as(order)
    return order, torch.empty_like(order).scatter_(-1, order, places)
