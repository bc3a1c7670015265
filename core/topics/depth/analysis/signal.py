"""Stacks with and without residuals, norms and feed-forward layers, run side by side on the same weights.

Shapes: R ways to wire a block, L tokens, D d_model, N layers, V vocabulary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.layers import Block
from core.model.transformer import Transformer

NORM_ORDER = ("pre", "post", "none")


@dataclass(frozen=True)
class Wiring:
    """A way to connect the parts of a block: norms, residual connections, feed-forward layer.

    norm: the position of its norms, one of NORM_ORDER.
    residual: whether the input of each part is added to its output.
    feed_forward: whether it has a feed-forward layer.
    """

    norm: str
    residual: bool
    feed_forward: bool = True


@dataclass(frozen=True, eq=False)
class Streams:
    """The norms and losses of one forward and one backward pass, for each of R wirings.

    signal (R, N + 1): norms of the tokens' rows as they enter the first block and after each block.
    gradient (R, N + 1): norms of the loss's gradient in these rows.
    losses (R,): the loss under each wiring.
    """

    signal: Tensor
    gradient: Tensor
    losses: Tensor


def wired(blocks: Sequence[Block], x: Tensor, wirings: Sequence[Wiring], mask: Tensor | None) -> list[Tensor]:
    """Run x (R, L, D) through the blocks, each row under its own wiring; return the input and every block's output.

    Each row is the result of `Block.forward` under its wiring, all of them in one batch. The wirings must be in the
    order of NORM_ORDER. Without a feed-forward layer a block ends after attention. The blocks must have these layers,
    also for wirings without them.
    """
    norms = [wiring.norm for wiring in wirings]
    assert norms == sorted(norms, key=NORM_ORDER.index)
    counts = [norms.count(norm) for norm in NORM_ORDER]
    adds = torch.tensor([wiring.residual for wiring in wirings])[:, None, None]
    feeds = torch.tensor([wiring.feed_forward for wiring in wirings])[:, None, None]
    states = [x]
    for block in blocks:
        assert block.ffn is not None
        x = _part(block.norm_attn, x, partial(_attend, block, mask), counts, adds)
        x = torch.where(feeds, _part(block.norm_ffn, x, block.ffn, counts, adds), x)
        states.append(x)
    return states


def _attend(block: Block, mask: Tensor | None, x: Tensor) -> Tensor:
    return block.attn(x, x, mask)


def _part(norm: nn.Module, x: Tensor, part: Callable[[Tensor], Tensor], counts: list[int], adds: Tensor) -> Tensor:
    """Apply one part of a block to x (R, L, D); pre-norm rows are normalised before it, post-norm rows after it."""
    pre, post, bare = x.split(counts)
    out = part(torch.cat([norm(pre), post, bare]))
    out = torch.where(adds, x + out, out)
    pre, post, bare = out.split(counts)
    return torch.cat([pre, norm(post), bare])


def backward(
    model: Transformer, states: Sequence[Tensor], wirings: Sequence[Wiring], rows: Tensor, gold: Tensor
) -> Streams:
    """Run a real backward pass through `wired`: the gradient of the mean cross-entropy of each wiring by itself.

    states: the result of `wired` for an x that requires a gradient.
    rows (T,): the tokens from which a piece is predicted.
    gold (T,): the pieces.

    Pre-norm rows pass the last norm first, as in every model with pre-norm.
    """
    final = getattr(model, f"{model.config.stacks[-1]}_norm")
    pre = sum(wiring.norm == "pre" for wiring in wirings)
    last = states[-1][:, rows]  # (R, T, D)
    logits = model.logits(torch.cat([final(last[:pre]), last[pre:]]))  # (R, T, V)
    count = len(gold)
    losses = F.cross_entropy(logits.flatten(0, 1), gold.repeat(len(wirings)), reduction="none").view(-1, count).mean(1)
    gradients = torch.autograd.grad(losses.sum(), states)
    return Streams(_norms(states), _norms(gradients), losses.detach())


def _norms(tensors: Sequence[Tensor]) -> Tensor:
    """Return the Frobenius norm of each (L, D), (R, N + 1), scaled so that squares too large for float64 do no harm."""
    rows = torch.stack([tensor.detach().double().flatten(1) for tensor in tensors], 1)  # (R, N + 1, L · D)
    largest = rows.abs().amax(-1)
    scale = torch.where(largest.isfinite() & (largest > 0), largest, 1.0)
    return (rows / scale[..., None]).norm(dim=-1) * scale
