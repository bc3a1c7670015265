"""What the heads of a layer, or of a whole stack, hand to a page: frozen records like those of records.py."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.analysis.heads import HeadTable
from core.analysis.select import largest
from core.tracing.run import TokenRow

MOST_NUMBERS = 250_000


@dataclass(frozen=True, eq=False)
class Patterns:
    """The attention weights of every head of one layer: pattern (H, Q, K)."""

    queries: TokenRow
    keys: TokenRow
    pattern: np.ndarray


@dataclass(frozen=True, eq=False)
class Projections:
    """What every head of one layer projects: q (H, Q, E), k (H, K, E), v (H, K, Ev)."""

    queries: TokenRow
    keys: TokenRow
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray


@dataclass(frozen=True, eq=False)
class Contributions:
    """How the heads of one layer add up.

    z (H, Q, Ev); mine (Q, D) what the head at hand adds, others (Q, D) what the rest add together, b_o (D,), and
    attn_out (Q, D), the model's own sum; every (H, Q, D) each head's part, None where that is over 250,000 numbers.
    difference: the largest |Σ_h part_h + b_o − attn_out|, summed in float64. by_token (H, Q): a head's share of the
    lengths ‖part_h‖ of one token's parts, 0 where all parts are 0; share (H,): the same of the whole text's.
    """

    queries: TokenRow
    z: np.ndarray
    mine: np.ndarray
    others: np.ndarray
    every: np.ndarray | None
    b_o: np.ndarray
    attn_out: np.ndarray
    difference: float
    by_token: np.ndarray
    share: np.ndarray


@dataclass(frozen=True, eq=False)
class Overview:
    """All layers and heads at a glance: thumbs (N, H, h, w) float16, the largest weight of each tile × tile cells.

    overflow: why the last layers are missing, where they are.
    """

    queries: TokenRow
    keys: TokenRow
    thumbs: np.ndarray
    tile: int
    overflow: str | None

    @property
    def most(self) -> float:
        """The largest weight of all, or 1 where all are 0."""
        return float(self.thumbs.max()) or 1.0

    def shades(self, limit: float = 1.0) -> np.ndarray:
        """(N, H, h, w) uint8: 255 is a weight of `limit`."""
        return np.minimum(np.round(self.thumbs.astype(np.float32) * (255 / limit)), 255).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Behaviours:
    """What each head of a stack does, and how alike heads are.

    alike (n, n) compares the n heads named (layer, head) by `compared`: all of them up to 63, else one layer's; by
    `rows` of their patterns' rows, evenly spaced where `sampled`.
    """

    queries: TokenRow
    keys: TokenRow
    table: HeadTable
    compared: tuple[tuple[int, int], ...]
    alike: np.ndarray
    rows: int
    sampled: bool


@dataclass(frozen=True, eq=False)
class Mixing:
    """One matrix per layer, layers (N, Q, K): the average over its heads, or attention rollout up to it."""

    queries: TokenRow
    keys: TokenRow
    layers: np.ndarray


@dataclass(frozen=True, eq=False)
class StackChange:
    """What an edit moves in one stack, padding left out.

    labels: the L tokens of its text. per_layer (N,): ‖Δ resid_post‖ / ‖resid_post‖ after each layer. per_token (L,):
    the same in the stack's output, token by token.
    """

    stack: str
    labels: tuple[str, ...]
    per_layer: np.ndarray
    per_token: np.ndarray


@dataclass(frozen=True, eq=False)
class Changes:
    """Sizes of change, 0 or more: values (n,) of n layers or tokens, with a label each."""

    values: np.ndarray
    labels: tuple[str, ...]

    def largest(self, count: int) -> "Changes":
        """The `count` largest, in the order of the text."""
        chosen = largest(self.values, count)
        return Changes(self.values[chosen], tuple(self.labels[place] for place in chosen))


@dataclass(frozen=True, eq=False)
class Ablation:
    """What silencing heads changes, against the same run without; padding is left out.

    stacks: the edited one, and the decoder behind an edited encoder. per_head: for each attention that there is in
    these stacks ("encoder", "decoder", "cross") the mean total variation between the heads' patterns, from 0 to 1
    (N, H), masked where the edits come too late to reach them. surprise (L,): KL(before ‖ after) of the decoder's
    next-token distribution in bits, None without a decoder. next_pieces: the likeliest pieces after the decoder's
    last token, with their probability before and after.
    """

    stacks: tuple[StackChange, ...]
    per_head: Mapping[str, np.ma.MaskedArray]
    surprise: np.ndarray | None
    next_pieces: tuple[tuple[str, float, float], ...]

    @property
    def layers(self) -> Changes:
        """What moved after each layer of every stack."""
        labels = (f"{self._of(each)}layer {n + 1}" for each in self.stacks for n in range(len(each.per_layer)))
        return Changes(np.concatenate([each.per_layer for each in self.stacks]), tuple(labels))

    @property
    def tokens(self) -> Changes:
        """What moved in the output of every stack, token by token."""
        labels = (f"{self._of(each)}{label}" for each in self.stacks for label in each.labels)
        return Changes(np.concatenate([each.per_token for each in self.stacks]), tuple(labels))

    @property
    def guesses(self) -> Changes | None:
        """What moved in the decoder's guess of each next token, in bits; None without a decoder."""
        return None if self.surprise is None else Changes(self.surprise, self.stacks[-1].labels)

    def _of(self, change: StackChange) -> str:
        return f"{change.stack} " if len(self.stacks) > 1 else ""
