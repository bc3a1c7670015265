"""A linear layer x Wᵀ + b that is also fast for a single row x, when most of the time goes to reading W from memory."""

from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MIN_WEIGHTS = 2**16  # weights; smaller matrices fit in the processor's cache, where splitting them gains nothing
MOST_PARTS = 64


class FastLinear(nn.Linear):
    """PyTorch's linear layer, made fast for single rows."""

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return x Wᵀ + b, (…, I) · (O, I)ᵀ + (O,) → (…, O), like `torch.nn.functional.linear`.

    While a text is written, every matrix is multiplied by one row. For one row in float32 on a CPU, PyTorch's product
    uses one thread and half of the memory bandwidth; a batched product of the same matrix in parts has neither limit
    (`python -m tests.benchmarks.generation` measures the gain).
    """
    outputs, inputs = weight.shape
    single = x.numel() == inputs and outputs * inputs >= MIN_WEIGHTS
    if not (single and x.device.type == "cpu" and x.dtype == weight.dtype == torch.float32):
        return F.linear(x, weight, bias)
    parts = _parts(outputs)
    matrices = weight.view(parts, -1, inputs)  # (P, O/P, I)
    row = x.reshape(1, inputs).T.expand(parts, -1, -1)  # (P, I, 1)
    products = torch.bmm(matrices, row) if bias is None else torch.baddbmm(bias.view(parts, -1, 1), matrices, row)
    return products.view(*x.shape[:-1], outputs)


@cache
def _parts(outputs: int) -> int:
    """Return the least number of equal parts, 2 or more, into which the outputs can be split; 1 if there is none."""
    return next((parts for parts in range(2, MOST_PARTS) if outputs % parts == 0), 1)
