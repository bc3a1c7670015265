"""What a head looks for: the pieces whose keys would fit one of its queries best, and how that changes with distance.

Elhage et al. 2021, "A mathematical framework for transformer circuits": the QK circuit.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.scores import General
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import exact, normed
from core.topics.circuits.edges import ADDITIVE_SCORES, as_dot
from core.topics.circuits.head_words import SHOWN_WORDS
from core.topics.shared.places import HeadAddress, attention_module, head_projection
from core.tracing.run import Run, execute, prepare


@dataclass(frozen=True, eq=False)
class LookedFor:
    """The pieces that would fit a query of one head best, if they stood at the query's own place.

    labels: of the text's tokens.
    weights (K,): the head's attention weights at the query.
    here: the labels of the pieces that fit the query of this text, the best first.
    here_by (W,): their scores, less the mean score of all pieces, `here_mean`.
    bare, bare_by: the same for a query that is made from the token's embedding alone.
    looked_at: the token that the query gives most weight.
    by_distance (L,): the score that its key would have 0, 1, 2, … tokens before the query; None if the model's
        positions do not act inside attention, or its scores depend on more than the distance.
    """

    labels: tuple[str, ...]
    weights: np.ndarray
    here: tuple[str, ...]
    here_by: np.ndarray
    here_mean: float
    bare: tuple[str, ...]
    bare_by: np.ndarray
    looked_at: int
    by_distance: np.ndarray | None

    @property
    def distance_range(self) -> float:
        """How far the scores over the distances lie apart; 0 if distance does not act on scores."""
        return 0.0 if self.by_distance is None else float(np.ptp(self.by_distance))

    @property
    def for_place(self) -> bool:
        """Whether distance changes the score by more than the best piece lies above the mean of all."""
        return self.distance_range > float(self.here_by[0])


def looked_for(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, token: int) -> LookedFor:
    """Return the pieces that one query of a self-attention head would give the highest scores.

    The keys are made from the pieces' embeddings alone; what a token has taken in from others on its way to a later
    layer is not in them.

    Raises ValueError for cross-attention, for additive scores, and for a token that the text does not have.
    """
    if place.cross:
        raise ValueError("The keys of cross-attention are made from the encoder's output, not from single pieces.")
    if run.config.score == "additive":
        raise ValueError(ADDITIVE_SCORES)
    inputs = prepare(run, tokenizer)
    row = inputs.rows[place.stack]
    if not 0 <= token < len(row):
        raise ValueError(f"There is no token {token}: the text has {len(row)}, counted from 0.")
    keys = [place.prefix + site for site in ("q", "k", "pattern")]
    found = execute(model, run, inputs, keys)
    q = exact(found[keys[0]][0, place.head, token])  # (E,)
    k = exact(found[keys[1]][0, run.config.kv_head_of(place.head)])  # (K, E)
    weights = exact(found[keys[2]][0, place.head, token])
    looked_at = int(weights.argmax())
    bare = _from_embeddings(model, place, "q", torch.tensor([row.ids[token]]))[0]
    pieces = _from_embeddings(model, place, "k", torch.arange(run.config.vocab_size))  # (V, E)
    fits = [_scores(model, place, query, pieces) for query in (q, bare)]  # (V,)
    best = [scores.topk(min(SHOWN_WORDS, len(scores))).indices for scores in fits]
    return LookedFor(
        row.labels,
        weights.numpy(),
        tokenizer.labels(best[0].tolist()),
        (fits[0][best[0]] - fits[0].mean()).numpy(),
        float(fits[0].mean()),
        tokenizer.labels(best[1].tolist()),
        (fits[1][best[1]] - fits[1].mean()).numpy(),
        looked_at,
        _by_distance(model, place, q, k[looked_at], len(row)),
    )


def _from_embeddings(model: Transformer, place: HeadAddress, letter: str, ids: Tensor) -> Tensor:
    """Return queries or keys (V, E), before their norm and rotation, that a head makes of bare embeddings."""
    x = exact(model.embed.weight[ids])
    x = x * model.config.d_model**0.5 if model.config.scale_embeddings else x
    x = normed(model.embed_norm, x)
    if model.config.norm_position == "pre":
        x = normed(getattr(model, place.stack)[place.layer].norm_attn, x)
    weight, bias = head_projection(attention_module(model, place), letter, place.head)
    return x @ exact(weight) + exact(bias)


def _scores(model: Transformer, place: HeadAddress, query: Tensor, keys: Tensor) -> Tensor:
    """Return the scores (V,) of a query (E,) with keys (V, E) at its own place, where no rotation is between them."""
    attn = attention_module(model, place)
    query = query if attn.q_norm is None else normed(attn.q_norm, query)
    keys = keys if attn.k_norm is None else normed(attn.k_norm, keys)
    return keys @ as_dot(attn, query[None], "q", place.head)[0] * attn.score.scale


def _by_distance(model: Transformer, place: HeadAddress, query: Tensor, key: Tensor, length: int) -> np.ndarray | None:
    """Return the scores (length,) of a query (E,) with a key (E,) that stands 0, 1, 2, … tokens before it."""
    attn = attention_module(model, place)
    q, k = query.expand(1, 1, length, -1), key.expand(1, 1, length, -1)
    inner = model.inner_positions(place.stack, 0, length, q)
    if (inner.turns is None and inner.bias is None) or isinstance(attn.score, General):
        return None
    q = q if attn.q_norm is None else normed(attn.q_norm, q)
    k = k if attn.k_norm is None else normed(attn.k_norm, k)
    if inner.turns is not None:
        q, k = (attn.turn(x, *inner.turns) for x in (q, k))
    scores = q[:, :, -1:] @ k.transpose(-2, -1) * attn.score.scale
    biased = scores[0, 0, 0] if inner.bias is None else scores[0, 0, 0] + exact(inner.bias)[place.head, -1]
    return biased.flip(0).numpy()
