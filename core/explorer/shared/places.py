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


@dataclass(frozen=True)
class Place:
    """One attention of a model: a stack, and in the decoder of an encoder-decoder perhaps its cross-attention."""

    stack: str = "encoder"
    layer: int = 0
    head: int = 0
    cross: bool = False

    @property
    def of_layer(self) -> "Place":
        """The same for all heads of the layer: what a result is kept under that does not depend on the head."""
        return replace(self, head=0)

    @property
    def of_stack(self) -> "Place":
        """The same for all layers and heads of this attention."""
        return replace(self, layer=0, head=0)

    @property
    def prefix(self) -> str:
        return f"{self.stack}.{self.layer}.{'cross.' if self.cross else ''}"


def layer_keys(run: Run, place: Place, site: str) -> list[str]:
    """The keys of one site in every layer of the place's stack."""
    return [replace(place, layer=number).prefix + site for number in range(run.config.depth(place.stack))]


def memory_key(place: Place) -> str:
    """Where the tensor that keys and values are made from was recorded."""
    return "encoder.final" if place.cross else place.prefix + "attn_in"


def attention_module(model: Transformer, place: Place) -> MultiHeadAttention:
    """The module that computes the attention at this place."""
    block = getattr(model, place.stack)[place.layer]
    return block.cross if place.cross else block.attn


def head_projection(attn: MultiHeadAttention, letter: str, head: int) -> tuple[Tensor, Tensor]:
    """W (D, E), inputs as rows, and b (E,) with which one head of queries makes its queries ("q"), or the keys ("k") or
    values ("v") that it reads are made; b is zeros where the layer learnt none."""
    linear, config = getattr(attn, f"w_{letter}"), attn.config
    heads, number = (config.heads, head) if letter == "q" else (config.n_kv_heads, config.kv_head_of(head))
    weight = linear.weight.detach().unflatten(0, (heads, -1))[number].T
    if linear.bias is None:
        return weight, weight.new_zeros(weight.shape[1])
    return weight, linear.bias.detach().unflatten(0, (heads, -1))[number]


def token_rows(inputs: Inputs, place: Place) -> tuple[TokenRow, TokenRow]:
    """The tokens that ask and the tokens that are asked."""
    queries = inputs.rows[place.stack]
    return queries, inputs.rows["encoder"] if place.cross else queries


def attention_places(run: Run, stacks: Sequence[str]) -> list[Place]:
    """The attentions of some stacks, each at its first layer and head: the encoder's, the decoder's, the cross one."""
    found = [Place(stack) for stack in run.config.stacks if stack in stacks]
    return [*found, Place("decoder", cross=True)] if run.config.has_two_stacks and "decoder" in stacks else found


def reaches(source: Place, target: Place) -> bool:
    """Whether what the attention at `source` adds comes before the pattern at `target` is made."""
    if source.stack == target.stack:
        return (source.layer, source.cross) < (target.layer, target.cross)
    return source.stack == "encoder" and (target.cross or target.layer > 0)


def unpadded_length(run: Run, inputs: Inputs, stack: str) -> int:
    """How many tokens of a stack's text come before its padding."""
    return len(inputs.rows[stack]) - (run.pads if stack == run.config.stacks[0] else 0)


def mask_of(inputs: Inputs, place: Place) -> np.ndarray:
    """(Q, K) booleans, True = may attend."""
    queries, keys = token_rows(inputs, place)
    mask = getattr(inputs.masks, "cross" if place.cross else place.stack)
    if mask is None:
        default = causal if place.stack == "decoder" and not place.cross else unmasked
        mask = default(len(queries), len(keys))
    whole = mask.expand(1, 1, len(queries), len(keys))[0, 0].cpu().numpy()
    return in_window(whole, inputs.windows, place)


def in_window(mask: np.ndarray, windows: Sequence[int], place: Place) -> np.ndarray:
    """A mask (Q, K) without what the model's own window hides in the place's layer. windows: of its decoder."""
    if not windows or place.stack != "decoder" or place.cross:
        return mask
    near = windowed(torch.from_numpy(mask), mask.shape[0], mask.shape[1], windows[place.layer])
    assert near is not None
    return near.numpy()


def to_numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
