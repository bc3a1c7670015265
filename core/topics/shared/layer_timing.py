"""The time and memory of a real forward and backward pass of any layer, measured on this machine."""

import time
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.device import Placement
from core.topics.shared.timing import timed_rounds

MAX_ROUNDS, MIN_ROUNDS = 9, 3


@dataclass(frozen=True)
class PassTiming:
    """The measured cost of a layer's passes: seconds of each round and bytes of memory.

    spent: the seconds that the whole measurement took.
    """

    rounds: tuple[float, ...]
    bytes: int
    spent: float


def time_layer(layer: nn.Module, n: int, d: int, placement: Placement, seconds: float) -> PassTiming:
    """Measure a forward and backward pass of a layer over n random vectors of d numbers, within about `seconds`.

    A first pass measures the memory; then 3 to 9 rounds measure the time.

    layer: maps (1, n, d) to (1, n, d), such as `AttentionLayer(d, masks=(SlidingWindowMask(4),))`. It is moved to the
        placement.
    """
    started = time.perf_counter()
    device, dtype = placement.device, placement.torch_dtype
    layer = layer.to(device, dtype)
    generator = torch.Generator().manual_seed(n)
    x = torch.randn(1, n, d, generator=generator).to(device, dtype).requires_grad_()
    held = _memory(layer, x)
    left = seconds - (time.perf_counter() - started)
    rounds = timed_rounds([lambda: _pass(layer, x)], device, left, MAX_ROUNDS, MIN_ROUNDS, discarded=0)
    return PassTiming(tuple(rounds[:, 0].tolist()), held, time.perf_counter() - started)


def saved_bytes(layer: nn.Module, x: Tensor) -> int:
    """Return the bytes that the forward pass keeps for the backward pass, without the weights and the input."""
    uncounted = {tensor.untyped_storage().data_ptr() for tensor in (x, *layer.parameters())}
    kept: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in uncounted:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        y = layer(x)
    total = sum(kept.values())
    _backward(y, layer, x)
    return total


def _memory(layer: nn.Module, x: Tensor) -> int:
    """Return the memory of a pass in bytes.

    On a GPU this is the peak above the memory in use before; elsewhere it is the memory kept for the backward pass.
    """
    if x.device.type != "cuda":
        return saved_bytes(layer, x)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    _pass(layer, x)
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def _pass(layer: nn.Module, x: Tensor) -> None:
    _backward(layer(x), layer, x)


def _backward(y: Tensor, layer: nn.Module, x: Tensor) -> None:
    torch.autograd.grad(y, (x, *layer.parameters()), torch.ones_like(y))
