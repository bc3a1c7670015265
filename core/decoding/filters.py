"""What is done to the logits before a token is drawn: pure functions of logits (…, V) that remove with −∞.

The whole vocabulary counts in each of them. Where two tokens are equally likely, the one with the lower id goes first.
"""

import torch
from torch import Tensor

REMOVED = float("-inf")


def repetition_penalty(logits: Tensor, seen: Tensor, penalty: float) -> Tensor:
    """Logits of tokens that were seen (…, V booleans), divided by the penalty if positive, else multiplied by it.

    (Keskar et al. 2019, section 4.1, in the form that also lowers negative logits.)
    """
    return torch.where(seen, torch.where(logits > 0, logits / penalty, logits * penalty), logits)


def temperature(logits: Tensor, value: float) -> Tensor:
    """Logits / T: below 1 the likely gets likelier, above 1 the chances draw closer together."""
    return logits / value


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
    before = chances.cumsum(-1) - chances  # the mass of those that are likelier
    kept = before < p
    kept[..., 0] = True
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
