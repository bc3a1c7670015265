"""The weights of a transformer under the names that the exported scripts read.

All matrices stand as in the paper, with a row per input: x @ W. The projections of the heads are one stack of matrices,
so that x @ W_Q is (h, L, d_k). A name begins with the stack and the number of the block, ``decoder.0.W_Q``;
cross-attention is ``decoder.0.cross.W_Q``.
"""

from collections.abc import Iterator

import torch
from safetensors.torch import save
from torch import Tensor, nn

from core.checkpoints.class_layer import ClassLayer
from core.model.attention import MultiHeadAttention
from core.model.attention_positions import RelativeBias
from core.model.layers import Block, MaskedWordHead
from core.model.scores import Additive, General
from core.model.transformer import Transformer


def plain_weights(model: Transformer, classes: ClassLayer | None = None) -> dict[str, Tensor]:
    """Return the weights by their names in the scripts, float32 on the CPU.

    E (V, d_model): the embedding table; P: the table of learned positions; W_U (d_model, V): the matrix of the logits
        where it is not E.
    …W_Q, W_K (h, d_model, d_k), W_V (h, d_model, d_v), W_O (h·d_v, d_model), W_1, W_2, W_3: as in the paper.
    …b_Q, b_K (h, 1, d_k), b_V (h, 1, d_v), b_O, b_1, b_2, b_3: their biases.
    …sink (h, 1, 1): the logits beside the scores.
    …norm_attn, norm_cross, norm_ffn, norm, with .gain and .bias: the norms of a block, and of a stack's output.
    classes: the last layer of a classifier, if there is one.
    """
    named: dict[str, Tensor] = {"E": model.embed.weight}
    if model.config.positions == "learned":
        named["P"] = model.positions.weight
    if model.types is not None:
        named["token_type"] = model.types.weight[0]
    named |= _norm("embed_norm", model.embed_norm)
    for stack in model.config.stacks:
        for number, block in enumerate(getattr(model, stack)):
            named |= _block(f"{stack}.{number}", block)
        if isinstance(inner := getattr(model, f"{stack}_inner"), RelativeBias):
            named[f"{stack}.relative"] = inner.table.weight
        named |= _norm(f"{stack}.norm", getattr(model, f"{stack}_norm"))
    if isinstance(model.masked_head, MaskedWordHead):
        named |= _linear("head.W", "head.b", model.masked_head.dense) | _norm("head.norm", model.masked_head.norm)
    if "unembed" in model._modules:
        named["W_U"] = model.unembed.weight.T
    if model.output_bias is not None:
        named["b_U"] = model.output_bias
    if classes is not None:
        named |= _linear("classes.W", "classes.b", classes.linear)
    return {name: value.detach().float().cpu() for name, value in named.items()}


def weights_file(weights: dict[str, Tensor]) -> bytes:
    """Return the weights as a safetensors file: in float16 if that holds all of them exactly, else in float32."""
    exact = all(torch.equal(value.half().float(), value) for value in weights.values())
    return save({name: (value.half() if exact else value).contiguous() for name, value in weights.items()})


def weights_bytes(model: Transformer) -> int:
    """Return an upper bound of the bytes of `weights_file`."""
    return sum(4 * value.numel() for value in model.state_dict().values())


def _block(name: str, block: Block) -> dict[str, Tensor]:
    found = _attention(name, block.attn) | _norm(f"{name}.norm_attn", block.norm_attn)
    if block.cross is not None:
        found |= _attention(f"{name}.cross", block.cross) | _norm(f"{name}.norm_cross", block.norm_cross)
    if block.ffn is not None:
        for letter, linear in (("1", block.ffn.w_1), ("2", block.ffn.w_2), ("3", block.ffn.w_3)):
            if linear is not None:
                found |= _linear(f"{name}.W_{letter}", f"{name}.b_{letter}", linear)
        found |= _norm(f"{name}.norm_ffn", block.norm_ffn)
    return found


def _attention(name: str, attn: MultiHeadAttention) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    keys, values = attn.config.key_width, attn.config.value_width
    for letter, linear, width in (("Q", attn.w_q, keys), ("K", attn.w_k, keys), ("V", attn.w_v, values)):
        for key, value in _linear(f"{name}.W_{letter}", f"{name}.b_{letter}", linear).items():
            found[key] = value.reshape(-1, value.shape[-1] // width, width).transpose(0, 1)
    found |= _linear(f"{name}.W_O", f"{name}.b_O", attn.w_o)
    for letter, norm in (("q", attn.q_norm), ("k", attn.k_norm)):
        if norm is not None:
            found[f"{name}.norm_{letter}.gain"] = norm.weight
    if attn.sink is not None:
        found[f"{name}.sink"] = attn.sink[:, None, None]
    return found | dict(_score(name, attn.score))


def _score(name: str, score: nn.Module) -> Iterator[tuple[str, Tensor]]:
    if isinstance(score, General):
        yield f"{name}.W_a", score.weight
    if isinstance(score, Additive):
        yield f"{name}.W_a", score.w.mT
        yield f"{name}.U_a", score.u.mT
        yield f"{name}.v_a", score.v


def _linear(weight: str, bias: str, linear: nn.Linear) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {weight: linear.weight.T}
    return found if linear.bias is None else found | {bias: linear.bias}


def _norm(name: str, norm: nn.Module) -> dict[str, Tensor]:
    if isinstance(norm, nn.LayerNorm):
        found: dict[str, Tensor] = {f"{name}.gain": norm.weight}
        return found if norm.bias is None else found | {f"{name}.bias": norm.bias}
    return {f"{name}.gain": norm.weight} if isinstance(norm, nn.RMSNorm) else {}
