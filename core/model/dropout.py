"""Dropout (Srivastava et al. 2014), with few random numbers on a CPU, where they are slow to draw."""

import torch
import torch.nn.functional as F
from torch import Tensor

LEVELS = 256


def dropout(x: Tensor, rate: float) -> Tensor:
    """Set each number of x to 0 with probability `rate`, and divide the others by the probability of being kept.

    On a CPU one random byte decides about each number, so there the probability is the nearest multiple of 1/256 (at
    most 255/256): torch's own dropout draws a float for each number, which takes longer than the layers around it.
    """
    if not rate:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, rate)
    gone = min(round(rate * LEVELS), LEVELS - 1)
    words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= gone
    return x * kept.to(x.dtype).mul_(LEVELS / (LEVELS - gone))
