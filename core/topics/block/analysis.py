"""The hidden neurons of a feed-forward layer: what each adds to the layer's output.

The layer's output is a sum: each neuron's activation times its output row (column of W_2), and the bias (Geva et al.
2021, "Transformer feed-forward layers are key-value memories", equation 2).
"""

import numpy as np
import torch
from torch import Tensor, nn


def written_lengths(hidden: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the length of the vector that each neuron adds, (F,): |activation| times the length of its row.

    hidden (F,): the activations.
    rows (F, D): the output rows.
    """
    return np.abs(hidden) * np.linalg.norm(rows, axis=1)


def output_shares(added: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the share of a sum that comes from each of its vectors, (n,): its component along the sum.

    added (n, D): the vectors.
    out (D,): their sum.

    The shares of all vectors sum to 1; NaN if the sum is zero.
    """
    length = float(out @ out)
    return added @ out / length if length else np.full(len(added), np.nan)


def before_unembedding(row: Tensor, norm: nn.Module) -> Tensor:
    """Return an output row as the unembedding reads it, (D,).

    A last LayerNorm subtracts the row's mean and multiplies by its gain, an RMSNorm multiplies by its gain.
    Without a last norm the row is unchanged.
    Effects of the rest of the stream are left out: the division by its deviation, which is one factor for all
    pieces of a token, and the row's own effect on this deviation.
    """
    if isinstance(norm, nn.LayerNorm):
        row = row - row.mean()
    return row if isinstance(norm, nn.Identity) else row * norm.get_parameter("weight")


def largest_change(first: Tensor, second: Tensor) -> float:
    """Return the largest absolute difference of two tensors of one shape."""
    return float(torch.dist(first.float(), second.float(), torch.inf))
