"""Frozen records of text generation for the pages, without tensors.

Axes: N layers, H heads, K keys, L tokens, S source tokens, V vocabulary. Pieces are shown as on every screen.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from core.topics.shared.labels import Labelled, NamedColumns, numbered_pieces
from core.tracing.edits import Edit


@dataclass(frozen=True)
class Intervention:
    """The changes that a visitor forces on a model while it generates text.

    edits: edits of activations; an edit of a row that is not written yet is not applied yet.
    hidden: source tokens to which no token may attend.
    """

    edits: tuple[Edit, ...] = ()
    hidden: tuple[int, ...] = ()


NO_INTERVENTION = Intervention()


@dataclass(frozen=True, eq=False)
class StageRecord:
    """The vocabulary after one filter.

    name: the filter's stage.
    logits (V,): float32, −∞ for removed tokens.
    kept: number of tokens that are left.
    """

    name: str
    logits: np.ndarray
    kept: int

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The softmax (V,) of the logits."""
        powers = np.exp(self.logits - self.logits.max(), dtype=np.float64)
        return (powers / powers.sum()).astype(np.float32)


@dataclass(frozen=True)
class Candidate:
    """A token that could come next.

    probability: its probability after all filters.
    own: its probability by the model itself, before any filter.
    """

    id: int
    piece: str
    probability: float
    own: float


@dataclass(frozen=True)
class GeneratedToken:
    """One token of a generated text.

    chosen: its id.
    probability: its probability after all filters.
    own: its probability in the model's own softmax, before any filter.
    draw: the number in [0, 1) that picked it; None if nothing was drawn.
    forced: whether the visitor forced it.
    entropy: the entropy of the model's own distribution, in bits.
    surprisal: the surprisal of the chosen token in that distribution, in bits.
    ended: whether nothing comes after it.
    """

    chosen: int
    piece: str
    probability: float
    own: float
    draw: float | None
    forced: bool
    entropy: float
    surprisal: float
    ended: bool


@dataclass(frozen=True, eq=False)
class GenerationStep(GeneratedToken):
    """The choice of one token of a text.

    number: the number of the token, 0 for the first one that is written.
    ids, pieces: the tokens that the decoder had read.
    stages: the vocabulary after each stage of `core.decoding.sampling`.
    likely: the 50 likeliest ids with their labels, by falling probability after all filters and then by the model's
        own.
    """

    number: int
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    stages: tuple[StageRecord, ...]
    likely: tuple[tuple[int, str], ...]

    def likeliest(self, count: int = 10) -> tuple[Candidate, ...]:
        """Return the tokens that were likeliest to be chosen; those that the filters removed come last."""
        after, before = self.stages[-1].probabilities, self.stages[0].probabilities
        return tuple(Candidate(i, piece, float(after[i]), float(before[i])) for i, piece in self.likely[:count])

    def likeliest_unfiltered(self) -> list[Candidate]:
        """Return the ten likeliest tokens by the model's own probability, which replaces the one after all filters."""
        likely = (
            Candidate(candidate.id, candidate.piece, candidate.own, candidate.own) for candidate in self.likeliest(11)
        )
        return sorted(likely, key=lambda candidate: -candidate.own)[:10]

    @property
    def table(self) -> Labelled:
        """The numbers of the 50 likeliest tokens, (50, 3)."""
        candidates, logits = self.likeliest(len(self.likely)), self.stages[0].logits
        numbers = np.array([[logits[candidate.id], candidate.own, candidate.probability] for candidate in candidates])
        return Labelled(
            numbers,
            [f"{candidate.id}:{candidate.piece}" for candidate in candidates],
            ("logit", "own chance", "chance at the draw"),
        )


