"""What a classifier makes of its encoder's output."""

from torch import Tensor

from core.checkpoints.shipped import ClassLayer


def class_logits(layer: ClassLayer, rows: Tensor) -> Tensor:
    """(…, C): one score for each class, of the mean of the rows (…, S, D) of an encoder's output. Without padding."""
    return layer.linear(rows.float().mean(-2).cpu())
