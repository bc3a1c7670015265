"""The KV cache: cached logits equal uncached ones, whatever the model; going back and beams keep them so."""

from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.config import POSITIONS, SCORES, TransformerConfig
from core.model.transformer import build
from core.tracing.taps import RecordingTap

close = partial(torch.testing.assert_close, rtol=0, atol=1e-5)


def config(architecture="decoder", **more):
    return TransformerConfig(
        **{"architecture": architecture, "vocab_size": 50, "d_model": 16, "heads": 4, "layers": 2, "max_length": 32}
        | more
    )


def texts(rows, length, seed=0):
    return torch.randint(4, 50, (rows, length), generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def cached(model, source, target, cuts):
    """The logits of all rows, read in pieces that end at `cuts`."""
    cache = model.cache(len(target))
    parts, start = [], 0
    for end in (*cuts, target.shape[1]):
        parts.append(model(source, target[:, start:end], cache=cache))
        start = end
    assert cache.length == target.shape[1]
    return torch.cat(parts, 1)


@settings(max_examples=60)
@given(
    st.sampled_from(("decoder", "encoder-decoder")),
    st.sampled_from(POSITIONS),
    st.sampled_from(SCORES),
    st.sampled_from(("pre", "post")),
    st.sets(st.integers(1, 11), max_size=11),
    st.integers(1, 3),
)
def test_cached_logits_equal_uncached_ones(architecture, positions, score, norm, cuts, rows):
    model = build(config(architecture, positions=positions, score=score, norm_position=norm))
    source = texts(rows, 7, 1) if architecture == "encoder-decoder" else None
    target = texts(rows, 12)
    with torch.no_grad():
        whole = model(source, target)
    close(cached(model, source, target, sorted(cuts)), whole)


@pytest.mark.parametrize("positions", POSITIONS)
def test_without_norms_in_double_precision(positions):
    model = build(config("encoder-decoder", positions=positions, norm_position="none"), dtype=torch.float64)
    source, target = texts(2, 7, 1), texts(2, 12)
    with torch.no_grad():
        torch.testing.assert_close(cached(model, source, target, [3, 4, 9]), model(source, target))


def test_every_single_token_in_turn():
    model = build(config(positions="rotary", norm_position="pre", activation="swiglu"))
    target = texts(2, 20)
    with torch.no_grad():
        close(cached(model, None, target, range(1, 20)), model(None, target))


@pytest.mark.parametrize("positions", POSITIONS)
def test_going_back_and_writing_something_else(positions):
    model = build(config(positions=positions))
    first, other = texts(1, 10), texts(1, 10, 5)
    other[:, :6] = first[:, :6]
    cache = model.cache()
    with torch.no_grad():
        model(None, first, cache=cache)
        cache.truncate(6)
        again = model(None, other[:, 6:], cache=cache)
        close(again, model(None, other)[:, 6:])
    with pytest.raises(ValueError, match="10 tokens have been read; the cache cannot go back to 11"):
        cache.truncate(11)


def test_selected_rows_go_on_as_their_own_texts():
    model = build(config("encoder-decoder"))
    source, target = texts(3, 5, 1), texts(3, 8)
    rows = torch.tensor([2, 0, 2, 1])
    cache = model.cache(3)
    with torch.no_grad():
        model(source, target[:, :5], cache=cache)
        cache.select(rows)
        found = model(source[rows], target[rows][:, 5:], cache=cache)
        close(found, model(source, target)[rows][:, 5:])


def test_a_cache_is_one_calls_own_and_leaves_nothing_on_the_model():
    model = build(config())
    before = {name: id(value) for name, value in vars(model).items()}
    target = texts(1, 6)
    with torch.no_grad():
        one, two = model.cache(), model.cache()
        model(None, target, cache=one)
        close(model(None, target, cache=two), model(None, target))
    assert {name: id(value) for name, value in vars(model).items()} == before


def test_only_new_rows_are_computed_and_all_keys_are_seen():
    model = build(config())
    target, cache = texts(1, 6), model.cache()
    tap = RecordingTap(("k", "pattern"))
    with torch.no_grad():
        model(None, target[:, :5], cache=cache)
        model(None, target[:, 5:], tap=tap, cache=cache)
        whole = RecordingTap(("pattern",))
        model(None, target, tap=whole)
    assert tap.seen["decoder.0.k"].shape == (1, 4, 1, 4)
    for layer in range(2):
        ours, theirs = (each.seen[f"decoder.{layer}.pattern"] for each in (tap, whole))
        close(ours, theirs[:, :, -1:])


def test_what_a_cache_takes():
    """2 layers × (keys + values) × 4 heads × 5 tokens × 4 numbers × 4 bytes, and as much for 3 source tokens."""
    model = build(config("encoder-decoder"))
    cache = model.cache()
    with torch.no_grad():
        model(texts(1, 3), texts(1, 5), cache=cache)
    assert cache.bytes == 2 * 2 * 4 * (5 + 3) * 4 * 4


def test_a_full_cache_says_so():
    model = build(config())
    with pytest.raises(ValueError, match="9 tokens are more than the cache's capacity of 8"):
        model(None, texts(1, 9), cache=model.cache(capacity=8))
    with pytest.raises(ValueError, match="33 tokens are more than the cache's capacity of 32"):
        model(None, texts(1, 33), cache=model.cache(capacity=99))


def test_in_bfloat16_too():
    model = build(config(positions="rotary"), dtype=torch.bfloat16)
    target = texts(1, 9)
    with torch.no_grad():
        found, whole = cached(model, None, target, range(1, 9)), model(None, target)
    assert found.dtype is torch.bfloat16
    torch.testing.assert_close(found.float(), whole.float(), rtol=0, atol=0.1)


def used(rows=2):
    """A translator, its source and target, and a cache that has read the target's first five tokens."""
    model = build(config("encoder-decoder"))
    source, target, cache = texts(rows, 7, 1), texts(rows, 9), model.cache(rows)
    with torch.no_grad():
        model(source, target[:, :5], cache=cache)
    return model, source, target, cache


@pytest.mark.parametrize("other", [texts(2, 7, 3), texts(2, 6, 1), texts(1, 7, 1)])
def test_a_used_cache_refuses_another_source_and_goes_on_with_its_own(other):
    model, source, target, cache = used()
    memory = model.run_stack("encoder", other, None).detach()
    with torch.no_grad():
        with pytest.raises(ValueError, match="this cache has read another source"):
            model(other, target[:, 5:], cache=cache)
        with pytest.raises(ValueError, match="this cache has read another source"):
            model.run_stack("decoder", target[:, 5:], None, memory, cache=cache)
        again = model.run_stack("encoder", source, None)
        close(
            model.logits(model.run_stack("decoder", target[:, 5:7], None, again, cache=cache)),
            model(source, target)[:, 5:7],
        )
        close(model(source, target[:, 7:], cache=cache), model(source, target)[:, 7:])


@pytest.mark.parametrize("rows", [1, 3])
def test_a_cache_refuses_a_batch_of_another_size(rows):
    model, _, _, cache = used()
    with pytest.raises(ValueError, match=f"a batch of {rows} does not fit a cache for 2"):
        model(None, texts(rows, 1), cache=cache)
    decoder = build(config())
    for fresh in (True, False):
        cache = decoder.cache(2)
        if not fresh:
            decoder(None, texts(2, 3), cache=cache)
        with pytest.raises(ValueError, match=f"a batch of {rows} does not fit a cache for 2"):
            decoder(None, texts(rows, 1), cache=cache)


def test_a_refused_text_leaves_the_cache_as_it_was():
    model, source, target, cache = used()
    with torch.no_grad():
        with pytest.raises(ValueError, match="another source"):
            model(texts(2, 7, 9), target[:, 5:], cache=cache)
        with pytest.raises(ValueError, match="does not fit"):
            model(source, texts(3, 1), cache=cache)
        assert cache.length == 5
        close(model(source, target[:, 5:], cache=cache), model(source, target)[:, 5:])
