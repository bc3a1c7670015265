"""Edits: plain records that say what to change at a site while a model runs."""

from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from core.tracing.sites import parse

ACTIONS = ("replace", "scale", "zero", "add")
Number: TypeAlias = float | tuple["Number", ...]


@dataclass(frozen=True)
class Edit:
    """Change the tensor at `key` (as in "decoder.2.pattern"): everything after it sees the change.

    action: "replace" by value, "scale" by value, "zero", or "add" value. head and row narrow the edit to one head
    and one query position. value is a number or nested tuples of the shape that is left, without the batch axis.
    """

    key: str
    action: str
    value: Number | None = None
    head: int | None = None
    row: int | None = None

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise ValueError(f"edit {self.action!r} is not one of {', '.join(ACTIONS)}")
        if (self.value is None) != (self.action == "zero"):
            raise ValueError(
                f"edit {self.action!r} at {self.key} {'needs' if self.value is None else 'takes no'} value"
            )
        axes = parse(self.key)[3].axes
        if self.head is not None and "H" not in axes:
            raise ValueError(f"{self.key} has no heads: its axes are {' '.join(axes)}")

    def apply(self, x: Tensor) -> Tensor:
        """A changed copy of x; ValueError names the right shape or range."""
        axes = parse(self.key)[3].axes
        index: list[int | slice] = [slice(None)] * x.dim()
        if self.head is not None:
            index[axes.index("H")] = _within(self.head, x.shape[axes.index("H")], f"head at {self.key}")
        if self.row is not None:
            index[-2] = _within(self.row, x.shape[-2], f"row at {self.key}")
        changed = x.clone()
        part = changed[tuple(index)]
        changed[tuple(index)] = self._new(part)
        return changed

    def _new(self, part: Tensor) -> Tensor:
        if self.value is None:
            return torch.zeros_like(part)
        value = _tensor(self.value, self.key).to(part)
        if value.dim() and value.shape != part.shape[1:]:
            raise ValueError(
                f"the value for {self.key} has shape {tuple(value.shape)}, but {tuple(part.shape[1:])} is edited"
            )
        if not value.isfinite().all():
            raise ValueError(f"the value for {self.key} holds a number that is infinite or none at all")
        if self.action == "replace":
            return value.expand_as(part)
        return part * value if self.action == "scale" else part + value


def ablate_head(layer: int, head: int, stack: str = "encoder", cross: bool = False) -> Edit:
    """Silence one head: its output z is zero, so it adds nothing to the stream."""
    return Edit(f"{stack}.{layer}.{'cross.' if cross else ''}z", "zero", head=head)


def force_row(
    layer: int, head: int, row: int, weights: tuple[float, ...], stack: str = "encoder", cross: bool = False
) -> Edit:
    """Make one query of one head attend as told. weights: one for each key, none negative, summing to 1."""
    if any(weight < 0 for weight in weights):
        raise ValueError(f"attention weights are never negative; one of these is {min(weights):.4g}")
    if not abs(sum(weights) - 1) <= 1e-4:
        raise ValueError(f"attention weights sum to 1; these sum to {sum(weights):.4g}")
    return Edit(f"{stack}.{layer}.{'cross.' if cross else ''}pattern", "replace", tuple(weights), head, row)


def _tensor(value: Number, key: str) -> Tensor:
    try:
        return torch.tensor(value, dtype=torch.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the value for {key} has rows of different lengths") from error


def _within(index: int, size: int, name: str) -> int:
    if not 0 <= index < size:
        raise ValueError(f"{name} is {index}, but there are only {size} (0 to {size - 1})")
    return index
