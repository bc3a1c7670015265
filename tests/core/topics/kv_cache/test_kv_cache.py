"""The KV cache shown: every number is the model's own, with the cache and without."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.device import Placement
from core.model.config import POSITIONS, TransformerConfig
from core.model.masks import CausalMask, SlidingWindowMask, unmasked
from core.model.transformer import Masks, build
from core.text.tokenizer import Tokenizer
from core.topics.generate.setup import start_ids
from core.topics.kv_cache import timing
from core.topics.kv_cache.records import CacheCheck, Timing
from core.topics.kv_cache.steps import cache_step, check_cache, unchanged
from core.topics.kv_cache.timing import lengths_in_reach, measure_length, timing_lengths
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from core.tracing.taps import RecordingTap

TEXT = "The cat sat on the mat"
CAUSAL = (CausalMask(),)


def fresh(architecture="decoder", dtype="float32", masks=CAUSAL, **more):
    config = replace(TransformerConfig(architecture, 1000, 16, 2, 2, max_length=40), **more)
    placement = Placement("cpu", dtype)
    run = Run(TEXT, config, "Le chat", "unigram-1000", masks, placement=placement)
    model = build(config, dtype=placement.torch_dtype)
    tokenizer = Tokenizer.load("unigram-1000")
    ids = start_ids(tokenizer, run)
    return model, tokenizer, run, (*ids, 5, 9, 7)


def seen(model, ids, record, source=None, mask: Masks | None = None):
    tap = RecordingTap(record)
    with torch.no_grad():
        model(source, torch.tensor([ids]), mask, tap=tap)
    return {key: value[0].float().numpy() for key, value in tap.seen.items()}


@pytest.mark.parametrize("positions", POSITIONS)
def test_a_step_shows_the_models_own_tensors(positions):
    model, tokenizer, run, ids = fresh(positions=positions)
    found = cache_step(model, tokenizer, run, ids, 1, HeadAddress("decoder", 1, 1))
    tensors = seen(model, ids, ("q", "k", "q_rotated", "k_rotated", "v", "masked_scores", "pattern", "z"))
    turned = "_rotated" if positions == "rotary" else ""
    for name, site in {"q": f"q{turned}", "k": f"k{turned}", "v": "v", "pattern": "pattern", "z": "z"}.items():
        np.testing.assert_allclose(getattr(found, name), tensors[f"decoder.1.{site}"][1], atol=1e-5)
    scores = tensors["decoder.1.masked_scores"][1]
    np.testing.assert_array_equal(np.isneginf(found.scores), np.isneginf(scores))
    np.testing.assert_allclose(found.scores[np.isfinite(scores)], scores[np.isfinite(scores)], atol=1e-5)
    assert (found.kept, found.new, len(found.pieces)) == (len(ids) - 1, 1, len(ids))
    assert set(found.differences) == {"q", "k", "v", "scores", "pattern", "z"}
    assert max(found.differences.values()) < 1e-5


def test_the_first_pass_keeps_nothing_and_several_rows_may_be_new():
    model, tokenizer, run, ids = fresh()
    first = cache_step(model, tokenizer, run, ids, len(ids), HeadAddress("decoder"))
    assert first.kept == 0 and max(first.differences.values()) == 0
    assert cache_step(model, tokenizer, run, ids, 3, HeadAddress("decoder")).kept == len(ids) - 3
    for wrong in (0, len(ids) + 1):
        with pytest.raises(ValueError, match=f"1 to {len(ids)} tokens can be new, not {wrong}"):
            cache_step(model, tokenizer, run, ids, wrong, HeadAddress("decoder"))
    with pytest.raises(ValueError, match="the model reads 1 to 40 tokens, not 41"):
        cache_step(model, tokenizer, run, (5,) * 41, 1, HeadAddress("decoder"))


def test_the_sources_keys_are_all_kept_after_the_first_pass():
    model, tokenizer, run, ids = fresh("encoder-decoder")
    place = HeadAddress("decoder", 1, 0, cross=True)
    found = cache_step(model, tokenizer, run, ids, 1, place)
    source = tokenizer.encode(TEXT, limit=40).ids
    assert found.kept == len(source) == len(found.key_pieces) == len(found.k)
    tensors = seen(model, ids, ("k", "v", "pattern"), torch.tensor([source]))
    for name in ("k", "v", "pattern"):
        np.testing.assert_allclose(getattr(found, name), tensors[f"decoder.1.cross.{name}"][0], atol=1e-5)
    assert found.differences["k"] == found.differences["v"] == 0
    assert cache_step(model, tokenizer, run, ids, len(ids), place).kept == 0


def test_rows_stand_still_under_the_causal_mask_and_move_without_it():
    model, tokenizer, run, ids = fresh()
    found = unchanged(model, tokenizer, run, ids)
    assert found.rows == len(ids) - 1 and found.masked.max() < 1e-5
    before, after = (
        seen(model, read, ("k", "v"), mask=Masks(decoder=unmasked(len(read), len(read)))) for read in (ids[:-1], ids)
    )
    expected = [
        [np.abs(after[f"decoder.{n}.{site}"][:, :-1] - before[f"decoder.{n}.{site}"]).max() for site in ("k", "v")]
        for n in range(2)
    ]
    np.testing.assert_allclose(found.unmasked, expected, atol=1e-5)
    assert found.unmasked[0].max() < 1e-5 < 1e-2 < found.unmasked[1].min()
    assert unchanged(model, tokenizer, run, ids[:1]).rows == 0


@pytest.mark.parametrize("architecture", ["decoder", "encoder-decoder"])
@pytest.mark.parametrize("masks", [CAUSAL, (CausalMask(), SlidingWindowMask(2))])
def test_the_answer_is_the_same_at_every_step(architecture, masks):
    model, tokenizer, run, ids = fresh(architecture, masks=masks)
    found = check_cache(model, tokenizer, run, ids, len(ids) - 3)
    assert found.lengths == tuple(range(len(ids) - 3, len(ids) + 1))
    assert max(found.difference) < 1e-4 and found.agreed == 4 and found.size > 0.1
    one = check_cache(model, tokenizer, run, ids[:1], 1)
    assert one.lengths == (1,) and one.agreed == 1


def test_in_bfloat16_too_and_disagreement_is_counted():
    model, tokenizer, run, ids = fresh(dtype="bfloat16")
    found = check_cache(model, tokenizer, run, ids, 1)
    assert max(found.difference) < 0.1 and found.size < 100
    assert CacheCheck((1, 2), (0.0, 0.1), ("a", "b"), ("a", "c"), 1.0).agreed == 1


def test_lengths_run_up_to_the_whole_context():
    assert timing_lengths(1) == (1,)
    assert timing_lengths(256) == (1, 43, 85, 128, 171, 213, 256)
    assert timing_lengths(5) == (1, 2, 3, 4, 5)


def measured(lengths: Sequence[int], seconds: float, architecture: str = "decoder") -> list[Timing]:
    """What is measured at these lengths in so many seconds."""
    model, tokenizer, run, _ = fresh(architecture)
    found: list[Timing] = []
    for length, part in lengths_in_reach(run.config, lengths, seconds, found):
        found.append(measure_length(model, tokenizer, run, length, part))
    return found


@pytest.mark.parametrize("architecture", ["decoder", "encoder-decoder"])
def test_measuring_goes_through_every_length_and_orders_its_quartiles(architecture):
    found = measured((40, 1, 20), 5.0, architecture)
    assert [each.length for each in found] == [1, 20, 40]
    for each in found:
        assert 1 <= each.runs <= 15 and each.spent > 0
        for low, middle, high in (each.with_cache, each.without):
            assert 0 < low <= middle <= high


def test_measuring_ends_when_its_time_is_over():
    assert [each.length for each in measured((1, 20, 40), 0.0)] == [1, 20], "two tell how time grows"


def test_what_is_measured_is_not_measured_again_and_the_rest_shares_the_time_that_is_left():
    config = fresh()[2].config
    found = [Timing(1, 15, (0, 0.1, 1), (0, 0.1, 1), spent=2.0)]
    rest = list(lengths_in_reach(config, (40, 1, 20), 5.0, found))
    assert rest == [(20, 1.5), (40, 3.0)]


def test_a_length_that_would_take_too_long_is_not_begun(monkeypatch):
    """Without the cache 1 token takes 0.1 s and 20 take 0.3: 40 would take about 0.5, three times, and 0.1 twice."""
    rounds = {1: [(0.1, 0.1)], 20: [(0.1, 0.3)], 40: [(0.1, 9.0)]}
    monkeypatch.setattr(timing, "_rounds", lambda ready, ids, seconds: np.array(rounds[ids.shape[1]]))
    assert [each.length for each in measured((1, 20, 40), 1.0)] == [1, 20]
    assert [each.length for each in measured((1, 20, 40), 2.0)] == [1, 20, 40]
