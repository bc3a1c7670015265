"""The records of heads: each holds the very tensors of a plain trace."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from core.analysis.aggregate import rollout
from core.analysis.heads import HEADS_COMPARED, entropy, head_table, row_mean, similarity
from core.model.attention import MultiHeadAttention
from core.model.config import TransformerConfig
from core.model.masks import CausalMask, PaddingMask
from core.model.tap import Tap
from core.readings.descriptors import DESCRIPTORS
from core.text.tokenizer import Tokenizer
from core.topics.heads import all_heads
from core.topics.heads.all_heads import THUMB
from core.topics.heads.records import MOST_NUMBERS
from core.topics.self_attention import one_head
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head
from core.tracing.run import Run, execute, prepare
from core.tracing.taps import ALL
from core.tracing.trace import Trace
from tests.core.strategies import configs

TOKENIZER = Tokenizer.load("unigram-1000")
TEXT, TARGET = "the cat saw the cat", "a dog sat"


def run_of(config: TransformerConfig, text: str = TEXT, length: int = 512, **fields: Any) -> Run:
    config = replace(config, vocab_size=TOKENIZER.vocab_size, max_length=length)
    target = TARGET if config.has_two_stacks else ""
    return Run(text, config, target, "unigram-1000", **fields)


def small(architecture: str = "encoder", **fields: Any) -> Run:
    sizes: dict[str, Any] = {"d_model": 12, "heads": 3, "layers": 2, "vocab_size": 1} | fields
    return run_of(TransformerConfig(architecture=architecture, **sizes))


def places(config: TransformerConfig) -> list[HeadAddress]:
    last = (config.layers - 1, config.heads - 1)
    found = [HeadAddress(stack, *last) for stack in config.stacks]
    return [*found, HeadAddress("decoder", *last, cross=True)] if config.has_two_stacks else found


def traced(run: Run) -> Trace:
    return execute(loading.fresh_model(run.config, run.placement), run, prepare(run, TOKENIZER), ALL)


def view(function: Callable[..., Any], run: Run, place: HeadAddress, *more: object):
    return function(loading.fresh_model(run.config, run.placement), TOKENIZER, run, place, *more)


def close(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Equal but for the rounding of the layers below, which add heads up in another order when all are recorded."""
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


@given(configs())
@settings(max_examples=15)
def test_records_hold_the_tensors_of_the_trace(config: TransformerConfig) -> None:
    run = run_of(config, length=16)
    seen = traced(run)
    for place in places(run.config):
        here = {site: seen[place.prefix + site][0].numpy() for site in ("q", "k", "v", "pattern", "z", "attn_out")}
        parts = seen[place.prefix + "head_out"][0].numpy()
        head, projected = view(one_head.head, run, place), view(all_heads.projections, run, place)
        added, patterns = view(all_heads.contributions, run, place), view(all_heads.patterns, run, place)
        for site in ("q", "k", "v"):
            close(getattr(projected, site), here[site])
            close(getattr(head, site), here[site][place.head])
        close(patterns.pattern, here["pattern"])
        close(head.pattern, here["pattern"][place.head])
        close(head.out, parts[place.head])
        close(added.z, here["z"])
        close(added.every, parts)
        close(added.mine, parts[place.head])
        close(added.attn_out, here["attn_out"])
        np.testing.assert_allclose(added.mine + added.others + added.b_o, added.attn_out, atol=1e-5)
        assert added.difference <= 1e-5


def test_shares_are_lengths_of_contributions() -> None:
    run = small()
    place = HeadAddress("encoder", 1, 2)
    parts = traced(run)[place.prefix + "head_out"][0].numpy()
    lengths = np.sqrt((parts**2).sum(-1))
    added = view(all_heads.contributions, run, place)
    np.testing.assert_allclose(added.by_token, lengths / lengths.sum(0), rtol=1e-5)
    np.testing.assert_allclose(added.share, lengths.sum(1) / lengths.sum(), rtol=1e-5)


def test_heads_that_add_nothing_have_no_share() -> None:
    run = run_of(small().config, masks=(PaddingMask(),), pads=2)
    edits = tuple(ablate_head(run.config, 0, head) for head in range(3))
    added = view(all_heads.contributions, replace(run, edits=edits), HeadAddress())
    assert not added.by_token.any() and not added.share.any() and added.difference == 0


def test_a_head_cut_from_the_wrong_rows_of_w_o_does_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    right = MultiHeadAttention._join

    def wrong(self: MultiHeadAttention, z: torch.Tensor, tap: Tap) -> torch.Tensor:
        if not tap.touches("head_out"):
            return right(self, z, tap)
        parts = self.w_o.weight.unflatten(1, (-1, self.config.heads)).transpose(1, 2)  # every third column
        return tap("head_out", z @ parts.permute(1, 2, 0)).sum(1) + self.w_o.bias

    run, place = small(), HeadAddress("encoder", 1)
    assert view(all_heads.contributions, run, place).difference < 1e-5
    monkeypatch.setattr(MultiHeadAttention, "_join", wrong)
    assert view(all_heads.contributions, run, place).difference > 0.1


