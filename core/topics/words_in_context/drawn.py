"""The mix that one head made for a word, term by term."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from core.analysis.word_contexts import mix_contributions
from core.model.transformer import Transformer
from core.text.labels import are_words
from core.text.pieces import AnyTokenizer
from core.topics.self_attention.records import HeadRecord
from core.tracing.run import Run, execute, prepare


@dataclass(frozen=True, eq=False)
class DrawnContexts:
    """The sum z = Σ_j w_j v_j of one token in one head, over the K tokens that it may attend to.

    token: the label of the token whose z it is.
    labels: the labels of the K tokens.
    weights (K,): w_j.
    sizes (K,): ‖w_j v_j‖.
    shares (K,): the shares along z, which sum to 1.
    """

    token: str
    labels: tuple[str, ...]
    weights: np.ndarray
    sizes: np.ndarray
    shares: np.ndarray

    @property
    def main_token(self) -> int:
        """The number of the token with the largest share."""
        return int(self.shares.argmax())


@dataclass(frozen=True, eq=False)
class HeadSources:
    """The sources of one token's z in every head.

    shares (N, H, K): the share of each token in z.
    pieces (K,): the pieces of these tokens.
    """

    shares: np.ndarray
    pieces: tuple[str, ...]


def head_sources(model: Transformer, tokenizer: AnyTokenizer, run: Run, token: int) -> HeadSources:
    """Return the share of each token in the mix that every head of the first stack made for one token."""
    inputs, stack = prepare(run, tokenizer), run.config.stacks[0]
    keys = [(f"{stack}.{layer}.pattern", f"{stack}.{layer}.v") for layer in range(run.config.depth(stack))]
    recorded = execute(model, run, inputs, [key for both in keys for key in both])
    shares = [
        [
            _shares(recorded[pattern], recorded[values], token, head, run.config.kv_head_of(head))
            for head in range(run.config.heads)
        ]
        for pattern, values in keys
    ]
    return HeadSources(np.array(shares), inputs.rows[stack].pieces)


def telling_head(sources: Sequence[HeadSources], word: str, skip: frozenset[str]) -> tuple[int, int]:
    """Return the layer and head in whose mixes the occurrences of a word draw most clearly on other words.

    Heads are ranked by three rules in this order: the largest shares all come from words, not from marks, ends or
    pieces of words; the number of largest shares that come from another, informative word; the smallest of these
    shares.
    word: the word itself.
    skip: words that carry little meaning.
    """
    top = [source.shares.argmax(-1) for source in sources]
    worded = np.stack(
        [_is_word(source, frozenset())[strongest] for source, strongest in zip(sources, top, strict=True)]
    )
    informative = np.stack(
        [_is_word(source, skip | {word})[strongest] for source, strongest in zip(sources, top, strict=True)]
    )
    best = np.stack([source.shares.max(-1) for source in sources]).clip(max=1.0)  # above 1 the rest is negative
    least = np.where(informative, best, 1.0).min(0) * informative.any(0)
    score = (len(sources) + 1) * worded.all(0) + informative.sum(0) + least / 2
    layer, head = np.unravel_index(int(score.argmax()), score.shape)
    return int(layer), int(head)


def _shares(pattern: Tensor, values: Tensor, token: int, head: int, group: int) -> np.ndarray:
    """Return the shares (K,) of one head's z, from weights (1, H, Q, K) and values (1, G, K, Ev)."""
    weights, mixed = (tensor.float().cpu().numpy() for tensor in (pattern[0, head, token], values[0, group]))
    return mix_contributions(weights, mixed)[1]


def _is_word(source: HeadSources, but: frozenset[str]) -> np.ndarray:
    """Return which of the pieces are whole words and not in `but`, (K,)."""
    return are_words(source.pieces) & np.array([piece.casefold() not in but for piece in source.pieces])


def drawn_from(record: HeadRecord, row: int) -> DrawnContexts:
    """Return the mix of a head for the token of a row, without tokens that a mask hides from it."""
    allowed = np.flatnonzero(record.mask[row]) if record.mask[row].any() else np.arange(len(record.keys))
    weights = record.pattern[row][allowed]
    sizes, shares = mix_contributions(weights, record.v[allowed])
    labels = tuple(record.keys.labels[index] for index in allowed)
    return DrawnContexts(record.queries.labels[row], labels, weights, sizes, shares)
