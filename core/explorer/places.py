"""Finding one attention's tensors, tokens, mask and weights in a model and its run."""

from dataclasses import replace

import numpy as np
from torch import Tensor

from core.explorer.records import Place
from core.model.attention import MultiHeadAttention
from core.model.transformer import Transformer
from core.run import Inputs, Run, TokenRow


def layer_keys(run: Run, place: Place, site: str) -> list[str]:
    """The keys of one site in every layer of the place's stack."""
    return [replace(place, layer=number).prefix + site for number in range(run.config.layers)]


def memory_key(place: Place) -> str:
    """Where the tensor that keys and values are made from was recorded."""
    return "encoder.final" if place.cross else place.prefix + "attn_in"


def attention_of(model: Transformer, place: Place) -> MultiHeadAttention:
    """The module that computes the attention at this place."""
    block = getattr(model, place.stack)[place.layer]
    return block.cross if place.cross else block.attn


def token_rows(inputs: Inputs, place: Place) -> tuple[TokenRow, TokenRow]:
    """The tokens that ask and the tokens that are asked."""
    queries = inputs.rows[place.stack]
    return queries, inputs.rows["encoder"] if place.cross else queries


def mask_of(inputs: Inputs, place: Place) -> np.ndarray:
    """(Q, K) booleans, True = may attend."""
    queries, keys = token_rows(inputs, place)
    mask = getattr(inputs.masks, "cross" if place.cross else place.stack)
    shape = (1, 1, len(queries), len(keys))
    return np.ones(shape[2:], bool) if mask is None else mask.expand(shape)[0, 0].cpu().numpy()


def to_numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