def test_large_contributions_are_not_kept_one_by_one() -> None:
    run = run_of(small(d_model=96).config, text="cat " * 500)
    queries = len(prepare(run, TOKENIZER).rows["encoder"])
    assert 3 * queries * 96 <= MOST_NUMBERS and view(all_heads.contributions, run, HeadAddress()).every is not None
    run = run_of(small(d_model=384).config, text="cat " * 500)
    added = view(all_heads.contributions, run, HeadAddress())
    assert added.every is None
    np.testing.assert_allclose(added.mine + added.others + added.b_o, added.attn_out, atol=1e-4)


def test_thumbnails_of_short_texts_are_the_patterns() -> None:
    run = small("encoder-decoder")
    seen = traced(run)
    for place in places(run.config):
        patterns = np.stack([seen[replace(place, layer=n).prefix + "pattern"][0].numpy() for n in range(2)])
        record = view(all_heads.overview, run, place)
        np.testing.assert_allclose(record.thumbs, patterns, rtol=1e-3, atol=1e-6)
        assert record.tile == 1 and record.overflow is None
        assert np.abs(record.shades().astype(int) - np.round(patterns * 255)).max() <= 1
        assert record.shades(record.largest_weight).max() == 255
        hidden = traced(run)[place.prefix + "masked_scores"][0, 0] == -np.inf
        np.testing.assert_array_equal(record.hidden, hidden)


def test_thumbnails_of_long_texts_keep_the_largest_weight_of_each_tile() -> None:
    run = run_of(small().config, text="the cat sat on a mat " * 30)
    pattern = traced(run)["encoder.1.pattern"][0, 2].numpy()
    record = view(all_heads.overview, run, HeadAddress())
    thumb, tile = record.thumbs[1, 2], -(-len(pattern) // THUMB)
    assert record.tile == tile == 4
    for i, j in ((0, 0), (3, 5), (len(thumb) - 1, len(thumb) - 1)):
        cells = pattern[i * tile : (i + 1) * tile, j * tile : (j + 1) * tile]
        assert thumb[i, j] == pytest.approx(float(cells.max()), rel=1e-3)
    assert not record.hidden.any()
    causal = view(all_heads.overview, replace(run, masks=(CausalMask(),)), HeadAddress())
    np.testing.assert_array_equal(causal.hidden, ~np.tri(len(thumb), dtype=bool))


@pytest.mark.parametrize("architecture", ["encoder", "decoder", "encoder-decoder"])
def test_behaviours_describe_the_patterns(architecture: str) -> None:
    run = small(architecture)
    seen = traced(run)
    for place in places(run.config):
        patterns = np.stack([seen[replace(place, layer=n).prefix + "pattern"][0].numpy() for n in range(2)])
        record = view(all_heads.behaviours, run, place)
        expected = head_table(patterns, None if place.cross else record.queries.ids)
        for each in DESCRIPTORS:
            mine, theirs = record.table.column(each.field), expected.column(each.field)
            np.testing.assert_array_equal(mine.mask, theirs.mask)
            close(mine.filled(0), theirs.filled(0))
        close(record.alike, similarity(patterns))
        assert record.compared == tuple((layer, head) for layer in range(2) for head in range(3))


@pytest.mark.parametrize("hidden", [True, False])
def test_padding_is_no_text_to_the_descriptors(hidden: bool) -> None:
    config, mask = small().config, (PaddingMask(),) if hidden else ()
    run = run_of(config, "a cat saw", masks=mask, pads=4)
    written = len(prepare(run, TOKENIZER).rows["encoder"]) - 4
    record = view(all_heads.behaviours, run, HeadAddress())
    assert record.table.duplicate_token.mask.all() and record.table.induction.mask.all()
    patterns = np.stack([traced(run)[f"encoder.{n}.pattern"][0].numpy() for n in range(2)])[:, :, :written]
    close(record.table.entropy, np.ma.stack([row_mean(each, entropy(each)) for each in patterns]))
    close(record.alike, similarity(patterns))
    if hidden:
        same = view(all_heads.behaviours, run_of(config, "a cat saw"), HeadAddress())
        for each in DESCRIPTORS:
            close(record.table.column(each.field).filled(-1), same.table.column(each.field).filled(-1))
        close(record.alike, same.alike)


def test_of_many_heads_only_those_of_the_layer_are_compared() -> None:
    run = small(d_model=32, heads=16, layers=4)
    assert HEADS_COMPARED < 64
    record = view(all_heads.behaviours, run, HeadAddress("encoder", 2))
    assert record.compared == tuple((2, head) for head in range(16))
    pattern = traced(run)["encoder.2.pattern"].numpy()
    close(record.alike, similarity(pattern))


@pytest.mark.parametrize("residual", [True, False])
def test_mixing_is_the_average_or_the_rollout(residual: bool) -> None:
    run = small(residual=residual)
    patterns = np.stack([traced(run)[f"encoder.{n}.pattern"][0].numpy() for n in range(2)])
    close(view(all_heads.mixing, run, HeadAddress()).layers, patterns.mean(1))
    rolled = view(all_heads.mixing, run, HeadAddress(), True).layers
    close(rolled, rollout(patterns, residual))


def test_rollout_of_cross_attention_is_refused() -> None:
    with pytest.raises(ValueError, match="two texts"):
        view(all_heads.mixing, small("encoder-decoder"), HeadAddress("decoder", cross=True), True)
