"""Token and position in one vector: the four terms of a score, and the angles between the two kinds of vector."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention
from core.model.config import TransformerConfig
from core.model.scores import General
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.positions.analysis.orthogonality import Histogram, histogram
from core.topics.positions.encodings import ADDED, NO_CROSS, Encoding, encode, own_table
from core.topics.shared.labels import Labelled
from core.topics.shared.loading import up_to
from core.topics.shared.places import HeadAddress, attention_module, head_projection, to_numpy, token_rows
from core.tracing.run import Run, execute, prepare

TERMS = ("token · token", "token · position", "position · token", "position · position", "biases")


@dataclass(frozen=True)
class Terms:
    """The scores of one head of the first layer, before scaling, split into terms.

    values (5, L, L): the terms of `TERMS`, which add up to raw, up to rounding.
    raw (L, L): the scores that the model itself computed.
    off: the largest difference between the sum of the terms and raw.
    sizes (5,): the root of the mean square of each term.
    """

    labels: tuple[str, ...]
    values: np.ndarray
    raw: np.ndarray
    off: float
    sizes: np.ndarray

    @property
    def present(self) -> list[int]:
        """The numbers of the terms that exist: the biases are left out if they are 0 throughout."""
        return [number for number in range(len(TERMS)) if number < 4 or self.sizes[number] > 0]

    @property
    def limit(self) -> float:
        """The largest absolute value in all terms."""
        return float(np.abs(self.values).max())

    @property
    def shares(self) -> np.ndarray:
        """The share of each of the first four terms in the sum of their squares, (4,)."""
        squares = self.sizes[:4] ** 2
        return squares / (squares.sum() or 1)

    @property
    def table(self) -> Labelled:
        """The sizes, above each of the first four's share of the sum of their squares, (2, 5)."""
        shares = np.append(self.shares, np.nan)
        return Labelled(np.stack([self.sizes, shares]), ("size (root mean square)", "share of the four squares"), TERMS)

    def corner(self, max_tokens: int) -> "Terms":
        """Return a copy with the matrices of the first `max_tokens` tokens; `sizes` are still those of all tokens."""
        part = slice(max_tokens)
        return replace(self, labels=self.labels[part], values=self.values[:, part, part], raw=self.raw[part, part])


@dataclass(frozen=True)
class Angles:
    """Cosines between every token vector and every position vector of a model.

    own: whether the model adds these positions; if not, they are sinusoids of its width, which it never saw.
    pieces, positions: the number of token and position vectors compared.
    width: their width.
    mean, variance, largest: the statistics of the cosines; the largest in absolute value.
    token_norm, position_norm: the mean lengths of the vectors, with tokens as they enter the stream.
    """

    own: bool
    pieces: int
    positions: int
    width: int
    mean: float
    variance: float
    largest: float
    token_norm: float
    position_norm: float
    histogram: Histogram


