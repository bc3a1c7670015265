"""What is done to the logits before a token is drawn: pure functions of logits (…, V) that remove with −∞.

The whole vocabulary counts in each of them. Where two tokens are equally likely, the one with the lower id goes first.
"""

import torch
from torch import Tensor

REMOVED = float("-inf")
ROUNDING = 1e-9  # relative: sums of as many chances as a vocabulary has are good to about 1e-11


def repetition_penalty(logits: Tensor, seen: Tensor, penalty: float) -> Tensor:
    """Logits of tokens that were seen (…, V booleans), divided by the penalty if positive, else multiplied by it.

    (Keskar et al. 2019, section 4.1, in the form that also lowers negative logits.)
    """
    return torch.where(seen, torch.where(logits > 0, logits / penalty, logits * penalty), logits)


def temperature(logits: Tensor, value: float) -> Tensor:
    """Logits / T: below 1 the likely gets likelier, above 1 the chances draw closer together.

    Where that is more than the number format holds, the largest logit is first taken from all of them, which leaves
    the chances as they are, and what falls below the format's range stands at its end, with a chance of 0.
    """
    limits, removed = torch.finfo(logits.dtype), logits == REMOVED
    scaled = logits / value
    if value >= limits.tiny and bool((scaled.isfinite() | removed).all()):
        return scaled
    behind = (logits - logits.amax(-1, keepdim=True)).double() / value
    return behind.clamp(min=limits.min).to(logits).masked_fill(removed, REMOVED)


def top_k(logits: Tensor, k: int) -> Tensor:
    """Only the k likeliest tokens (Fan et al. 2018, section 5.1)."""
    _, rank = _ranks(logits)
    return logits.masked_fill(rank >= k, REMOVED)


def top_p(logits: Tensor, p: float) -> Tensor:
    """Only the nucleus: the fewest likeliest tokens whose chances together reach p (Holtzman et al. 2020, equation 2).

    At least one token is left. p = 1 removes nothing.
    """
    if p >= 1:
        return logits
    order, rank = _ranks(logits)
    chances = torch.softmax(logits.double(), -1).gather(-1, order)
    reached = chances.cumsum(-1) >= p * (1 - ROUNDING)
    kept = torch.ones_like(reached)
    kept[..., 1:] = ~reached[..., :-1]  # a token is needed where those that are likelier do not reach p
    return logits.masked_fill(~kept.gather(-1, rank), REMOVED)


def min_p(logits: Tensor, share: float) -> Tensor:
    """Only tokens at least `share` times as likely as the likeliest one (Nguyen et al. 2024, section 3)."""
    if share <= 0:
        return logits
    chances = torch.softmax(logits.double(), -1)
    return logits.masked_fill(chances < share * chances.amax(-1, keepdim=True), REMOVED)


def _ranks(logits: Tensor) -> tuple[Tensor, Tensor]:
    """The ids by falling logit (…, V), and each id's place in that order (…, V)."""
    order = logits.sort(dim=-1, descending=True, stable=True).indices
    places = torch.arange(logits.shape[-1], device=logits.device).expand_as(order)
    return order, torch.empty_like(order).scatter_(-1, order, places)