@dataclass(frozen=True, eq=False)
class Look:
    """The attention of the last token of a text, in every layer and head.

    self_pattern (N, H, K): its weights over the pieces of the text.
    cross_pattern (N, H, S): its weights over the source; None if the model has no cross-attention.
    """

    pieces: tuple[str, ...]
    source_pieces: tuple[str, ...]
    self_pattern: np.ndarray
    cross_pattern: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Attentions:
    """Every attention pattern over one text.

    words, source_words: the number of each token's word.
    word_labels, source_word_labels: the labels of these words.
    decoder (N, H, L, L): the patterns of the decoder's self-attention.
    encoder (N, H, S, S), cross (N, H, L, S): those of the encoder and of cross-attention; None if the model has none.
    """

    pieces: tuple[str, ...]
    source_pieces: tuple[str, ...]
    words: tuple[int, ...]
    word_labels: tuple[str, ...]
    source_words: tuple[int, ...]
    source_word_labels: tuple[str, ...]
    decoder: np.ndarray
    encoder: np.ndarray | None
    cross: np.ndarray | None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the tokens, (L,)."""
        return numbered_pieces(self.pieces)

    @property
    def newest_rows(self) -> Labelled:
        """The attention of the last token in the decoder's text, head by head, (N · H, L)."""
        layers, heads, *_ = self.decoder.shape
        names = [f"L{layer} H{head}" for layer in range(1, layers + 1) for head in range(1, heads + 1)]
        return Labelled(self.decoder[:, :, -1].reshape(layers * heads, -1), names, self.labels)


@dataclass(frozen=True, eq=False)
class Lens:
    """The next piece that each layer predicts: row 0 from the embedding, row n from the stream after layer n.

    best (N + 1, L): the likeliest next piece.
    probability (N + 1, L): the probability of that piece.
    chosen (N + 1, L): the probability of the token that really came next; NaN after the last token if nothing came.
    """

    pieces: tuple[str, ...]
    best: tuple[tuple[str, ...], ...]
    probability: np.ndarray
    chosen: np.ndarray


@dataclass(frozen=True)
class Sample:
    """One of several texts that were drawn with one seed.

    log_probability: the sum of the tokens' log-probabilities by the model itself, before any filter, in nats.
    ended: whether its last token is </s>.
    """

    text: str
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    log_probability: float
    ended: bool


@dataclass(frozen=True)
class ScoredToken:
    """A given token with its probability, its rank (1 is the likeliest), and the model's likeliest token."""

    id: int
    piece: str
    probability: float
    rank: int
    best: str
    best_probability: float

    @property
    def surprisal(self) -> float:
        """The surprisal in bits."""
        return float(-np.log2(max(self.probability, 1e-45)))


@dataclass(frozen=True)
class BeamNode:
    """One token of the tree of a beam search; see `core.decoding.beam.Node`."""

    index: int
    parent: int | None
    step: int
    id: int
    piece: str
    log_probability: float
    total: float
    score: float
    fate: str

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)


@dataclass(frozen=True)
class BeamText:
    """A text that a beam search found.

    path: the indices of its nodes.
    log_probability: the log-probability in nats.
    score: the number by which texts are ranked.
    cut: whether it reached the limit before its end.
    """

    text: str
    path: tuple[int, ...]
    log_probability: float
    score: float
    cut: bool


@dataclass(frozen=True)
class BeamTree:
    """The nodes of a beam search in the order in which they were found, and the texts, best first."""

    nodes: tuple[BeamNode, ...]
    hypotheses: tuple[BeamText, ...]

    @property
    def drawn(self) -> list[dict[str, Any]]:
        """The nodes for the chart: each as its fields by name, with its probability added under the name "chance"."""
        return [vars(node) | {"chance": node.probability} for node in self.nodes]

    @property
    def table(self) -> NamedColumns:
        """The texts, with their numbers."""
        return {
            "text": [hypothesis.text for hypothesis in self.hypotheses],
            "tokens": [len(hypothesis.path) for hypothesis in self.hypotheses],
            "log probability": [round(hypothesis.log_probability, 4) for hypothesis in self.hypotheses],
            "score": [round(hypothesis.score, 4) for hypothesis in self.hypotheses],
            "ends": ["cut at the limit" if hypothesis.cut else "with (end)" for hypothesis in self.hypotheses],
        }
