"""The feed-forward layer and attention of a block, fed with the tokens in another order and with each token alone."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.block.analysis import largest_change
from core.topics.block.neurons import BlockInputs, ffn_module, hidden_rows
from core.topics.shared.places import Place, attention_module, mask_of
from core.tracing.run import Run, prepare

SAME_TO = 1e-4  # relative to the largest output: above float32's rounding, below the effect of a mask or another token

TELLING = {
    "rotary": ("the rotation of its queries and keys",),
    "alibi": ("ALiBi's penalty on distance",),
    "relative": ("what its relative positions add to scores",),
}


@dataclass(frozen=True)
class PartMoved:
    """The largest changes in the output of one part of a block.

    order: the change if the tokens are fed in another order and the output is put back in the first order.
    alone: the change if the tokens are fed one at a time.
    size: the largest output.
    """

    order: float
    alone: float
    size: float

    @property
    def keeps_order(self) -> bool:
        """Whether another order changes nothing beyond rounding."""
        return self.order <= SAME_TO * self.size

    @property
    def keeps_alone(self) -> bool:
        """Whether the other tokens change nothing beyond rounding."""
        return self.alone <= SAME_TO * self.size


@dataclass(frozen=True, eq=False)
class AnyOrder:
    """The result of the test on one block.

    labels (L,): the tokens in the text's order.
    order (L,): for each new place, the old one.
    before, after (L, n): the activations of some neurons in both orders, a row for each place.
    ffn, attention: how much the output of each part changes.
    told_by: the sources of position information for attention, apart from the vectors themselves.
    """

    labels: tuple[str, ...]
    order: np.ndarray
    before: np.ndarray
    after: np.ndarray
    ffn: PartMoved
    attention: PartMoved
    told_by: tuple[str, ...]

    @property
    def new_labels(self) -> tuple[str, ...]:
        """The labels (L,) in the new order."""
        return tuple(self.labels[old] for old in self.order)


def row_order(rows: int, seed: int) -> np.ndarray:
    """Return a random order of the rows, never the old one if there are two or more rows."""
    order = np.random.default_rng(seed).permutation(rows)
    return np.roll(order, 1) if rows > 1 and (order == np.arange(rows)).all() else order


def any_order(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    layer: int,
    seed: int,
    numbers: tuple[int, ...],
    read: BlockInputs,
) -> AnyOrder:
    """Feed one block the tokens in another order, and one by one, and compare the outputs.

    This tests the statement "applied to each position separately and identically" (Vaswani et al. 2017, section 3.3).
    Attention keeps its mask, whatever the order.

    numbers: the neurons whose activations are kept.
    read: the inputs of the block, from `block_inputs`.
    """
    ffn, order = ffn_module(model, stack, layer), row_order(len(read.ffn), seed)
    before, _ = hidden_rows(ffn, read.ffn)
    after, _ = hidden_rows(ffn, read.ffn[order])
    place = Place(stack, layer)
    attention = attention_module(model, place)
    mask = torch.from_numpy(mask_of(prepare(run, tokenizer), place)).to(run.placement.device)

    def attend(x: Tensor) -> Tensor:
        inner = model.inner_positions(stack, 0, x.shape[1], x)
        return attention(x, x, mask if x.shape[1] > 1 else None, inner=inner)

    kept = list(numbers)
    return AnyOrder(
        read.labels,
        order,
        before[:, kept],
        after[:, kept],
        _moved(ffn, read.ffn, order, ffn.w_1.weight),
        _moved(attend, read.attention, order, ffn.w_1.weight),
        (*["its mask"] * (not bool(mask.all())), *TELLING.get(run.config.positions, ())),
    )


def _moved(part: Callable[[Tensor], Tensor], rows: np.ndarray, order: np.ndarray, like: Tensor) -> PartMoved:
    """Measure the change in a part's output for rows in another order, and for rows one by one.

    part: maps (B, L, D) to (B, L, D).
    rows (L, D): the input.
    like: a tensor with the device and number format of the part.
    """
    read = torch.from_numpy(rows).to(like)
    with torch.inference_mode():
        first = part(read[None])[0]
        moved = part(read[order.tolist()][None])[0]
        alone = part(read[:, None])[:, 0]  # a batch of L texts of one token
    return PartMoved(
        largest_change(moved, first[order.tolist()]), largest_change(alone, first), float(first.float().abs().max())
    )
