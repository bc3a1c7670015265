"""Naming one attention of a model, and finding its tensors, tokens, mask and weights in a run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.model.attention import MultiHeadAttention
from core.model.masks import causal, unmasked, windowed
from core.model.transformer import Transformer
from core.tracing.run import Inputs, Run, TokenRow

SINK_LOGITS = "This model has a learned logit beside the scores of each row; choose one without it."


@dataclass(frozen=True)
class HeadAddress:
    """One attention head of a model, by stack, layer and head.

    cross: whether it is the cross-attention of an encoder-decoder's decoder.
    """

    stack: str = "encoder"
    layer: int = 0
    head: int = 0
    cross: bool = False

    @property
    def of_layer(self) -> "HeadAddress":
        """The same address with head 0: the cache key of results that do not depend on the head."""
        return replace(self, head=0)

    @property
    def of_stack(self) -> "HeadAddress":
        """The same address with layer 0 and head 0: the key of what all layers and heads of this attention share."""
        return replace(self, layer=0, head=0)

    @property
    def prefix(self) -> str:
        return f"{self.stack}.{self.layer}.{'cross.' if self.cross else ''}"


def layer_keys(run: Run, place: HeadAddress, site: str) -> list[str]:
    """Return the keys of one site in every layer of the place's stack."""
    return [replace(place, layer=number).prefix + site for number in range(run.config.depth(place.stack))]


def memory_key(place: HeadAddress) -> str:
    """Return the key of the tensor that keys and values are projected from."""
    return "encoder.final" if place.cross else place.prefix + "attn_in"


def attention_module(model: Transformer, place: HeadAddress) -> MultiHeadAttention:
    """Return the module that computes the attention at this place."""
    block = getattr(model, place.stack)[place.layer]
    return block.cross if place.cross else block.attn


def head_projection(attn: MultiHeadAttention, letter: str, head: int) -> tuple[Tensor, Tensor]:
    """Return one head's slice of a projection: W (D, E), inputs as rows, and b (E,), zeros if the layer has no bias.

    letter: "q" for the head's queries, "k" or "v" for the keys or values that the head reads.
    head: the number of the query head; for "k" and "v" its key-value head is looked up.
    """
    linear, config = getattr(attn, f"w_{letter}"), attn.config
    heads, number = (config.heads, head) if letter == "q" else (config.n_kv_heads, config.kv_head_of(head))
    weight = linear.weight.detach().unflatten(0, (heads, -1))[number].T
    if linear.bias is None:
        return weight, weight.new_zeros(weight.shape[1])
    return weight, linear.bias.detach().unflatten(0, (heads, -1))[number]


def token_rows(inputs: Inputs, place: HeadAddress) -> tuple[TokenRow, TokenRow]:
    """Return the tokens of the queries and the tokens of the keys."""
    queries = inputs.rows[place.stack]
    return queries, inputs.rows["encoder"] if place.cross else queries


def attention_places(run: Run, stacks: Sequence[str]) -> list[HeadAddress]:
    """Return the attentions of the given stacks: encoder, decoder, cross-attention, each at layer 0 and head 0."""
    places = [HeadAddress(stack) for stack in run.config.stacks if stack in stacks]
    return (
        [*places, HeadAddress("decoder", cross=True)] if run.config.has_two_stacks and "decoder" in stacks else places
    )


def reaches(source: HeadAddress, target: HeadAddress) -> bool:
    """Return whether the attention at `source` is computed before the pattern at `target`, and so can change it."""
    if source.stack == target.stack:
        return (source.layer, source.cross) < (target.layer, target.cross)
    return source.stack == "encoder" and (target.cross or target.layer > 0)


def unpadded_length(run: Run, inputs: Inputs, stack: str) -> int:
    """Return the number of tokens of a stack's text without its padding."""
    return len(inputs.rows[stack]) - (run.pads if stack == run.config.stacks[0] else 0)


def require_no_sink(run: Run) -> None:
    """Raise ValueError for a model with sink logits: its softmax has one term more than there are keys."""
    if run.config.sink_logits:
        raise ValueError(SINK_LOGITS)


def mask_of(inputs: Inputs, place: HeadAddress) -> np.ndarray:
    """Return the mask at a place as booleans (Q, K), True = may attend."""
    queries, keys = token_rows(inputs, place)
    mask = getattr(inputs.masks, "cross" if place.cross else place.stack)
    if mask is None:
        default = causal if place.stack == "decoder" and not place.cross else unmasked
        mask = default(len(queries), len(keys))
    full_mask = mask.expand(1, 1, len(queries), len(keys))[0, 0].cpu().numpy()
    return in_window(full_mask, inputs.windows, place)


def in_window(mask: np.ndarray, windows: Sequence[int], place: HeadAddress) -> np.ndarray:
    """Return a mask (Q, K) that also hides the keys outside the model's own window in the place's layer.

    windows: the window of each decoder layer; other places are not changed by them.
    """
    if not windows or place.stack != "decoder" or place.cross:
        return mask
    near = windowed(torch.from_numpy(mask), mask.shape[0], mask.shape[1], windows[place.layer])
    assert near is not None
    return near.numpy()


def to_numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
