"""Encoder-only, decoder-only and encoder-decoder transformers, in one class."""

import math
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model import masks as mask_makers
from core.model import positions
from core.model.attention_positions import RotaryOrBias, make_shared_positions
from core.model.config import TransformerConfig
from core.model.dropout import dropout
from core.model.fast.skip_init import skip_init
from core.model.kv import KVCache, make_cache
from core.model.layers import Block, MaskedWordHead, initialise, make_norm
from core.model.tap import IDENTITY, CancelTap, Check, Tap


@dataclass(frozen=True)
class Masks:
    """The boolean masks of a transformer, True = may attend, each broadcastable to (B, H, Q, K).

    None is the default: causal in the decoder's self-attention, nothing masked elsewhere. To mask nothing in the
    decoder, pass `core.model.masks.unmasked`.
    """

    encoder: Tensor | None = None
    decoder: Tensor | None = None
    cross: Tensor | None = None


class Transformer(nn.Module):
    """A transformer described by its config (Vaswani et al. 2017, figure 1).

    Source and target share one embedding table. Build it with `build`, which fills in the weights.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.vocab_size, config.d_model)
        if config.positions == "learned":
            self.positions = nn.Embedding(config.max_length, config.d_model)
        self.types = nn.Embedding(config.token_types, config.d_model) if config.token_types else None
        self.embed_norm = make_norm(config) if config.embedding_norm else nn.Identity()
        for stack in config.stacks:
            crosses = stack == "decoder" and config.has_two_stacks
            windows = config.windows if stack == "decoder" and config.windows else (0,) * config.depth(stack)
            setattr(self, stack, nn.ModuleList(Block(config, crosses, window) for window in windows))
            setattr(self, f"{stack}_inner", make_shared_positions(config, two_sided=stack == "encoder"))
            setattr(self, f"{stack}_norm", make_norm(config) if config.ends_with_norm else nn.Identity())
        self.masked_head = MaskedWordHead(config) if config.masked_head else nn.Identity()
        if not config.tied and ("decoder" in config.stacks or config.masked_head):
            self.unembed = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.output_bias = nn.Parameter(torch.empty(config.vocab_size)) if config.output_bias else None
        self.linear: Callable[..., Tensor] = F.linear  # `core.model.fast.optimize` sets a faster one
        self.check: Check | None = None  # `cancelled_by` returns a copy with one

    def forward(
        self,
        source: Tensor | None = None,
        target: Tensor | None = None,
        masks: Masks | None = None,
        tap: Tap = IDENTITY,
        cache: KVCache | None = None,
    ) -> Tensor:
        """Return the logits (B, L, V), or for an encoder alone its output (B, S, D).

        source: ids (B, S) for the encoder.
        target: ids (B, L) for the decoder.
        cache: a cache from `cache`; target then holds only the ids that it has not read, and masks.decoder only the
            rows of these ids.

        Raises ValueError if ids that the model needs are missing.
        """
        masks = masks or Masks()
        memory = None if cache is None else cache.memory
        if cache is not None:
            cache.check_source(source)
        if "encoder" in self.config.stacks and memory is None:
            source = _given(source, "source")
            memory = self.run_stack("encoder", source, masks.encoder, tap=tap)
        if "decoder" not in self.config.stacks:
            return _given(memory, "source")
        target = _given(target, "target")
        x = self.run_stack("decoder", target, masks.decoder, memory, masks.cross, tap, cache)
        if cache is not None and source is not None:
            cache.source = source
        return tap("logits", self.logits(x))

    def run_stack(
        self,
        stack: str,
        ids: Tensor,
        mask: Tensor | None,
        memory: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = IDENTITY,
        cache: KVCache | None = None,
    ) -> Tensor:
        """Run ids (B, L) through the "encoder" or "decoder" blocks, to (B, L, D).

        mask, cross_mask: as in `Masks`.
        """
        new, read = ids.shape[1], 0 if cache is None else cache.length
        if cache is not None:
            cache.take(ids, memory)
        if mask is None and stack == "decoder" and new > 1:  # a single new row may attend to all before it
            mask = mask_makers.causal(new, read + new, ids.device)
        x = self.embed_ids(ids, tap.scope(stack), cache)
        return self.run_blocks(stack, x, mask, memory, cross_mask, tap, cache)

    def run_blocks(
        self,
        stack: str,
        x: Tensor,
        mask: Tensor | None,
        memory: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = IDENTITY,
        cache: KVCache | None = None,
        first: int = 0,
    ) -> Tensor:
        """Run x (B, L, D) through the block numbered `first` and the later ones, to (B, L, D).

        x: the input of that block.
        mask, cross_mask: as in `Masks`, but None masks nothing, in a decoder too.
        """
        tap = (tap if self.check is None else CancelTap(self.check, tap)).scope(stack)
        inner = self.inner_positions(stack, 0 if cache is None else cache.length, x.shape[1], x, cache)
        for number, block in list(enumerate(getattr(self, stack)))[first:]:
            kv = None if cache is None else cache.layers[number]
            cross_kv = cache.cross[number] if cache is not None and cache.cross else None
            x = block(x, mask, memory, cross_mask, tap.scope(str(number)), kv, cross_kv, inner)
        return tap("final", getattr(self, f"{stack}_norm")(x))

    def cancelled_by(self, check: Check | None) -> "Transformer":
        """Return a copy of this model, with the same weights, whose passes call `check` at each block.

        check: cancels the pass by raising an exception; None for passes that nothing cancels.
        """
        bound = copy(self)
        bound.check = check
        return bound

    def cache(self, batch: int = 1, capacity: int | None = None) -> KVCache:
        """Return an empty KV cache for `batch` texts of at most `capacity` tokens.

        capacity: at most max_length; None: max_length.
        """
        capacity = self.config.max_length if capacity is None else min(capacity, self.config.max_length)
        like = self.embed.weight.detach()[:0]
        return make_cache(self.config, batch, capacity, like, self.position_table(capacity))

    def logits(self, x: Tensor) -> Tensor:
        """Return the logits (B, L, V) of x (B, L, D): one score for each piece of the vocabulary.

        An encoder with tied embeddings has them too, for the pieces that are masked in its text (Devlin et al. 2019).
        """
        x = self.masked_head(x)
        x = x * self.config.logit_scale if self.config.logit_scale != 1.0 else x
        if "unembed" not in self._modules:
            return self.linear(x, self.embed.weight, self.output_bias)
        out: Tensor = self.unembed(x)
        return out if self.output_bias is None else out + self.output_bias

    @property
    def output_weight(self) -> Tensor:
        """The matrix (V, D) that turns vectors into logits: the embedding table if they are tied."""
        weight: Tensor = self.unembed.weight if "unembed" in self._modules else self.embed.weight
        return weight

    def embed_ids(self, ids: Tensor, tap: Tap = IDENTITY, cache: KVCache | None = None) -> Tensor:
        """Return the input (B, L, D) of the first block for ids (B, L).

        Raises ValueError for more tokens than max_length.
        """
        start = 0 if cache is None else cache.length
        length = start + ids.shape[1]
        if cache is None and length > (max_length := self.config.max_length):
            raise ValueError(f"{length} tokens are more than this model's max_length of {max_length}")
        x = self.embed(ids)
        x = tap("embed", x * math.sqrt(self.config.d_model) if self.config.scale_embeddings else x)
        table = self.position_table(length) if cache is None else cache.table
        x = x if table is None else x + tap("pos", table[start:length].to(x).expand_as(x))
        x = x if self.types is None else x + tap("types", self.types.weight[0].expand_as(x))
        x = self.embed_norm(x)
        return dropout(x, self.config.dropout) if self.training else x

    def position_table(self, length: int) -> Tensor | None:
        """Return the positions (L, D) that are added to the embeddings, or None if they act elsewhere or not at all."""
        config = self.config
        if config.positions == "binary":
            return positions.binary(length, config.d_model)
        if config.positions == "sinusoidal":
            return positions.sinusoidal(length, config.d_model, config.position_base, config.sinusoids)
        return self.positions.weight[:length] if config.positions == "learned" else None

    def inner_positions(
        self, stack: str, start: int, new: int, like: Tensor, cache: KVCache | None = None
    ) -> RotaryOrBias:
        """Return the effect of positions inside a stack's self-attentions, for `new` tokens after `start` others."""
        if cache is not None and cache.turns is not None:
            cos, sin = cache.turns
            return RotaryOrBias((cos.narrow(0, start, new), sin.narrow(0, start, new)))
        made: RotaryOrBias = getattr(self, f"{stack}_inner")(start, new, like)
        return made


def build(
    config: TransformerConfig,
    device: torch.device | str = "cpu",
    dtype: torch.dtype | None = None,
    check: Check | None = None,
) -> Transformer:
    """Return a freshly initialised model in evaluation mode; equal configs give equal weights on any device.

    check: as in `initialise`.

    >>> model = build(TransformerConfig("decoder", vocab_size=9, d_model=8, heads=2, layers=2, seed=1))
    >>> model(None, torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 9])
    """
    with skip_init("cpu"):
        model = Transformer(config)
    initialise(model, config.seed, check=check)
    return model.to(device=device, dtype=dtype).eval()


def parameter_count(config: TransformerConfig) -> int:
    """Return the number of parameters of a model with this config, without allocating them."""
    return _parameter_count(replace(config, seed=0))


@lru_cache(maxsize=256)
def _parameter_count(config: TransformerConfig) -> int:
    with skip_init():
        return sum(parameter.numel() for parameter in Transformer(config).parameters())


def _given(value: Tensor | None, name: str) -> Tensor:
    if value is None:
        raise ValueError(f"this model needs {name} ids")
    return value
