"""The switch of the fast path, which a model as it is built does not take."""

from torch import nn

from core.model.attention import MultiHeadAttention
from core.model.fast.kernel import scaled_dot_product_attention
from core.model.fast.linear import FastLinear, linear
from core.model.transformer import Transformer


def optimize(model: Transformer) -> Transformer:
    """Make a model faster at single rows, and return it; its weights, their names and its results stay the same.

    Call it once, when the model is made: it changes the model itself.
    """
    model.linear = linear
    for part in model.modules():
        if type(part) is nn.Linear:
            part.__class__ = FastLinear  # which has the same attributes
        elif isinstance(part, MultiHeadAttention):
            part.kernel = scaled_dot_product_attention
    return model
