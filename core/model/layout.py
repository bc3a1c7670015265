"""How a model's weights lie in memory, for speed alone: the numbers, their places and their shapes stay the same."""

import torch

from core.model.transformer import Transformer


def lay_out(model: Transformer) -> Transformer:
    """Lay the weights out, in place, as products with a single row read them fastest where the model now is.

    A text that is written token by token meets each matrix with one row of x, so its speed is that of reading W. In
    float32 on a CPU, where outputs are as many as inputs or more, column by column is the faster order: the product
    then adds up columns, instead of taking a short dot product for each output. Everything else lies row by row, as
    PyTorch makes it. `python -m tests.benchmarks.generation` measures what comes of it.
    """
    for weight in model.parameters():
        wide = weight.dim() == 2 and weight.shape[0] >= weight.shape[1]
        by_columns = wide and weight.dtype == torch.float32 and weight.device.type == "cpu"
        weight.data = weight.data.t().contiguous().t() if by_columns else weight.data.contiguous()
    return model
