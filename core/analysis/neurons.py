"""The hidden neurons of a feed-forward layer: what each adds to its output, and what it writes.

The layer's output is a sum: each neuron's activation times its output row (column of W_2), and the bias (Geva et al.
2021, "Transformer feed-forward layers are key-value memories", equation 2).
"""

import numpy as np
import torch
from torch import Tensor, nn


def written_lengths(hidden: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(F,) the length of what each neuron adds: |activation| times the length of its row. hidden (F,), rows (F, D)."""
    return np.abs(hidden) * np.linalg.norm(rows, axis=1)


def output_shares(added: np.ndarray, out: np.ndarray) -> np.ndarray:
    """(n,) how much of a vector comes from each of the vectors that it is a sum of: their parts in its direction.

    added (n, D), out (D,). The shares of all that was added make 1; NaN where the sum is zero.
    """
    length = float(out @ out)
    return added @ out / length if length else np.full(len(added), np.nan)


def before_unembedding(row: Tensor, norm: nn.Module) -> Tensor:
    """(D,) an output row as the unembedding meets it.

    A last LayerNorm takes the row's mean away and multiplies by its gain, an RMSNorm multiplies by its gain. Left out
    is what depends on the rest of the stream: the division by its deviation, one factor for all pieces of a token, and
    that the row changes this deviation. Without a last norm the row stays as it is.
    """
    if isinstance(norm, nn.LayerNorm):
        row = row - row.mean()
    return row if isinstance(norm, nn.Identity) else row * norm.get_parameter("weight")


def largest_change(first: Tensor, second: Tensor) -> float:
    """The largest difference of two tensors of one shape."""
    return float(torch.dist(first.float(), second.float(), torch.inf))
