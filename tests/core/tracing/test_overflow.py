"""Numbers too large for their format: one sentence that names the layer, and the layers before still there."""

import numpy as np
import pytest
import torch

from core.analysis.heads import entropy, head_table
from core.model.masks import CausalMask
from core.topics.heads import ablation, all_heads
from core.topics.self_attention import one_head
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress, attention_module
from core.tracing.run import Overflow, Run, execute, prepare
from tests.core.topics.heads.test_head_and_heads import TOKENIZER, run_of, small, view


def growing(architecture: str = "encoder") -> Run:
    return small(architecture, layers=12, norm_position="none", activation="swiglu", d_model=64, heads=4)


def first_overflow(run: Run) -> int:
    """Counted in the open, layer by layer, from 0."""
    model, inputs = loading.fresh_model(run.config, run.placement), prepare(run, TOKENIZER)
    stack = run.config.stacks[0]
    with torch.inference_mode():
        ids = inputs.ids(stack, "cpu")
        assert ids is not None
        x = model.embed_ids(ids)
        for number, block in enumerate(getattr(model, stack)):
            x = block(x, None)
            if not x.isfinite().all():
                return number
    raise AssertionError("nothing overflows")


def test_the_first_layer_that_overflows_is_named_and_those_before_are_shown() -> None:
    run = growing()
    layer = first_overflow(run)
    sentence = f"The numbers overflow in layer {layer + 1}, because nothing normalises them: "
    assert 0 < layer < 11
    for function in (all_heads.patterns, all_heads.projections, all_heads.contributions, one_head.head):
        view(function, run, HeadAddress("encoder", layer - 1))
        with pytest.raises(Overflow, match=sentence):
            view(function, run, HeadAddress("encoder", 11))
    for later, more in ((all_heads.behaviours, ()), (all_heads.mixing, ()), (ablation.ablate, ((),))):
        with pytest.raises(Overflow, match=sentence):
            view(later, run, HeadAddress(), *more)
    record = view(all_heads.overview, run, HeadAddress())
    assert layer <= len(record.thumbs) < 12 and np.isfinite(record.thumbs).all()
    assert record.overflow is not None and record.overflow.startswith(sentence)


def test_of_two_stacks_the_sentence_names_which() -> None:
    with pytest.raises(Overflow, match=r"in layer \d+ of the encoder, because"):
        view(all_heads.patterns, growing("encoder-decoder"), HeadAddress("decoder", 11, cross=True))


def test_masked_scores_may_be_minus_infinity_and_other_sites_may_not() -> None:
    run = run_of(small("decoder").config, masks=(CausalMask(),))
    model, inputs = loading.fresh_model(run.config, run.placement), prepare(run, TOKENIZER)
    assert execute(model, run, inputs, ["masked_scores"])["decoder.0.masked_scores"].isneginf().any()
    with torch.no_grad():
        attention_module(model, HeadAddress("decoder", 1)).w_q.bias[:] = float("inf")
    with pytest.raises(Overflow, match="in layer 2: float32 cannot hold them"):
        execute(model, run, inputs, ["decoder.1.pattern"])
    execute(model, run, inputs, ["decoder.0.pattern"])


def test_a_pattern_of_nan_is_never_read_as_zeros() -> None:
    pattern = np.full((1, 1, 2, 2), np.nan)
    for read in (entropy, head_table):
        with pytest.raises(ValueError, match="infinite or none at all"):
            read(pattern)
