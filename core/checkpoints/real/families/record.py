"""What one family of models is, in one record."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import torch
from torch import Tensor

from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig


@dataclass(frozen=True)
class ClassHead:
    """The names of a classifier's two layers, and what stands between them. They read the first token's output."""

    dense: str
    out: str
    activation: Callable[[Tensor], Tensor] = torch.tanh


@dataclass(frozen=True)
class RealFamily:
    """One ``model_type`` of the hub.

    config: from its options and the names of its tensors. fill: says which of our parameters are made of which of
    their tensors. prefix: what stands before the names of the body in some files and not in others. renamed: endings
    of names in older files, and what they are called today. classes: the head of its classifiers.
    """

    model_type: str
    title: str
    config: Callable[[Options, Collection[str]], TransformerConfig]
    fill: Callable[[WeightTable, TransformerConfig], None]
    prefix: str = ""
    renamed: tuple[tuple[str, str], ...] = ()
    classes: ClassHead | None = None
