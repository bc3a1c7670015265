"""x Wᵀ + b, also when x is a single row: then the time is that of reading W from memory."""

from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LARGE = 2**16  # weights; smaller matrices are at hand in the processor, where parts gain nothing
MOST_PARTS = 64


class Linear(nn.Linear):
    """PyTorch's layer, quick for single rows."""

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """(…, I) · (O, I)ᵀ + (O,) → (…, O), as `torch.nn.functional.linear`.

    A token that is written meets every matrix with one row. For one row in float32 on a CPU, PyTorch's product keeps
    to one thread and half of the memory's speed; a batch of the same matrix in parts has neither limit
    (`python -m tests.benchmarks.generation` measures what comes of it).
    """
    outputs, inputs = weight.shape
    single = x.numel() == inputs and outputs * inputs >= LARGE
    if not (single and x.device.type == "cpu" and x.dtype == weight.dtype == torch.float32):
        return F.linear(x, weight, bias)
    parts = _parts(outputs)
    matrices = weight.view(parts, -1, inputs)  # (P, O/P, I)
    row = x.reshape(1, inputs).T.expand(parts, -1, -1)  # (P, I, 1)
    found = torch.bmm(matrices, row) if bias is None else torch.baddbmm(bias.view(parts, -1, 1), matrices, row)
    return found.view(*x.shape[:-1], outputs)


@cache
def _parts(outputs: int) -> int:
    """The least number of equal parts, 2 or more; 1 where there is none."""
    return next((parts for parts in range(2, MOST_PARTS) if outputs % parts == 0), 1)
