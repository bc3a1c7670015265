"""What a head writes when it looks at a token, in words, and how much a head copies.

Elhage et al. 2021, "A mathematical framework for transformer circuits": the OV circuit and its eigenvalues.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from core.model.layers import MaskedWordHead
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import LogitDirections, before_masked_head, exact
from core.topics.circuits.parts import Component, recorded_parts, walk_back
from core.topics.shared.places import attention_module, head_projection
from core.tracing.run import Run

SHOWN_WORDS = 8


@dataclass(frozen=True, eq=False)
class WrittenWords:
    """The pieces whose logits a head changes most when it looks at one token.

    labels: of the tokens that it can look at.
    weights (K,): its attention weights at the query.
    raised, lowered: the labels of the pieces, the most changed first.
    raised_by, lowered_by (W,): the changes of their logits, less the mean change of all pieces, if the token gets all
        of the head's weight.
    """

    labels: tuple[str, ...]
    weights: np.ndarray
    raised: tuple[str, ...]
    raised_by: np.ndarray
    lowered: tuple[str, ...]
    lowered_by: np.ndarray


def written_words(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int, part: Component, key: int | None
) -> WrittenWords:
    """Return the words that a head raises and lowers at one query when it looks at a token.

    token: the query. key: the token that is looked at; None for the one with the largest weight.

    The value is the one of this text. On its way to the logits the scale of each norm is held fixed, as in
    `core.topics.circuits.attribution`.
    """
    place = part.place(stack)
    kv_head = run.config.kv_head_of(place.head)
    more = {f"{place.prefix}pattern": lambda x: x[0, place.head, token], f"{place.prefix}v": lambda x: x[0, kv_head]}
    inputs, activations = recorded_parts(model, tokenizer, run, stack, token, more)
    weights, values = (activations[name] for name in more)  # (K,), (K, E)
    labels = inputs.rows["encoder" if place.cross else stack].labels
    looked_at = int(weights.argmax()) if key is None else min(key, len(labels) - 1)
    w_o = exact(attention_module(model, place).w_o.weight).unflatten(1, (run.config.heads, -1))[:, place.head]  # (D, E)
    to_output = _to_output(model, run, stack, activations, part)  # (D, D)
    changes = _logits_of(model, to_output @ w_o @ values[looked_at])  # (V,)
    raised, lowered = changes.topk(SHOWN_WORDS), (-changes).topk(SHOWN_WORDS)
    return WrittenWords(
        labels,
        weights.numpy(),
        tokenizer.labels(raised.indices.tolist()),
        raised.values.numpy(),
        tokenizer.labels(lowered.indices.tolist()),
        -lowered.values.numpy(),
    )


def copying_score(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, layer: int, head: int) -> float:
    """Return how much a head of a stack's self-attention copies, from −1 to 1.

    It is the sum of the eigenvalues of the map from a token's embedding through the head to the logits, divided by the
    sum of their absolute values. It is 1 if the head raises just the tokens that it looks at. The map is V × V; those
    of its eigenvalues that are not 0 are the eigenvalues of a d_v × d_v matrix. Norms count by their gains alone.
    """
    config, block = run.config, getattr(model, stack)[layer]
    w_v, _ = head_projection(block.attn, "v", head)  # (D, E)
    w_o = block.attn.w_o.weight.detach().unflatten(1, (config.heads, -1))[:, head]  # (D, E)
    before = block.norm_attn if config.norm_position == "pre" else None
    read = model.embed.weight.detach() @ _scaled(w_v, before)  # (V, E)
    write = model.output_weight.detach() @ _scaled(w_o, getattr(model, f"{stack}_norm"))  # (V, E)
    values = torch.linalg.eigvals(exact(write).T @ exact(read))  # of (E, E)
    total = float(values.abs().sum())
    return float(values.real.sum()) / total if total else 0.0


def _to_output(model: Transformer, run: Run, stack: str, activations: dict[str, Tensor], part: Component) -> Tensor:
    """Return the map (D, D) from a part's output to the vector whose products with the pieces' vectors are logits."""
    width = run.config.d_model
    directions, head = LogitDirections(torch.eye(width, dtype=torch.float64), torch.zeros(width)), model.masked_head
    if isinstance(head, MaskedWordHead):
        directions = before_masked_head(directions, head, activations[f"{stack}.final"])
    walked = walk_back(model, run, stack, activations, directions)
    return next(behind.vectors for other, _, behind in walked if other == part)


def _logits_of(model: Transformer, output: Tensor) -> Tensor:
    """Return what a vector (D,) adds to all logits (V,), less the mean over all of them."""
    weight = model.output_weight.detach()
    changes = exact(weight @ output.to(weight)) * model.config.logit_scale
    return changes - changes.mean()


def _scaled(matrix: Tensor, norm: nn.Module | None) -> Tensor:
    """Return a matrix (D, E) whose rows are multiplied by the gain of a norm, if it has one."""
    gain = getattr(norm, "weight", None)
    return matrix if gain is None else gain.detach()[:, None] * matrix
