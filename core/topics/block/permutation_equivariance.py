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
from core.topics.shared.places import HeadAddress, attention_module, mask_of
from core.tracing.run import Run, prepare

SAME_TO = 1e-4  # relative to the largest output: above float32's rounding, below the effect of a mask or another token

TELLING = {
    "rotary": ("the rotation of its queries and keys",),
    "alibi": ("ALiBi's penalty on distance",),
    "relative": ("what its relative positions add to scores",),
}


@dataclass(frozen=True)
class PartMoved:
    """How much the output of one part of a block changes if its tokens are reordered, or fed one at a time.

    order: the largest change if the tokens are reordered and the output is put back in the first order.
    alone: the largest change if the tokens are fed one at a time.
    size: the largest absolute number in the output.
    """

    order: float
    alone: float
    size: float

    @property
    def keeps_order(self) -> bool:
        """Whether reordering the tokens changes the output, put back in the text's order, by rounding only."""
        return self.order <= SAME_TO * self.size

    @property
    def keeps_alone(self) -> bool:
        """Whether feeding each token without the others changes its output by rounding only."""
        return self.alone <= SAME_TO * self.size


@dataclass(frozen=True, eq=False)
class AnyOrder:
    """How the feed-forward layer and the attention of one block respond to another order of the tokens.

    labels (L,): the tokens in the text's order.
    order (L,): for each place in the new order, the token's place in the text.
    before, after (L, n): the activations of n neurons for the tokens in the text's order and in the new order, a row
        for each place.
    ffn, attention: how much the output of each part changes.
    told_by: the means by which attention learns the positions of tokens, other than the token vectors, such as "its
        mask".
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
    inputs: BlockInputs,
) -> AnyOrder:
    """Feed one block the tokens in another order, and one by one, and compare the outputs.

    This tests the statement "applied to each position separately and identically" (Vaswani et al. 2017, section 3.3).
    Attention uses the mask of the text's order in the new order too.

    stack, layer: the block.
    seed: the seed of the new order.
    numbers: the neurons whose activations are returned.
    inputs: the inputs of the block, from `block_inputs`.
    """
    ffn, order = ffn_module(model, stack, layer), row_order(len(inputs.ffn), seed)
    before, _ = hidden_rows(ffn, inputs.ffn)
    after, _ = hidden_rows(ffn, inputs.ffn[order])
    place = HeadAddress(stack, layer)
    attention = attention_module(model, place)
    mask = torch.from_numpy(mask_of(prepare(run, tokenizer), place)).to(run.placement.device)

    def attend(x: Tensor) -> Tensor:
        inner = model.inner_positions(stack, 0, x.shape[1], x)
        return attention(x, x, mask if x.shape[1] > 1 else None, inner=inner)

    columns = list(numbers)
    return AnyOrder(
        inputs.labels,
        order,
        before[:, columns],
        after[:, columns],
        _moved(ffn, inputs.ffn, order, ffn.w_1.weight),
        _moved(attend, inputs.attention, order, ffn.w_1.weight),
        (*["its mask"] * (not bool(mask.all())), *TELLING.get(run.config.positions, ())),
    )


def _moved(part: Callable[[Tensor], Tensor], rows: np.ndarray, order: np.ndarray, like: Tensor) -> PartMoved:
    """Measure how much a part's output changes if the rows of its input come in another order, and one by one.

    part: maps (B, L, D) to (B, L, D).
    rows (L, D): the input.
    order (L,): the other order.
    like: a tensor with the device and number format of the part.
    """
    tensor = torch.from_numpy(rows).to(like)
    with torch.inference_mode():
        first = part(tensor[None])[0]
        moved = part(tensor[order.tolist()][None])[0]
        alone = part(tensor[:, None])[:, 0]  # a batch of L texts of one token
    return PartMoved(
        largest_change(moved, first[order.tolist()]), largest_change(alone, first), float(first.float().abs().max())
    )
