"""What is kept for the backward pass: against the tensors that PyTorch saves while a real model runs."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.model_sizes import config_sizes
from core.model import attention
from core.model.config import TransformerConfig
from core.model.transformer import build
from core.topics.architecture.analysis.training_costs import kept_bytes
from tests.core.strategies import configs

LENGTHS = st.integers(2, 7)


def saved(config, source, target, batch=1, training=True):
    """Bytes of every tensor that is saved, each memory once, but for the parameters and the ids."""
    model = build(config).train(training)
    own = {each.untyped_storage().data_ptr() for each in model.parameters()}
    found, kept = {}, []

    def pack(tensor):
        kept.append(tensor)  # so that no address is given away twice
        memory = tensor.untyped_storage()
        if tensor.dtype != torch.int64 and memory.data_ptr() not in own and tensor.dim():
            found[memory.data_ptr()] = memory.nbytes()
        return tensor

    ids = {"encoder": torch.full((batch, source), 4), "decoder": torch.full((batch, target), 4)}
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        out = model(*(ids[stack] if stack in config.stacks else None for stack in ids))
        if "decoder" in config.stacks:
            F.cross_entropy(out.flatten(0, 1), ids["decoder"].flatten())
    return sum(found.values())


@settings(max_examples=60)
@given(configs(), LENGTHS, LENGTHS, st.integers(1, 3), st.sampled_from((0.0, 0.1)), st.booleans())
def test_kept_bytes_are_those_that_pytorch_saves(config, source, target, batch, dropout, sink_logits):
    config = replace(config, dropout=dropout, sink_logits=sink_logits)
    kept = kept_bytes(config_sizes(config), source, target, batch)
    assert sum(kept.values()) == saved(config, source, target, batch)


@pytest.mark.parametrize("activation", ["relu", "gelu", "swiglu"])
def test_a_fused_kernel_keeps_one_number_for_each_query_in_place_of_its_weights(activation, monkeypatch):
    """PyTorch's kernel for a CPU, which serves values as wide as keys; the model itself leaves it where it learns."""

    def fused(q, k, v, mask, score, bias, sink, tap):
        return attention.fused_attention(q, k, v, mask, score=score, bias=bias, sink=sink), None

    monkeypatch.setattr(attention, "attention", fused)
    config = TransformerConfig("encoder", 11, 12, 3, 2, activation=activation)
    kept = kept_bytes(config_sizes(config), 7, 0, 2, fused=True)
    assert sum(kept.values()) == saved(config, 7, 0, 2, training=False)
