"""The scores of heads that are averaged over many texts, computed for one of them."""

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.head_names import Scores, name_scores
from core.analysis.heads import entropy, next_token_score, row_mean

# The fewest keys of a query whose weights count as links: with one or two keys, every weight is large.
MIN_KEYS = 4


def corpus_scores(
    patterns: np.ndarray, allowed: np.ndarray, ids: Sequence[int] | None, marks: np.ndarray
) -> Mapping[str, np.ma.MaskedArray]:
    """Return every score (N, H) of the heads on one text: patterns (N, H, Q, K), allowed (Q, K).

    They are the scores of `name_scores`, the weight on the next token, the weight on punctuation marks, and the entropy
    in bits.

    ids: the ids of the text, if it attends to itself; None for cross-attention.
    marks: (K,) booleans, whether each key is a punctuation mark; without any, that score is masked.
    """
    scores: dict[str, np.ma.MaskedArray] = dict(name_scores(patterns, allowed, ids))
    if ids is not None:
        scores["next_token"] = next_token_score(patterns)
    return scores | {"mark": mark_share(patterns, marks), "entropy": row_mean(patterns, entropy(patterns))}


def is_punctuation(piece: str) -> bool:
    """Return whether a piece, as shown, consists of punctuation marks alone."""
    return all(unicodedata.category(character)[0] == "P" for character in piece)


def mark_share(pattern: np.ndarray, marks: np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight on punctuation marks: (...), masked for a text without any."""
    share = row_mean(pattern, np.asarray(pattern, np.float64)[..., marks].sum(-1))
    return share if marks.any() else np.ma.masked_all_like(share)


def strongest_link(patterns: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the query, the key and the weight of each head's largest weight, all (N, H): patterns (N, H, Q, K).

    Only queries that may attend to at least MIN_KEYS keys count. The weight is 0 if there is none.
    """
    counted = np.where(allowed.sum(-1)[:, None] >= MIN_KEYS, patterns, 0.0)
    flat = counted.reshape(*patterns.shape[:2], -1)
    most = flat.argmax(-1)
    query, key = np.divmod(most, patterns.shape[-1])
    return query, key, np.take_along_axis(flat, most[..., None], -1)[..., 0]


def named_scores(scores: Mapping[str, np.ma.MaskedArray]) -> Scores:
    """Return the scores that can give a head its name: all but the entropy, which is no share."""
    return {kind: values for kind, values in scores.items() if kind != "entropy"}
