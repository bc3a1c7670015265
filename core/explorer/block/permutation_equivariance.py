"""The feed-forward layer of a block fed with the tokens in another order, and with each token alone; and attention."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.analysis.neurons import largest_change
from core.explorer.block.neurons import BlockInputs, ffn_module, hidden_rows
from core.explorer.shared.places import Place, attention_module, mask_of
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, prepare

SAME_TO = 1e-4  # of the largest output: above float32's rounding, below what a mask or another token does

TELLING = {
    "rotary": ("the rotation of its queries and keys",),
    "alibi": ("ALiBi's penalty on distance",),
    "relative": ("what its relative positions add to scores",),
}


@dataclass(frozen=True)
class PartMoved:
    """How much the output of a part of a block changes at most. order: fed with the tokens in another order, its output
    put back; alone: fed with one token at a time. size: its largest output."""

    order: float
    alone: float
    size: float

    @property
    def keeps_order(self) -> bool:
        """Whether another order changes nothing, but for rounding."""
        return self.order <= SAME_TO * self.size

    @property
    def keeps_alone(self) -> bool:
        """Whether the other tokens change nothing, but for rounding."""
        return self.alone <= SAME_TO * self.size


@dataclass(frozen=True, eq=False)
class AnyOrder:
    """labels (L,) in the text's order; order (L,): for each new place the old one. before, after (L, n): the
    activations of some neurons in both, a row for each place. ffn, attention: how far each part's output moves.
    told_by: what tells attention where a token stands, beside its vector."""

    labels: tuple[str, ...]
    order: np.ndarray
    before: np.ndarray
    after: np.ndarray
    ffn: PartMoved
    attention: PartMoved
    told_by: tuple[str, ...]

    @property
    def new_labels(self) -> tuple[str, ...]:
        """(L,) the labels in the new order."""
        return tuple(self.labels[old] for old in self.order)


def row_order(rows: int, seed: int) -> np.ndarray:
    """A random order of the rows, never the old one where there are two or more."""
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
    """The test on one block (Vaswani et al. 2017, section 3.3: "applied to each position separately and identically").

    numbers: of the neurons whose activations are kept. read: what the block reads, from `block_inputs`. Attention keeps
    its mask, whatever the order.
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
    """What a part (B, L, D) → (B, L, D) makes of rows (L, D) in their order, in another, and one by one."""
    read = torch.from_numpy(rows).to(like)
    with torch.inference_mode():
        first = part(read[None])[0]
        moved = part(read[order.tolist()][None])[0]
        alone = part(read[:, None])[:, 0]  # a batch of L texts of one token
    return PartMoved(
        largest_change(moved, first[order.tolist()]), largest_change(alone, first), float(first.float().abs().max())
    )
