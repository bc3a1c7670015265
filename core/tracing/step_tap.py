"""The tap for models that run step by step: it records each site at every step and can force attention weights."""

from collections.abc import Mapping
from types import MappingProxyType

import torch
from torch import Tensor

SITES = ("reset", "update", "candidate", "state", "scores", "pattern")


class StepTap:
    """A tap that records a recurrent model's sites at every step of one forward pass.

    forced: by the decoder's step, from 0, the attention weights (S,) that replace the model's own.

    Raises ValueError for weights that are negative or do not sum to 1, and, when called, for a wrong number of them.
    """

    def __init__(self, forced: Mapping[int, tuple[float, ...]] = MappingProxyType({})) -> None:
        for step, weights in forced.items():
            if min(weights) < 0 or not abs(sum(weights) - 1) <= 1e-4:
                raise ValueError(f"attention weights are never negative and sum to 1; those of step {step} do not")
        self.prefix = ""
        self.forced = dict(forced)
        self.seen: dict[str, list[Tensor]] = {}

    def scope(self, name: str) -> "StepTap":
        """Return this tap with `name` added to its prefix; both record into the same place."""
        inner = object.__new__(StepTap)
        inner.__dict__.update(self.__dict__, prefix=f"{self.prefix}{name}.")
        return inner

    def touches(self, name: str) -> bool:
        return name in SITES

    def __call__(self, name: str, x: Tensor) -> Tensor:
        held = self.seen.setdefault(self.prefix + name, [])
        if name == "pattern" and (weights := self.forced.get(len(held))) is not None:
            if len(weights) != x.shape[-1]:
                raise ValueError(f"{len(weights)} weights do not fit {x.shape[-1]} words")
            x = torch.tensor(weights, dtype=x.dtype, device=x.device).expand_as(x)
        held.append(x)
        return x

    def steps(self, key: str) -> Tensor:
        """Return a site at every step (B, T, …), in the order of the text: the steps of "backwards" are reversed."""
        values = torch.stack(self.seen[key], dim=1)
        return values.flip(1) if key.startswith("backwards.") else values
