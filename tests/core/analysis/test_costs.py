"""Estimates against what is really built and recorded."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.costs import PeakMemory, memory_estimate, peak_estimate
from core.model.config import TransformerConfig
from core.model.transformer import build, parameter_count
from core.tracing.sites import keys_of
from core.tracing.taps import ALL
from core.tracing.trace import trace
from tests.core.strategies import configs, parts_of_others

SITES = ["pattern", "q", "head_out", "pos", "ffn_hidden", "logits", "resid_mid"]


@given(configs())
@settings(max_examples=40)
def test_the_parameters_counted_are_the_parameters_built(config):
    assert parameter_count(config) == sum(value.numel() for value in build(config).parameters())


def test_parameters_by_hand():
    """BERT-like block of width 4: 4 projections, two norms, a feed-forward layer of 8; a table of 10 × 4."""
    config = TransformerConfig(vocab_size=10, d_model=4, heads=2, layers=1, d_ff=8)
    assert parameter_count(config) == 4 * (16 + 4) + 2 * 8 + (32 + 8) + (32 + 4) + 40


@given(configs(), st.integers(1, 5), st.one_of(st.just(ALL), st.lists(st.sampled_from(SITES))))
@settings(max_examples=60)
def test_the_recorded_bytes_are_those_of_the_trace(config, length, record):
    ids = torch.ones(1, length, dtype=torch.long)
    passed = {site.name for _, site in keys_of(config)}
    seen = trace(build(config), ids, ids, record=[name for name in record if name in passed or name in ALL])
    estimate = memory_estimate(config, length, record)
    assert estimate.recorded == sum(tensor.nbytes for tensor in seen.values())


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_bytes_follow_the_number_format(dtype):
    config = TransformerConfig(vocab_size=10, d_model=4, heads=2, layers=2)
    model = build(config, dtype=getattr(torch, dtype))
    seen = trace(model, torch.ones(1, 3, dtype=torch.long), record=["encoder.1.pattern", "z"])
    estimate = memory_estimate(config, 3, (key for key in ("encoder.1.pattern", "z")), dtype=dtype)
    assert estimate.recorded == sum(tensor.nbytes for tensor in seen.values())
    weights = sum(value.nbytes for value in model.parameters())
    assert estimate.parameters == weights + (parameter_count(config) * 4 if dtype != "float32" else 0)
    assert peak_estimate(config, 3, PeakMemory(), dtype, as_read=True).parameters == weights


@given(parts_of_others(architecture="decoder"), st.integers(1, 3), st.integers(1, 5))
@settings(max_examples=20)
def test_the_keys_and_values_of_texts_are_counted_as_they_are_kept(config, texts, written):
    cache = build(config).cache(texts, 3 + written)
    bare, held = (peak_estimate(config, 3, holds) for holds in (PeakMemory(), PeakMemory(texts=texts, written=written)))
    assert held.total - bare.total == sum(layer.k.nbytes + layer.v.nbytes for layer in cache.layers)


def test_working_room_by_hand():
    """The widest step beside four rows of the stream: the logits, the feed-forward layer, or one layer's attention."""
    config = TransformerConfig(architecture="decoder", vocab_size=10, d_model=4, heads=2, layers=3, d_ff=8)
    stream, logits = 4 * 4, 10
    assert memory_estimate(config, 1, ()).working == 4 * (stream + logits)
    scores, mask_and_pattern = 2 * 5 * 5, 2 * 2 * 5 * 5
    assert memory_estimate(config, 5, ()).working == 4 * (5 * stream + scores + mask_and_pattern)
    encoder = TransformerConfig(vocab_size=10, d_model=4, heads=2, layers=3, d_ff=8)
    assert memory_estimate(encoder, 1, ()).working == 4 * (stream + 8)


@pytest.mark.parametrize("vocabulary, drawn", [(10, 10), (20_000, 7)])
def test_the_random_heads_that_are_looked_at_beside_are_a_model_of_as_few_layers(vocabulary, drawn):
    """Five heads are three layers of two; of a vocabulary that is large, the seven pieces of the text."""
    config = TransformerConfig(vocab_size=vocabulary, d_model=4, heads=2, layers=6)
    alone, beside = (peak_estimate(config, 7, holds) for holds in (PeakMemory(), PeakMemory(random_heads=5)))
    other = TransformerConfig(vocab_size=drawn, d_model=4, heads=2, layers=3)
    assert beside.total - alone.total == sum(value.nbytes for value in build(other).parameters())
    assert beside.parameters == alone.parameters  # what a model that is there already does not take again


def test_texts_that_are_read_at_once_by_hand():
    """Three weights tensors of 2 heads for each of 12 tokens and 3 keys; beside them 2 · 8 + 7 · 4 numbers a token, for
    every layer where gradients go back."""
    config = TransformerConfig(vocab_size=10, d_model=4, heads=2, layers=5, d_ff=8)
    alone = peak_estimate(config, 3, PeakMemory()).total
    assert peak_estimate(config, 9, PeakMemory(batch=12, longest=3)).total - alone == 4 * 12 * (3 * 2 * 3 + 44)
    sloped = peak_estimate(config, 9, PeakMemory(batch=12, longest=3, patterns=1, slopes=True))
    assert sloped.total - alone == 4 * 12 * (2 * 3 + 5 * 44)
