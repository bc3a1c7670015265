"""The number of layers until the last output depends on the first input, found by real backward passes."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.layer_kinds import LAYER_KINDS, LayerSizes, layer_of_kind
from core.topics.layer_costs.analysis import layers_to_reach, longest_path
from core.topics.shared.labels import NamedColumns

PATH_WIDTH = 8  # d of these layers: paths do not depend on it
EXTRA_LAYERS = 2  # layers beyond the number that theory gives


@dataclass(frozen=True, eq=False)
class Reach:
    """How strongly the last of n outputs depends on each input, in a stack of one kind of layer.

    norms (M, n): after 1 to M layers, the Frobenius norm of the (d, d) derivative of the last output by each input.
    expected: the number of layers that theory gives.
    steps: the length of the longest path at that depth.
    """

    kind: str
    norms: np.ndarray
    expected: int
    steps: int

    @property
    def found(self) -> int | None:
        """The smallest number of layers at which the last output depends on the first input; None if it never does."""
        reached = np.flatnonzero(self.norms[:, 0])
        return int(reached[0]) + 1 if len(reached) else None

    @property
    def size(self) -> float:
        """The norm for the first input at the smallest number of layers at which it is not 0; 0 if there is none."""
        return float(self.norms[self.found - 1, 0]) if self.found else 0.0

    @property
    def shares(self) -> np.ndarray:
        """The norms (M, n), each row divided by its largest; −∞ if the output does not depend on an input at all."""
        return np.where(self.norms > 0, self.norms / self.norms.max(1, keepdims=True), -np.inf)


def reach_of_layers(n: int, kernel: int, window: int, seed: int) -> tuple[Reach, ...]:
    """Measure the reach of every kind of layer on n random inputs, in float64.

    Each kind is stacked up to EXTRA_LAYERS layers beyond the number that theory gives.
    """
    sizes = LayerSizes(n, PATH_WIDTH, kernel, window)
    return tuple(_reach(kind, sizes, seed) for kind in LAYER_KINDS)


def reach_table(reaches: tuple[Reach, ...]) -> NamedColumns:
    """Return a table with a row for each kind of layer.

    Its columns are the layers in theory, the layers found, the steps of the path, and the gradient's size.
    """
    return {
        "layer": [reach.kind for reach in reaches],
        "layers, theory": [reach.expected for reach in reaches],
        "layers, found": [reach.found or 0 for reach in reaches],
        "steps of the path": [reach.steps for reach in reaches],
        "gradient of the last output by the first input": [reach.size for reach in reaches],
    }


def _reach(kind: str, sizes: LayerSizes, seed: int) -> Reach:
    expected = layers_to_reach(kind, sizes)
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(sizes.n, sizes.d, generator=generator, dtype=torch.float64)
    x = x.expand(sizes.d, -1, -1).clone().requires_grad_()  # (d, n, d): copy i is for number i of the last output
    norms, y = [], x
    for depth in range(expected + EXTRA_LAYERS):
        layer = layer_of_kind(kind, sizes, seed + depth, dilation=sizes.k**depth)
        y = layer.to(torch.float64).requires_grad_(False)(y)
        norms.append(_norms(y, x))
    return Reach(kind, np.stack(norms), expected, longest_path(kind, sizes))


def _norms(y: Tensor, x: Tensor) -> np.ndarray:
    """Return the norms (n,) of the derivative of the last row of y by each row of x."""
    (jacobian,) = torch.autograd.grad(y[:, -1].diagonal().sum(), x, retain_graph=True)  # (d, n, d)
    return jacobian.square().sum((0, 2)).sqrt().numpy()