def terms(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Terms:
    """Split the scores of one head of the first layer, (e_i + p_i) W_Q · (e_j + p_j) W_K, into their terms.

    In pre-norm models there is a norm before the projections. With its divisor taken as it is for this sum, the norm is
    linear, so the sum still splits. The contribution of the biases is one more term.

    place: the head; its layer is ignored.

    Raises ValueError if the scores are no such sum.
    """
    if reason := why_no_terms(run, place):
        raise ValueError(reason)
    config = run.config
    first = HeadAddress(place.stack, 0, place.head)
    model, run = up_to(model, run, first)
    inputs = prepare(run, tokenizer)
    keys = [f"{place.stack}.embed", f"{place.stack}.pos", f"{first.prefix}raw_scores"]
    activations = execute(model, run, inputs, keys)
    e, p = (activations[key][0].double() for key in keys[:2])  # (L, D)
    attn = attention_module(model, first)
    block = getattr(model, place.stack)[0]
    with torch.inference_mode():
        parts = _normed(block.norm_attn if config.norm_position == "pre" else None, e, p)
        q, k = (_projected(attn, name, place.head, parts) for name in ("q", "k"))
        values = _multiplied(q, k)
    raw = to_numpy(activations[keys[2]][0, place.head])
    summands = to_numpy(values)
    return Terms(
        token_rows(inputs, first)[0].labels,
        summands,
        raw,
        float(np.abs(summands.sum(0, dtype=np.float64) - raw).max()),
        np.sqrt((summands.astype(np.float64) ** 2).mean((1, 2))),
    )


def why_no_terms(run: Run, place: HeadAddress) -> str:
    """Return the reason why the scores of this attention are not a sum of four terms, "" if they are."""
    kind = run.config.positions
    if place.cross:
        return NO_CROSS
    if kind not in ADDED:
        how = "has no positions" if kind == "none" else f"has {kind} positions, which are not added to its tokens"
        return f"This model {how}, so there is no such sum in it."
    if run.config.qk_norm:
        return "This model normalises queries and keys, so its scores are no such sum."
    if run.config.embedding_norm or run.config.token_types:
        return "This model does more with its tokens than to add positions, so its scores are no such sum."
    if run.config.score == "additive":
        return "The additive score is no dot product: the sum passes through tanh and does not split."
    return ""


def angles(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Angles:
    """Return the cosines of every piece of the vocabulary with every position, from one matrix product."""
    config = run.config
    table, length = own_table(model, config.max_length), config.max_length
    positions = encode(Encoding("sinusoidal", length, config.d_model)) if table is None else table
    tokens = to_numpy(model.embed.weight) * (config.d_model**0.5 if config.scale_embeddings else 1.0)
    norms = [np.linalg.norm(x, axis=1) for x in (tokens, positions)]
    some, others = (x[n > 0] / n[n > 0, None] for x, n in zip((tokens, positions), norms, strict=True))
    cosines = some @ others.T
    return Angles(
        table is not None,
        len(some),
        len(others),
        config.d_model,
        float(cosines.mean(dtype=np.float64)),
        float(cosines.var(dtype=np.float64)),
        float(np.abs(cosines).max()),
        float(norms[0].mean()),
        float(norms[1].mean()),
        histogram(cosines, config.d_model),
    )


def input_weights(config_width: int, position_width: int, out: int) -> tuple[int, int]:
    """Return the number of weights of projections with `out` columns in all, with positions added and concatenated.

    config_width, position_width: the widths of a token's and of a position's vector.
    """
    return config_width * out, (config_width + position_width) * out


def layer_weights(config: TransformerConfig) -> tuple[int, int]:
    """Return the number of weights of W_Q, W_K and W_V in one layer, with positions added and concatenated.

    The concatenated position has as many numbers as the token.
    """
    out = config.heads * (2 * config.key_width + config.value_width)
    return input_weights(config.d_model, config.d_model, out)


def _normed(norm: nn.Module | None, e: Tensor, p: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the contributions of token, position and neither to the projections' input; they add up to norm(e + p)."""
    none = torch.zeros_like(e)
    if norm is None:
        return e, p, none
    assert isinstance(norm, nn.LayerNorm | nn.RMSNorm)
    gain = norm.weight.double()
    if isinstance(norm, nn.LayerNorm):
        e, p = e - e.mean(-1, keepdim=True), p - p.mean(-1, keepdim=True)
        none = none if norm.bias is None else norm.bias.double().expand_as(e)
    divisor = ((e + p).square().mean(-1, keepdim=True) + (norm.eps or 0.0)).sqrt()
    return e / divisor * gain, p / divisor * gain, none


def _projected(
    attn: MultiHeadAttention, name: str, head: int, parts: tuple[Tensor, Tensor, Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """Multiply the contributions of token, position and neither by W_Q or W_K of one head; return three (L, E).

    name: "q" for W_Q, "k" for W_K.
    parts: the contributions to the input of the projection, (L, D) each, from `_normed`.

    The bias of the projection, if there is one, is added to the third.
    """
    weight, bias = (parameter.double() for parameter in head_projection(attn, name, head))
    last = torch.eye(weight.shape[1]).to(weight)
    if name == "q" and isinstance(attn.score, General):
        last = attn.score.weight[head].double()
    e, p, rest = parts
    return e @ weight @ last, p @ weight @ last, (rest @ weight + bias) @ last


def _multiplied(q: tuple[Tensor, Tensor, Tensor], k: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Return the terms of `TERMS`, (5, L, L)."""
    four = [left @ right.T for left in q[:2] for right in k[:2]]
    rest = (q[0] + q[1] + q[2]) @ k[2].T + q[2] @ (k[0] + k[1]).T
    return torch.stack([*four, rest])
