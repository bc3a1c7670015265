"""The directions along which a head reads and writes, and how much of its map each of them is.

A head has two maps of vectors of the residual stream: QK, from a query's vector and a key's vector to a score, and OV,
from the vector that it looks at to the one that it writes. Each is a matrix of size D × D with at most d_head singular
values that are not 0. Millidge and Black 2022, "The singular value decompositions of transformer weight matrices are
highly interpretable"; the maps are of Elhage et al. 2021, "A mathematical framework for transformer circuits".
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.layers import MaskedWordHead
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import exact, normed
from core.topics.circuits.edges import ADDITIVE_SCORES, as_dot
from core.topics.shared.places import HeadAddress, attention_module, head_projection
from core.tracing.run import Run

QK, OV = "QK", "OV"
END_WORDS = 5  # pieces at each end of a direction
RANDOM_SEED = 0
CROSSED = "The keys and values of cross-attention come from the encoder's output, not from single pieces."
NORMED = "This model divides queries and keys by their length, so no single matrix leads from keys to queries."
NOT_LINEAR = "Between this model's heads and its words stands a layer that is not linear."


@dataclass(frozen=True, eq=False)
class Ends:
    """The pieces at the two ends of a direction.

    high, low: their labels, the outermost first. high_by, low_by (W,): their products with the direction, less the mean
    over all pieces.
    """

    high: tuple[str, ...]
    high_by: np.ndarray
    low: tuple[str, ...]
    low_by: np.ndarray


@dataclass(frozen=True, eq=False)
class Directions:
    """The directions of one map of a head, the strongest first.

    shares (R,): the square of each singular value, as a share of the sum of all squares.
    random_share: the share of the strongest direction if the same matrices hold random numbers.
    inside, outside: the pieces at the ends of one direction: for OV the pieces that the head reads there and those for
        which it then speaks; for QK the pieces whose keys fit there and the pieces whose queries look for them. The
        high ends go together, and so do the low ends. At the high ends the product of the two first pieces is larger.
    """

    shares: np.ndarray
    random_share: float
    inside: Ends
    outside: Ends


def directions(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, circuit: str, number: int
) -> Directions:
    """Return the directions of a head's QK or OV map, and the pieces at the ends of one of them.

    circuit: `QK` or `OV`. number: of the direction, from 0; one beyond the last means the last.

    Pieces are read as the layer's norm makes them from their embeddings alone. Scores are those without a rotation
    between query and key, as at the query's own place.

    Raises ValueError for cross-attention; in QK for additive scores and for models that norm queries and keys; in OV
    for models whose output layer is not linear.
    """
    if place.cross:
        raise ValueError(CROSSED)
    first, second = _factors(model, run, place, circuit)  # (D, E) each
    left, values, right = _svd(first, second)  # (D, R), (R,), (D, R)
    number = min(number, len(values) - 1)
    squares = values.square()
    drawn = torch.Generator().manual_seed(RANDOM_SEED)
    random = _svd(*(torch.randn(x.shape, generator=drawn, dtype=x.dtype) for x in (first, second)))[1].square()
    pieces = _read(model, place)  # (V, D)
    inside = pieces @ right[:, number]
    outside = pieces @ left[:, number] if circuit == QK else _written(model, place.stack, left[:, number])
    inside, outside = (products - products.mean() for products in (inside, outside))
    if inside.max() * outside.max() < inside.min() * outside.min():  # which end is called high is free
        inside, outside = -inside, -outside
    return Directions(
        (squares / squares.sum().clamp(min=1e-300)).numpy(),
        float(random[0] / random.sum()),
        _ends(tokenizer, inside),
        _ends(tokenizer, outside),
    )


def strongest_shares(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, circuit: str) -> np.ndarray:
    """Return what share of each self-attention head's map its strongest direction is, (N, H).

    Raises ValueError as `directions` does.
    """
    shares = np.zeros((run.config.depth(stack), run.config.heads))
    for layer, head in np.ndindex(*shares.shape):
        squares = _svd(*_factors(model, run, HeadAddress(stack, layer, head), circuit))[1].square()
        shares[layer, head] = squares[0] / squares.sum().clamp(min=1e-300)
    return shares


def _factors(model: Transformer, run: Run, place: HeadAddress, circuit: str) -> tuple[Tensor, Tensor]:
    """Return two matrices A and B, (D, E) each, of which the head's map is A Bᵀ.

    It leads from keys to queries, or from what is read to what is written.
    """
    attn = attention_module(model, place)
    if circuit == OV:
        if isinstance(model.masked_head, MaskedWordHead):
            raise ValueError(NOT_LINEAR)
        w_o = exact(attn.w_o.weight).unflatten(1, (run.config.heads, -1))[:, place.head]  # (D, E)
        return w_o, exact(head_projection(attn, "v", place.head)[0])
    if run.config.score == "additive":
        raise ValueError(ADDITIVE_SCORES)
    if attn.q_norm is not None or attn.k_norm is not None:
        raise ValueError(NORMED)
    w_q, w_k = (exact(head_projection(attn, letter, place.head)[0]) for letter in "qk")
    return as_dot(attn, w_q, "q", place.head), w_k


def _svd(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the singular vectors and values of A Bᵀ, of which A and B are (D, E): (D, R), (R,), (D, R)."""
    left, upper = torch.linalg.qr(first)
    right, other = torch.linalg.qr(second)
    u, values, v = torch.linalg.svd(upper @ other.T, full_matrices=False)
    return left @ u, values, right @ v.T


def _read(model: Transformer, place: HeadAddress) -> Tensor:
    """Return all pieces (V, D) as a layer reads them if nothing was added to their embeddings."""
    x = exact(model.embed.weight)
    x = x * model.config.d_model**0.5 if model.config.scale_embeddings else x
    x = normed(model.embed_norm, x)
    if model.config.norm_position == "pre":
        x = normed(getattr(model, place.stack)[place.layer].norm_attn, x)
    return x


def _written(model: Transformer, stack: str, direction: Tensor) -> Tensor:
    """Return what a direction (D,) adds to all logits (V,), but for the scale of the last norm."""
    norm = getattr(model, f"{stack}_norm")
    gain = getattr(norm, "weight", None)
    direction = direction if gain is None else direction * exact(gain)
    return exact(model.output_weight) @ direction


def _ends(tokenizer: AnyTokenizer, products: Tensor) -> Ends:
    order = products.argsort(descending=True, stable=True)
    high, low = order[:END_WORDS], order.flip(0)[:END_WORDS]
    return Ends(
        tokenizer.labels(high.tolist()),
        products[high].numpy(),
        tokenizer.labels(low.tolist()),
        products[low].numpy(),
    )
