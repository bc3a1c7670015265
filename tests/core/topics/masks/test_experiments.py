"""Experiments with masks on real models: what the mask forbids does not arrive, what it allows does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.masks import (
    BlockMask,
    CausalMask,
    Mask,
    PaddingMask,
    PrefixMask,
    SlidingWindowMask,
    explicit_mask,
    unmasked,
)
from core.model.transformer import Masks, build
from core.text.special import BOS, PAD
from core.text.tokenizer import Tokenizer
from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE
from core.topics.masks.analysis.painting import stroke
from core.topics.masks.batch import batched
from core.topics.masks.experiments import emptied, leak, masked, painted, ways
from core.topics.self_attention import one_head
from core.topics.shared.masked_run import inputs_under_mask, masked_head
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from core.tracing.trace import trace

CPU = Placement("cpu", "float32")
TEXT = "The cat saw the other cat and ran away from it"
CAUSAL = (CausalMask(),)
PRESETS: dict[str, tuple[Mask, ...]] = {
    "none": (),
    "causal": CAUSAL,
    "padding": (PaddingMask(),),
    "sliding window": (SlidingWindowMask(1),),
    "prefix": (PrefixMask(2),),
    "block": (BlockMask(3),),
}
ARCHITECTURES = ["encoder", "decoder", "encoder-decoder"]
Made = tuple[Any, Tokenizer, Run, HeadAddress]


@dataclass(frozen=True)
class Blocked(Mask):
    """A mask that the library does not have: some cells are hidden."""

    cells: tuple[tuple[int, int], ...]

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> torch.Tensor:
        mask = unmasked(queries, keys)
        for cell in self.cells:
            mask[cell] = False
        return mask


def fresh(architecture: str = "encoder", masks: tuple[Mask, ...] = CAUSAL, text: str = TEXT, **more: Any) -> Made:
    tokenizer = Tokenizer.load("unigram-1000")
    sizes: dict[str, Any] = {"vocab_size": tokenizer.vocab_size, "d_model": 16, "heads": 2, "layers": 3} | more
    config = TransformerConfig(architecture, **sizes)
    target = text if config.has_two_stacks else ""
    run = Run("A source" if target else text, config, target, "unigram-1000", masks)
    return build(config), tokenizer, run, HeadAddress(config.stacks[-1], 1, 1)


def trained(name: str, text: str, target: str = "") -> tuple[Any, Any, Run]:
    found = shipped.read(name)
    run = Run(text, found.config, target, masks=CAUSAL, source=found.source, format=found.format)
    return shipped.load(name, CPU), shipped.tokenizer(name), run


@pytest.mark.parametrize("layer", [0, 1])
def test_cross_attention_reads_the_whole_encoder_in_the_decoders_first_layer_too(layer: int) -> None:
    model, tokenizer, run, _ = fresh("encoder-decoder", PRESETS["causal"])
    place = HeadAddress("decoder", layer, 1, cross=True)
    inputs, _ = inputs_under_mask(run, tokenizer)
    key = place.prefix + "pattern"
    whole = trace(model, inputs.ids("encoder", "cpu"), inputs.ids("decoder", "cpu"), inputs.masks, record=[key])
    np.testing.assert_allclose(masked(model, tokenizer, run, place).pattern, whole[key][0, 1], atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_acts_as_the_frames_own_mask_does(architecture: str, preset: str) -> None:
    model, tokenizer, run, place = fresh(architecture, PRESETS[preset])
    found = masked(model, tokenizer, run, place)
    head = one_head.head(model, tokenizer, run, place)
    np.testing.assert_array_equal(found.mask, head.mask)
    np.testing.assert_allclose(found.pattern, head.pattern, atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_painting_acts_as_the_same_cells_blocked(architecture: str) -> None:
    model, tokenizer, run, place = fresh(architecture, ())
    size = len(masked(model, tokenizer, run, place).tokens)
    cells = [2 * size, 2 * size + 3, 4 * size + 1]
    painting = stroke("", np.ones((size, size), bool), cells, False)
    blocked = replace(run, masks=(Blocked(((2, 0), (2, 3), (4, 1))),))
    found, head = masked(model, tokenizer, run, place, painting), one_head.head(model, tokenizer, blocked, place)
    np.testing.assert_array_equal(found.mask, head.mask)
    np.testing.assert_allclose(found.pattern, head.pattern, atol=1e-6)
    alone = masked_head(model, tokenizer, blocked, place)
    np.testing.assert_array_equal(alone.mask, head.mask)
    np.testing.assert_allclose(alone.pattern, head.pattern, atol=1e-6)
    on_paper = painted(tokenizer, run, painting)
    np.testing.assert_array_equal(on_paper.mask, head.mask)
    assert on_paper.base.all()


def test_padding_stands_behind_the_text_that_is_masked() -> None:
    for architecture in ARCHITECTURES:
        _, tokenizer, run, place = fresh(architecture, PRESETS["padding"])
        inputs, base = inputs_under_mask(replace(run, pads=2), tokenizer)
        assert inputs.rows[place.stack].ids[-3:].count(PAD) == 2
        assert not base[:, -2:].any() and base[:, :-2].all()
        assert (inputs.rows[place.stack].ids[0] == BOS) == (architecture == "encoder-decoder")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_right_way_is_what_the_model_did(architecture: str) -> None:
    model, tokenizer, run, place = fresh(architecture, PRESETS["sliding window"])
    record, pattern = ways(model, tokenizer, run, place), masked(model, tokenizer, run, place).pattern
    np.testing.assert_allclose(record.weights[RIGHT_WAY], pattern, atol=1e-6)
    exps = np.exp(record.scores.astype(float))
    np.testing.assert_allclose(record.weights[ZEROS_AFTER], record.mask * exps / exps.sum(1, keepdims=True), atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_change_arrives_where_the_mask_lets_it_and_nowhere_else(architecture: str, preset: str) -> None:
    model, tokenizer, run, _ = fresh(architecture, PRESETS[preset])
    found = leak(model, tokenizer, run, "", 5)
    np.testing.assert_array_equal(found.layers > 0, found.reached)
    np.testing.assert_array_equal(found.final > 0, found.reached[-1])


@pytest.mark.parametrize("way", [ZEROS_AFTER, ZEROS_BEFORE])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_wrong_ways_leak_backward_under_a_causal_mask(architecture: str, way: str) -> None:
    model, tokenizer, run, _ = fresh(architecture)
    right, wrong = (leak(model, tokenizer, run, "", 5, way=each) for each in (RIGHT_WAY, way))
    assert not right.final[:5].any() and (wrong.final[:5] > 0).all()
    np.testing.assert_array_equal(right.layers[0], wrong.layers[0])


@pytest.mark.parametrize("way", [ZEROS_AFTER, ZEROS_BEFORE])
def test_every_way_is_the_model_itself_where_nothing_is_hidden(way: str) -> None:
    for architecture in ARCHITECTURES:
        model, tokenizer, run, _ = fresh(architecture, ())
        whole = replace(run, masks=(SlidingWindowMask(511),))
        own = leak(model, tokenizer, run, "", 5)
        np.testing.assert_allclose(leak(model, tokenizer, whole, "", 5, way=way).layers, own.layers, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [
        ("toy-copy", "abcdefgh", "abcdefgh"),
        ("storyteller-small", "Once upon a time there was a little dog.", ""),
        ("translator", "the black cat sleeps on the red chair .", "le chat noir dort sur la chaise rouge ."),
    ],
)
def test_a_trained_models_past_does_not_see_its_future(name: str, text: str, target: str) -> None:
    model, tokenizer, run = trained(name, text, target)
    found = leak(model, tokenizer, run, "", 4)
    assert not found.final[:4].any() and not found.layers[:, :4].any() and found.final[4] > 0
    assert leak(model, tokenizer, replace(run, masks=()), "", 4).final[:4].all()


def test_a_window_painted_by_hand_leaks_as_the_preset_does() -> None:
    model, tokenizer, run, place = fresh(masks=())
    window = replace(run, masks=PRESETS["sliding window"])
    mask = masked(model, tokenizer, window, place).mask
    painting = stroke("", np.ones_like(mask), np.flatnonzero(~mask).tolist(), False)
    by_hand, preset = leak(model, tokenizer, run, painting, 5), leak(model, tokenizer, window, "", 5)
    np.testing.assert_array_equal(by_hand.layers, preset.layers)
    assert [np.ptp(np.flatnonzero(layer)) for layer in preset.layers] == [0, 2, 4, 6]


def test_which_token_takes_the_place() -> None:
    model, tokenizer, run, _ = fresh()
    assert leak(model, tokenizer, run, "", 1, "dog").piece == tokenizer.encode("dog").labels[0]
    labels = tokenizer.encode(TEXT).labels
    assert leak(model, tokenizer, run, "", 1).piece in set(labels) - {labels[1]}
    with pytest.raises(ValueError, match="already is token 1: nothing would change"):
        leak(model, tokenizer, run, "", 1, tokenizer.encode(TEXT).text.split()[1])
    with pytest.raises(ValueError, match=r"no token 400: the last of the \d+ is"):
        leak(model, tokenizer, run, "", 400)
    alone = replace(run, text="a")
    assert leak(model, tokenizer, alone, "", 0).final.max() > 0


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_empty_row_is_zeros_here_and_nan_that_spreads_with_a_plain_softmax(architecture: str) -> None:
    model, tokenizer, run, place = fresh(architecture)
    base = inputs_under_mask(run, tokenizer)[1]
    painting = stroke("", base, range(2 * len(base), 3 * len(base)), False)
    found = emptied(model, tokenizer, run, place, painting)
    assert found.rows == (2,) and not found.pattern[2].any() and np.isnan(found.naive[2]).all()
    assert not np.isnan(np.delete(found.naive, 2, 0)).any()
    assert np.flatnonzero(found.broken[1]).tolist() == [2], "after one layer only the row itself"
    assert found.broken[2].all(), "NaN times a weight of 0 is NaN, so then every row"
    assert not found.broken[0].any() and np.isfinite(found.largest)
    whole = emptied(model, tokenizer, run, place)
    assert whole.rows == () and not whole.broken.any()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "alibi"])
def test_padding_changes_nothing_where_it_is_hidden(architecture: str, positions: str) -> None:
    model, tokenizer, run, place = fresh(architecture, (), positions=positions)
    found = batched(model, tokenizer, run, place, "The cat saw")
    size = len(found.moved_hidden)
    assert found.short == 1 and found.alone.shape == (size, size) and size < len(found.rows[1])
    assert found.rows[1].ids[size:] == (PAD,) * (len(found.rows[0]) - size)
    assert found.moved_hidden.max() < 1e-5 < 1e-2 < found.moved_seen.max()
    np.testing.assert_allclose(found.hidden[:size, :size], found.alone, atol=1e-5)
    assert not found.hidden[:, size:].any() and found.seen[:size, size:].all()
    several = architecture == "encoder-decoder"
    short = replace(run, target="The cat saw") if several else replace(run, text="The cat saw")
    np.testing.assert_allclose(found.alone, masked(model, tokenizer, short, place).pattern, atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("preset", ["none", "causal", "sliding window"])
def test_the_shorter_text_is_what_it_is_in_the_batch_of_both(architecture: str, preset: str) -> None:
    model, tokenizer, run, place = fresh(architecture, PRESETS[preset])
    found = batched(model, tokenizer, run, place, "The cat saw")
    both = torch.tensor([row.ids for row in found.rows])
    source = torch.tensor([tokenizer.encode(run.text).ids] * 2) if architecture == "encoder-decoder" else None
    size, longest = len(found.moved_seen), both.shape[1]
    for masks, pattern in (((*run.masks, PaddingMask()), found.hidden), (run.masks, found.seen)):
        mask = explicit_mask(masks, longest, longest, [longest, size])
        texts = (both, None) if place.stack == "encoder" else (source, both)
        batch = trace(model, *texts, Masks(**{place.stack: mask}), record=[place.prefix + "pattern"])
        np.testing.assert_allclose(batch[place.prefix + "pattern"][1, place.head], pattern, atol=1e-6)


def test_what_stands_behind_is_not_seen_under_a_causal_mask() -> None:
    model, tokenizer, run, place = fresh("decoder")
    found = batched(model, tokenizer, run, place, TEXT + " and then home")
    size = len(found.moved_seen)
    assert found.short == 0 and found.moved_seen.max() < 1e-5
    assert not found.seen[:size, size:].any()


def test_the_second_text_is_the_first_half_unless_another_is_given() -> None:
    model, tokenizer, run, place = fresh(masks=())
    first, second = batched(model, tokenizer, run, place).rows
    half = len(first) // 2
    assert second.ids[:half] == first.ids[:half] and second.ids[half:] == (PAD,) * (len(first) - half)
    assert len(batched(model, tokenizer, run, place, TEXT).moved_seen) == len(first), "equal texts have no padding"
    copier, letters, letters_run = trained("toy-copy", "abc", "abc")
    with pytest.raises(ValueError, match="In the second text"):
        batched(copier, letters, letters_run, HeadAddress("decoder"), "Ω")
