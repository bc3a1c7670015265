"""What the heads of a layer, or of a whole stack, hand to a page: frozen records like those of records.py."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.heads import HeadTable
from core.explorer.shared.labels import cross_rows
from core.readings.descriptors import DESCRIPTORS
from core.readings.words import head_label
from core.tracing.run import TokenRow

MOST_NUMBERS = 250_000
Labelled = tuple[np.ndarray, Sequence[str], Sequence[str]]  # numbers (R, C), and what their rows and columns are called
AXES = ("layer", "head")


@dataclass(frozen=True, eq=False)
class Patterns:
    """The attention weights of every head of one layer: pattern (H, Q, K). allowed (Q, K): False = hidden by the mask.
    cross: of cross-attention."""

    queries: TokenRow
    keys: TokenRow
    pattern: np.ndarray
    allowed: np.ndarray
    cross: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """What the rows are called."""
        return cross_rows(self.queries.pieces) if self.cross else self.queries.labels

    def drawn(self, head: int) -> np.ndarray:
        """(Q, K) one head's weights, −∞ where the mask hides a pair."""
        return np.where(self.allowed, self.pattern[head], -np.inf)


@dataclass(frozen=True, eq=False)
class Vectors:
    """The queries, keys or values of every head of one layer: letter "q", "k" or "v", values (H, L, E) of L tokens."""

    letter: str
    values: np.ndarray
    labels: tuple[str, ...]

    @property
    def limit(self) -> float:
        """The largest |number| of all heads."""
        return float(np.abs(self.values).max())


@dataclass(frozen=True, eq=False)
class Projections:
    """What every head of one layer projects: q (H, Q, E), k (H, K, E), v (H, K, Ev)."""

    queries: TokenRow
    keys: TokenRow
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray

    @property
    def each(self) -> tuple[Vectors, Vectors, Vectors]:
        """Queries, keys and values, with the labels of their tokens."""
        asked = self.keys.labels
        return Vectors("q", self.q, self.queries.labels), Vectors("k", self.k, asked), Vectors("v", self.v, asked)

    def table(self, head: int) -> Labelled:
        """The three of one head below each other, (Q + 2 K, the wider E); the narrower ones end in NaN."""
        width = max(each.values.shape[-1] for each in self.each)
        parts = [each.values[head].astype(np.float64) for each in self.each]
        filled = [np.pad(x, ((0, 0), (0, width - x.shape[1])), constant_values=np.nan) for x in parts]
        rows = [f"{each.letter} {label}" for each in self.each for label in each.labels]
        return np.concatenate(filled), rows, [str(column) for column in range(width)]


@dataclass(frozen=True, eq=False)
class Summand:
    """One term of a layer's sum as it is written: the sign before it, its name, values (Q, D) and labels of rows.

    W_O's bias is one row (1, D) without a label.
    """

    sign: str
    name: str
    values: np.ndarray
    rows: tuple[str, ...] = ()

    @property
    def largest(self) -> float:
        """The largest |number|."""
        return float(np.abs(self.values).max())


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

    @property
    def heads(self) -> list[str]:
        return [f"head {head + 1}" for head in range(len(self.z))]

    @property
    def joined(self) -> Labelled:
        """The concatenation: z of all heads side by side, (Q, H · Ev)."""
        columns = [f"{head}, {column}" for head in self.heads for column in range(self.z.shape[-1])]
        return np.concatenate(list(self.z), axis=1), self.queries.labels, columns

    @property
    def shares(self) -> Labelled:
        """Every head's share of each token, (H, Q)."""
        return self.by_token, self.heads, self.queries.labels

    def summands(self, head: int) -> list[Summand]:
        """The sum as it is written: each head, or this one and the others together, then b_O, then the output."""
        if self.every is not None:
            parts = list(zip(self.heads, self.every, strict=True))
        else:
            others = [("all other heads together", self.others)] if len(self.z) > 1 else []
            parts = [(self.heads[head], self.mine), *others]
        labels = self.queries.labels
        added = [Summand("+" if place else "", *part, labels) for place, part in enumerate(parts)]
        bias = "b_O, added to every row" if self.b_o.any() else "b_O, all zeros here"
        return [*added, Summand("+", bias, self.b_o[None]), Summand("=", "attn_out", self.attn_out, labels)]


@dataclass(frozen=True, eq=False)
class Overview:
    """All layers and heads at a glance: thumbs (N, H, h, w) float16, the largest weight of each tile × tile cells.

    hidden: (h, w) True where the mask hides all cells of a tile, as it does in every head. overflow: why the last
    layers are missing, where they are.
    """

    queries: TokenRow
    keys: TokenRow
    thumbs: np.ndarray
    hidden: np.ndarray
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

    @property
    def names(self) -> list[str]:
        """The compared heads: "1·3" is head 3 of layer 1."""
        return [f"{layer + 1}·{head + 1}" for layer, head in self.compared]

    def scores(self, field: str) -> Labelled:
        """One number of every head, (N, H), by its field in the table; NaN where a head has none."""
        values = self.table.column(field).filled(np.nan)
        layers, heads = (
            [f"{what} {n + 1}" for n in range(size)] for what, size in zip(AXES, values.shape, strict=True)
        )
        return values, layers, heads

    @property
    def every_score(self) -> Labelled:
        """All numbers of every head, (N · H, 7); NaN where a head has none."""
        columns = [self.table.column(each.field) for each in DESCRIPTORS]
        heads = [head_label(layer, head) for layer, head in np.ndindex(columns[0].shape)]
        names = [f"{each.name} ({each.unit})" for each in DESCRIPTORS]
        return np.stack([values.filled(np.nan).ravel() for values in columns], axis=1), heads, names


@dataclass(frozen=True, eq=False)
class Mixing:
    """One matrix per layer, layers (N, Q, K): the average over its heads, or attention rollout up to it.

    allowed (Q, K): False = hidden by the mask in every layer; a rollout has none. cross: of cross-attention.
    """

    queries: TokenRow
    keys: TokenRow
    layers: np.ndarray
    allowed: np.ndarray
    cross: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """What the rows are called."""
        return cross_rows(self.queries.pieces) if self.cross else self.queries.labels

    def drawn(self, layer: int) -> np.ndarray:
        """(Q, K) the matrix of one layer, −∞ where the mask hides a pair."""
        return np.where(self.allowed, self.layers[layer], -np.inf)

    def layers_at_once(self, layer: int) -> list[int]:
        """The layers that can be shown side by side: all, or this one where they hold over 250,000 numbers."""
        return list(range(len(self.layers))) if self.layers.size <= MOST_NUMBERS else [layer]
