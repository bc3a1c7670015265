"""What a step costs: against torch's own counter, a case by hand, and the cache's own size."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from core.analysis.kv_costs import Reading, cache_bytes, operations, total, weight_bytes, with_cache, without_cache
from core.model.config import SCORES, TransformerConfig
from core.model.transformer import build
from core.tracing.taps import RecordingTap
from tests.core.strategies import parts_of_others

SMALL = TransformerConfig("decoder", 50, 16, 4, 2, max_length=32)


def counted(config, start, length, source):
    """Multiply-adds that torch counts in one pass over the newest rows, behind those that a cache holds.

    The open path, since torch does not count the fused kernel on a CPU.
    """
    model = build(config)
    ids = torch.randint(4, 50, (1, length), generator=torch.Generator().manual_seed(0))
    memory = torch.randn(1, source, config.d_model) if source else None
    cache, tap = model.cache(), RecordingTap(("pattern",))
    with torch.no_grad():
        if length > start:
            model.run_stack("decoder", ids[:, :-1], None, memory, cache=cache)
            ids = ids[:, -1:]
        with FlopCounterMode(display=False) as counter:
            x = model.run_stack("decoder", ids, None, memory, tap=tap, cache=cache)
            model.logits(x[:, -1])
    return counter.get_total_flops() // 2


@settings(max_examples=40)
@given(
    st.sampled_from(("decoder", "encoder-decoder")),
    st.sampled_from(SCORES),
    st.sampled_from(("gelu", "swiglu")),
    st.booleans(),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.tuples(st.integers(1, 12), st.integers(1, 12)),
)
def test_operations_are_those_that_torch_counts(architecture, score, activation, tied, widths, lengths):
    config = replace(
        SMALL, architecture=architecture, score=score, activation=activation, tied=tied, d_k=widths[0], d_v=widths[1]
    )
    source = 7 if architecture == "encoder-decoder" else 0
    start, length = min(lengths), max(lengths)
    assert total(config, with_cache(length, source, start)) == counted(config, start, length, source)
    assert total(config, without_cache(length, source)) == counted(config, length, length, source)


@settings(max_examples=30, deadline=None)
@given(parts_of_others(max_length=32, vocab_size=50), st.integers(1, 6), st.integers(1, 6))
def test_parts_of_models_made_elsewhere_are_counted_too(config, one, other):
    if config.architecture == "encoder":
        return
    source = 7 if config.architecture == "encoder-decoder" else 0
    start, length = min(one, other), max(one, other)
    assert total(config, with_cache(length, source, start)) == counted(config, start, length, source)


def test_a_case_by_hand():
    """D 16, 4 heads of 4, 2 layers, F 64, V 50: the tenth token."""
    mine, other = operations(SMALL, with_cache(10)), operations(SMALL, without_cache(10))
    assert mine == {
        "queries": 2 * 16 * 16,
        "keys and values": 2 * 2 * 16 * 16,
        "scores": 2 * 10 * 16,
        "mixing values": 2 * 10 * 16,
        "output W_O": 2 * 16 * 16,
        "feed-forward": 2 * 2 * 16 * 64,
        "logits": 16 * 50,
    }
    assert all(other[name] == 10 * mine[name] for name in mine if name != "logits")
    assert other["logits"] == mine["logits"]


def test_the_sources_keys_and_values_are_computed_once():
    config = replace(SMALL, architecture="encoder-decoder")
    name = "cross: keys and values"
    assert operations(config, with_cache(1, 7))[name] == 2 * 7 * 2 * 16 * 16
    assert [operations(config, with_cache(n, 7))[name] for n in (2, 9)] == [0, 0]
    assert operations(config, without_cache(9, 7))[name] == 2 * 7 * 2 * 16 * 16


def test_the_first_token_costs_the_same_and_a_pass_needs_a_row():
    assert with_cache(5, start=5) == without_cache(5) == Reading(5, 5)
    with pytest.raises(ValueError, match="a pass computes 1 to 3 of 3 rows, not 4"):
        Reading(4, 3)


@settings(max_examples=20)
@given(
    st.sampled_from(("decoder", "encoder-decoder")),
    st.integers(1, 3),
    st.integers(1, 12),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.sampled_from(("float32", "bfloat16")),
)
def test_bytes_are_what_the_cache_takes(architecture, batch, length, widths, dtype):
    config = replace(SMALL, architecture=architecture, d_k=widths[0], d_v=widths[1])
    model = build(config, dtype=getattr(torch, dtype))
    ids, source = torch.ones(batch, length, dtype=torch.long), torch.ones(batch, 5, dtype=torch.long)
    told = 5 if architecture == "encoder-decoder" else 0
    cache = model.cache(batch)
    with torch.no_grad():
        model(source if told else None, ids, cache=cache)
    assert cache_bytes(config, length, told, batch, dtype) == cache.bytes
    weights = sum(each.numel() * each.element_size() for each in model.parameters())
    assert weight_bytes(config, dtype) == weights
