"""Frozen records of the heads of one layer or a whole stack that the pages show."""

from dataclasses import dataclass

import numpy as np

from core.analysis.heads import HEAD_NUMBERS, HeadTable
from core.analysis.sinks import to_no_token
from core.text.labels import head_label
from core.topics.shared.labels import Labelled, cross_rows
from core.tracing.run import TokenRow

MOST_NUMBERS = 250_000
AXES = ("layer", "head")


@dataclass(frozen=True, eq=False)
class Patterns:
    """The attention weights of every head of one layer.

    pattern (H, Q, K): the weights.
    allowed (Q, K): False = hidden by the mask.
    cross: whether this is cross-attention.
    """

    queries: TokenRow
    keys: TokenRow
    pattern: np.ndarray
    allowed: np.ndarray
    cross: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the rows."""
        return cross_rows(self.queries.pieces) if self.cross else self.queries.labels

    def drawn(self, head: int) -> np.ndarray:
        """Return the weights (Q, K) of one head, with −∞ at the pairs that the mask hides."""
        return np.where(self.allowed, self.pattern[head], -np.inf)

    def to_no_token(self, head: int) -> np.ndarray:
        """Return the weight (Q,) of each query of a head that goes to its sink logit; 0 for a head without one."""
        return to_no_token(self.pattern[head].sum(-1))


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
    """The queries, keys and values of every head of one layer: q (H, Q, E), k (H, K, E), v (H, K, Ev)."""

    queries: TokenRow
    keys: TokenRow
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray

    @property
    def each(self) -> tuple[Vectors, Vectors, Vectors]:
        """The queries, keys and values, with the labels of their tokens."""
        key_labels = self.keys.labels
        return (
            Vectors("q", self.q, self.queries.labels),
            Vectors("k", self.k, key_labels),
            Vectors("v", self.v, key_labels),
        )

    def table(self, head: int) -> Labelled:
        """Return the queries, keys and values of one head below each other, (Q + 2 K, the wider E).

        Narrower rows end in NaN.
        """
        width = max(vectors.values.shape[-1] for vectors in self.each)
        parts = [vectors.values[head].astype(np.float64) for vectors in self.each]
        filled = [np.pad(x, ((0, 0), (0, width - x.shape[1])), constant_values=np.nan) for x in parts]
        rows = [f"{vectors.letter} {label}" for vectors in self.each for label in vectors.labels]
        return Labelled(np.concatenate(filled), rows, [str(column) for column in range(width)])


@dataclass(frozen=True, eq=False)
class Summand:
    """One term of a layer's written sum: the sign before it, its name, values (Q, D) and labels of rows.

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
    """The vectors that the heads of one layer add, and their sum.

    z (H, Q, Ev): each head's mix of values.
    mine (Q, D): the vectors that the chosen head adds.
    others (Q, D): the sum of those of all other heads.
    every (H, Q, D): those of each head; None if these are over 250,000 numbers.
    b_o (D,): the bias of W_O.
    attn_out (Q, D): the model's own sum.
    difference: the largest |Σ_h part_h + b_o − attn_out|, summed in float64.
    by_token (H, Q): a head's share of the norms ‖part_h‖ at one token; 0 if all parts are 0.
    share (H,): the same over the whole text.
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
        return Labelled(np.concatenate(list(self.z), axis=1), self.queries.labels, columns)

    @property
    def shares(self) -> Labelled:
        """The share of every head at each token, (H, Q)."""
        return Labelled(self.by_token, self.heads, self.queries.labels)

    def summands(self, head: int) -> list[Summand]:
        """Return the terms of the written sum: the heads, then b_O, then the output.

        If `every` is None, the heads are `head` and all others together.
        """
        if self.every is not None:
            parts = list(zip(self.heads, self.every, strict=True))
        else:
            others = [("all other heads together", self.others)] if len(self.z) > 1 else []
            parts = [(self.heads[head], self.mine), *others]
        labels = self.queries.labels
        added = [Summand("+" if number else "", *part, labels) for number, part in enumerate(parts)]
        bias = "b_O, added to every row" if self.b_o.any() else "b_O, all zeros here"
        return [*added, Summand("+", bias, self.b_o[None]), Summand("=", "attn_out", self.attn_out, labels)]


@dataclass(frozen=True, eq=False)
class Overview:
    """All layers and heads at a glance.

    thumbs (N, H, h, w): float16, the largest weight of each tile × tile cells.
    hidden (h, w): True if the mask hides all cells of a tile; it is the same in every head.
    overflow: why the last layers are missing; None if none are.
    """

    queries: TokenRow
    keys: TokenRow
    thumbs: np.ndarray
    hidden: np.ndarray
    tile: int
    overflow: str | None

    @property
    def largest_weight(self) -> float:
        """The largest weight of all, or 1 if all are 0."""
        return float(self.thumbs.max()) or 1.0

    def shades(self, limit: float = 1.0) -> np.ndarray:
        """Return the thumbnails (N, H, h, w) as uint8; 255 is a weight of `limit`."""
        return np.minimum(np.round(self.thumbs.astype(np.float32) * (255 / limit)), 255).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Behaviours:
    """The behaviour of each head of a stack, and the similarity between heads.

    alike (n, n): the similarity of the n heads in `compared`.
    compared: their (layer, head): all heads up to 63, otherwise those of one layer.
    rows: number of pattern rows on which they are compared.
    sampled: whether these are only some of the rows, evenly spaced.
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
        """Return one field of the table for every head, (N, H); NaN if a head has no such number."""
        values = self.table.column(field).filled(np.nan)
        layers, heads = (
            [f"{what} {n + 1}" for n in range(size)] for what, size in zip(AXES, values.shape, strict=True)
        )
        return Labelled(values, layers, heads)

    @property
    def every_score(self) -> Labelled:
        """All numbers of every head, (N · H, 7); NaN if a head has none."""
        columns = [self.table.column(field) for field in HEAD_NUMBERS]
        heads = [head_label(layer, head) for layer, head in np.ndindex(columns[0].shape)]
        names = [f"{name} ({unit})" for name, unit in HEAD_NUMBERS.values()]
        return Labelled(np.stack([values.filled(np.nan).ravel() for values in columns], axis=1), heads, names)


@dataclass(frozen=True, eq=False)
class Mixing:
    """One matrix per layer: the average over its heads, or attention rollout up to it.

    layers (N, Q, K): the matrices.
    allowed (Q, K): False = hidden by the mask in every layer; all True for a rollout.
    cross: whether this is cross-attention.
    """

    queries: TokenRow
    keys: TokenRow
    layers: np.ndarray
    allowed: np.ndarray
    cross: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the rows."""
        return cross_rows(self.queries.pieces) if self.cross else self.queries.labels

    def drawn(self, layer: int) -> np.ndarray:
        """Return the matrix (Q, K) of one layer, with −∞ at the pairs that the mask hides."""
        return np.where(self.allowed, self.layers[layer], -np.inf)

    def layers_at_once(self, layer: int) -> list[int]:
        """Return the layers to show side by side: all, or only `layer` if all hold over 250,000 numbers."""
        return list(range(len(self.layers))) if self.layers.size <= MOST_NUMBERS else [layer]
