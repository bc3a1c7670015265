"""The lenses on models of parts made elsewhere: what they show is what the model computed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis import arithmetic
from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.topics.architecture.drawn import drawn_model
from core.topics.architecture.flow import flow
from core.topics.architecture.three import three_models
from core.topics.architecture.whole import whole_model
from core.topics.block.norms import norm, norm_names
from core.topics.block.pairs import TextPair
from core.topics.block.patching import rest_of_run
from core.topics.block.stream import step_count, stream
from core.topics.heads.all_heads import contributions, projections
from core.topics.journey.stages import journey
from core.topics.kv_cache.steps import cache_step, check_cache, unchanged
from core.topics.self_attention import cells
from core.topics.self_attention.grids import MAKERS, grid
from core.topics.self_attention.one_head import head
from core.topics.self_attention.steps import MAKERS as STEPS
from core.topics.self_attention.steps import make_step
from core.topics.shared.glance import glance
from core.topics.shared.places import HeadAddress, mask_of
from core.tracing.run import Run, execute, prepare
from tests.core.oracles import fill
from tests.core.strategies import parts_of_others
from tests.core.topics.block.test_stream import LETTERS, run_of

MODELS = parts_of_others(vocab_size=LETTERS.vocab_size)


def made(config: TransformerConfig) -> tuple[Transformer, Run, HeadAddress]:
    """A model, a run, and the last head of the last block of its last stack."""
    run = run_of(config)
    stack = run.config.stacks[-1]
    return (
        fill(build(run.config)).requires_grad_(False),
        run,
        HeadAddress(stack, run.config.depth(stack) - 1, run.config.heads - 1),
    )


@settings(max_examples=25, deadline=None)
@given(MODELS)
def test_every_number_of_a_head_agrees_with_its_arithmetic(config: TransformerConfig) -> None:
    model, run, place = made(config)
    record = head(model, LETTERS, run, place)
    np.testing.assert_array_equal(record.mask, record.pattern > 0)
    written: list[arithmetic.Arithmetic] = []

    def note(result: arithmetic.Arithmetic, name: str) -> str:
        written.append(result)
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "as_text", note)
        for name in MAKERS:
            try:
                values = grid(record, name).values
            except ValueError:
                continue
            for row, col in np.ndindex(min(3, len(values)), min(4, values.shape[1])):
                assert cells.cell(record, name, row, col).text
    assert all(each.agrees for each in written)
    for step in STEPS:
        assert make_step(record, step, "keys").latex


@settings(max_examples=25, deadline=None)
@given(MODELS)
def test_pages_of_heads_show_the_keys_that_each_head_reads(config: TransformerConfig) -> None:
    model, run, place = made(config)
    found, seen = projections(model, LETTERS, run, place), head(model, LETTERS, run, place)
    np.testing.assert_array_equal(found.k[place.head], seen.k)
    np.testing.assert_array_equal(found.v[place.head], seen.v)
    assert contributions(model, LETTERS, run, place).difference < 1e-4
    along = journey(model, LETTERS, run, place)
    np.testing.assert_array_equal(along.stages["k"].values, seen.k)
    np.testing.assert_array_equal(along.allowed, mask_of(prepare(run, LETTERS), place))
    first = replace(place, layer=0)  # in a model cut behind its first layer
    weights = head(model, LETTERS, run, first)
    seen_small = np.where(weights.mask, weights.pattern, -np.inf)
    np.testing.assert_allclose(glance(model, LETTERS, run, first).pattern, seen_small, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(MODELS, st.data())
def test_the_stream_and_its_norms_are_the_models(config: TransformerConfig, data: Any) -> None:
    model, run, place = made(config)
    found = stream(model, LETTERS, run, place.stack, 1)
    assert len(found.steps) == step_count(run, place.stack)
    last = f"{place.prefix}resid_post"
    seen = execute(model, run, prepare(run, LETTERS), [last])[last][0, 1]
    np.testing.assert_allclose(found.steps[-1].after, seen.numpy(), atol=1e-5)
    which = data.draw(st.sampled_from(norm_names(run, place.stack)))
    assert norm(model, LETTERS, run, place.stack, place.layer, which, 1).error < 1e-4


@settings(max_examples=25, deadline=None)
@given(MODELS)
def test_the_drawing_counts_and_follows_every_part(config: TransformerConfig) -> None:
    model, run, place = made(config)
    whole = whole_model(run, prepare(run, LETTERS).rows)
    plan = drawn_model(whole, place.layer)
    assert len(flow(model, LETTERS, run, place.layer, place.head).steps) == sum(len(pile.boxes) for pile in plan.piles)
    assert len(three_models(whole)) == 3


@settings(max_examples=20, deadline=None)
@given(parts_of_others(vocab_size=LETTERS.vocab_size, architecture="decoder"))
def test_the_cache_keeps_what_is_computed_without_it(config: TransformerConfig) -> None:
    model, run, place = made(config)
    ids = prepare(run, LETTERS).rows["decoder"].ids
    assert max(cache_step(model, LETTERS, run, ids, 1, place).differences.values()) < 1e-4
    assert max(check_cache(model, LETTERS, run, ids, 1).difference) < 1e-4
    assert unchanged(model, LETTERS, run, ids).masked.max() < 1e-4


@settings(max_examples=20, deadline=None)
@given(MODELS)
def test_one_block_run_alone_is_the_block_in_the_model(config: TransformerConfig) -> None:
    """What a changed stream comes to is run on from there, layer by layer."""
    model, run, place = made(config)
    inputs, stack = prepare(run, LETTERS), place.stack
    pair = TextPair(inputs, inputs, stack, run.config.depth(stack), (), 0, 0)
    seen = execute(model, run, inputs, [*(f"{each}.final" for each in config.stacks), f"{stack}.0.resid_pre"])
    with torch.inference_mode():
        again = rest_of_run(model, pair, seen[f"{stack}.0.resid_pre"], 0, seen)
    np.testing.assert_allclose(again.numpy(), seen[f"{stack}.final"].numpy(), atol=1e-5)
