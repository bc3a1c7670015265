"""What one family of models is, in one record."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig


@dataclass(frozen=True)
class RealFamily:
    """One ``model_type`` of the hub.

    config: from its options and the names of its tensors. fill: says which of our parameters are made of which of
    their tensors. prefix: what stands before the names of the body in some files and not in others. renamed: endings
    of names in older files, and what they are called today.
    """

    model_type: str
    title: str
    config: Callable[[Options, Collection[str]], TransformerConfig]
    fill: Callable[[WeightTable, TransformerConfig], None]
    prefix: str = ""
    renamed: tuple[tuple[str, str], ...] = ()
