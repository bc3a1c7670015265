"""Edits: records of the changes to make at a site while a model runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from core.model.config import TransformerConfig
from core.tracing.sites import parse

ACTIONS = ("replace", "scale", "zero", "add")
Number: TypeAlias = float | tuple["Number", ...]
Value: TypeAlias = Number | Tensor | Callable[[Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Edit:
    """A change of the tensor at `key` (such as "decoder.2.pattern"), on which all later computation depends.

    action: "replace" by the value, "scale" by the value, "zero", or "add" the value.
    value: one of
        - a number, or nested tuples of numbers, without the batch axis, in the shape of the part that is edited; all
          finite;
        - a tensor of that shape, without the batch axis or with it (size 1: the same for all texts), such as one
          recorded in another run (activation patching); it need not be finite;
        - a function that takes the current values of the part, with the batch axis and without that of `head`, and
          returns a tensor of the same shape.
    head: edit only this head (at the sites of keys and values: this head of keys and values).
    row: edit only this query position.

    Edits are equal if all their fields are; a tensor or a function equals only itself. So the edits of a `Run`, which
    is a cache key, hold numbers; an edit with a tensor or a function is passed to `core.tracing.run.execute` or
    `core.tracing.trace.trace`.

    >>> off = Edit("decoder.2.z", "zero", head=0)
    >>> off.apply(torch.ones(1, 2, 1, 3))  # what head 0 of two has mixed, at one token
    tensor([[[[0., 0., 0.]],
    <BLANKLINE>
             [[1., 1., 1.]]]])
    """

    key: str
    action: str
    value: Value | None = None
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
        if self.head is not None and not {"H", "G"} & set(axes):
            raise ValueError(f"{self.key} has no heads: its axes are {' '.join(axes)}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edit) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def _fields(self) -> tuple[object, ...]:
        value = ("tensor", id(self.value)) if isinstance(self.value, Tensor) else self.value
        return (self.key, self.action, value, self.head, self.row)

    def apply(self, x: Tensor) -> Tensor:
        """Return a changed copy of x.

        Raises ValueError, which names the right shape or range, if the value, the head or the row does not fit x.
        """
        index: list[int | slice] = [slice(None)] * x.dim()
        if self.head is not None:
            index[1] = _within(self.head, x.shape[1], f"head at {self.key}")
        if self.row is not None:
            index[-2] = _within(self.row, x.shape[-2], f"row at {self.key}")
        changed = x.clone()
        part = changed[tuple(index)]
        changed[tuple(index)] = self._new(part)
        return changed

    def _new(self, part: Tensor) -> Tensor:
        if self.value is None:
            return torch.zeros_like(part)
        value = self._tensor(part).to(part)
        has_batch = value.dim() == part.dim() and value.shape[0] in (1, part.shape[0])
        if value.dim() and (value.shape[1:] if has_batch else value.shape) != part.shape[1:]:
            raise ValueError(
                f"the value for {self.key} has shape {tuple(value.shape)}, but {tuple(part.shape[1:])} is edited"
            )
        if self.action == "replace":
            return value.expand_as(part)
        return part * value if self.action == "scale" else part + value

    def _tensor(self, part: Tensor) -> Tensor:
        if isinstance(self.value, Tensor):
            return self.value
        if callable(self.value):
            value = self.value(part)
            if not isinstance(value, Tensor):
                raise ValueError(f"the function for {self.key} gives no tensor, but {type(value).__name__}")
            return value
        assert self.value is not None
        value = _from_numbers(self.value, self.key).to(part)
        if not value.isfinite().all():
            raise ValueError(f"the value for {self.key} holds a number that is infinite or none at all")
        return value


def ablate_head(
    config: TransformerConfig, layer: int, head: int, stack: str | None = None, cross: bool = False
) -> Edit:
    """Return the edit that silences one head: its output z is zero, so it adds nothing to the stream.

    layer, head: counted from 0.
    stack: "encoder" or "decoder"; None for the model's only one, and for the decoder with `cross`.
    cross: whether it is a head of cross-attention.

    Raises ValueError for a head that the model does not have.
    """
    return Edit(f"{_attention_key(config, layer, head, stack, cross)}z", "zero", head=head)


def force_row(
    config: TransformerConfig,
    layer: int,
    head: int,
    row: int,
    weights: tuple[float, ...],
    stack: str | None = None,
    cross: bool = False,
) -> Edit:
    """Return the edit that gives one query of one head these attention weights.

    row: the number of the query.
    weights: one for each key, none negative, summing to 1; else a ValueError is raised.
    The other parameters and errors are those of `ablate_head`.
    """
    key = _attention_key(config, layer, head, stack, cross)
    if any(weight < 0 for weight in weights):
        raise ValueError(f"attention weights are never negative; one of these is {min(weights):.4g}")
    if not abs(sum(weights) - 1) <= 1e-4:
        raise ValueError(f"attention weights sum to 1; these sum to {sum(weights):.4g}")
    return Edit(f"{key}pattern", "replace", tuple(weights), head, row)


def _attention_key(config: TransformerConfig, layer: int, head: int, stack: str | None, cross: bool) -> str:
    """Return the start of the keys of one attention, such as "decoder.2.cross."."""
    if stack is None:
        if config.has_two_stacks and not cross:
            raise ValueError("this model has two stacks: name the encoder or the decoder")
        stack = config.stacks[-1]
    if stack not in config.stacks:
        raise ValueError(f"this model has no {stack}: it has {' and '.join(config.stacks)}")
    if cross and not (config.has_two_stacks and stack == "decoder"):
        raise ValueError("cross-attention is in the decoder of an encoder-decoder only")
    _within(layer, config.depth(stack), "the layer")
    _within(head, config.heads, "the head")
    return f"{stack}.{layer}.{'cross.' if cross else ''}"


def _from_numbers(value: Number, key: str) -> Tensor:
    try:
        return torch.tensor(value, dtype=torch.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the value for {key} has rows of different lengths") from error


def _within(index: int, size: int, name: str) -> int:
    if not 0 <= index < size:
        raise ValueError(f"{name} is {index}, but there are only {size} (0 to {size - 1})")
    return index
