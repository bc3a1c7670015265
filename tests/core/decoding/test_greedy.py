"""Greedy writing: with and without a cache the same ids, each the likeliest after those before it."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.greedy import continuation
from core.model.config import POSITIONS, TransformerConfig
from core.model.transformer import build
from tests.benchmarks.generation import compare, ours, row


def model_of(architecture="decoder", **more):
    sizes = {"vocab_size": 50, "d_model": 16, "heads": 4, "layers": 2, "max_length": 32, "norm_position": "pre"}
    return build(TransformerConfig(**{"architecture": architecture} | sizes | more))


def texts(rows, length, seed=0):
    return torch.randint(4, 50, (rows, length), generator=torch.Generator().manual_seed(seed))


@settings(max_examples=30)
@given(
    st.sampled_from(("decoder", "encoder-decoder")),
    st.sampled_from(POSITIONS),
    st.integers(1, 3),
    st.integers(1, 9),
    st.integers(1, 9),
)
def test_each_token_is_the_likeliest_after_those_before(architecture, positions, rows, length, count):
    model = model_of(architecture, positions=positions)
    source = texts(rows, 5, 1) if architecture == "encoder-decoder" else None
    ids = texts(rows, length)
    found = continuation(model, ids, count, source)
    assert found.shape == (rows, count)
    assert found.equal(continuation(model, ids, count, source, cached=False))
    with torch.no_grad():
        logits = model(source, torch.cat([ids, found], 1))[:, length - 1 : -1]
    assert found.equal(logits.argmax(-1))


def test_a_full_context_is_written_and_one_more_is_refused():
    model = model_of()
    assert continuation(model, texts(1, 4), 29).shape == (1, 29)  # the last of them need not be read
    for cached in (True, False):
        with pytest.raises(ValueError, match="33 tokens are more than"):
            continuation(model, texts(1, 4), 30, cached=cached)


def test_the_contestants_of_the_benchmark_write_equally_many_tokens():
    model = model_of()
    contestants = {"cached": ours(model, True), "uncached": ours(model, False)}
    times = compare(contestants, texts(1, 6), 7, rounds=3)
    assert [len(spent) for spent in times.values()] == [3, 3]
    contestants["short"] = lambda ids, count: ids[:, :-1]
    with pytest.raises(ValueError, match="short wrote 5 tokens, not 7"):
        compare(contestants, texts(1, 6), 7, rounds=3)


def test_a_ratio_is_the_median_of_the_rounds_own_ratios():
    found = row({"cached": [1.0, 2.0, 4.0], "uncached": [4.0, 10.0, 8.0]}, tokens=8)
    assert found == {
        "cached_per_s": 4.0,
        "uncached_per_s": 1.0,
        "over_uncached": 4.0,
        "over_uncached_quartiles": [3.0, 4.5],
    }
