"""The norm at one token: what the model made is what the arithmetic makes, for every kind and place of norm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.config import TransformerConfig
from core.model.transformer import build
from core.topics.block.norms import LAST_NORM, norm, norm_names
from core.tracing.run import execute, prepare
from tests.core.strategies import configs
from tests.core.topics.block.test_stream import LETTERS, run_of


@given(configs(), st.data())
def test_the_sum_is_what_the_models_own_norm_gave(config: TransformerConfig, data: st.DataObject) -> None:
    run = run_of(config)
    stack = run.config.stacks[-1]
    which = data.draw(st.sampled_from(norm_names(run, stack)))
    layer = data.draw(st.integers(0, config.layers - 1))
    found = norm(build(run.config), LETTERS, run, stack, layer, which, 1)
    assert (found.made is None) == (config.norm_position == "none" and which != LAST_NORM)
    assert found.error < 1e-4
    assert found.kind == config.norm


def test_the_norm_before_attention_reads_the_stream() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=2, norm_position="pre", positions="rotary"))
    model = build(run.config)
    found = norm(model, LETTERS, run, "decoder", 1, "attention", 2)
    seen = execute(model, run, prepare(run, LETTERS), ["resid_pre", "attn_in"])
    np.testing.assert_allclose(found.own.x, seen["decoder.1.resid_pre"][0, 2].numpy())
    assert found.made is not None
    np.testing.assert_allclose(found.made, seen["decoder.1.attn_in"][0, 2].numpy())


def test_both_kinds_agree_where_the_mean_is_zero() -> None:
    run = run_of(TransformerConfig("encoder", d_model=8, heads=2, layers=1, norm_position="pre", positions="none"))
    model = build(run.config)
    table = model.embed.weight.data
    table -= table.mean(1, keepdim=True)
    found = norm(model, LETTERS, run, "encoder", 0, "attention", 0)
    assert found.cosine == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(found.own.normalised, found.other.normalised, atol=1e-5)


def test_a_norm_that_is_not_there_is_refused() -> None:
    run = run_of(TransformerConfig("encoder", d_model=8, heads=2, layers=1))
    model = build(run.config)
    with pytest.raises(ValueError, match="no norm 'cross-attention' here: choose attention, feed-forward"):
        norm(model, LETTERS, run, "encoder", 0, "cross-attention", 0)
    with pytest.raises(ValueError, match="no token 4: the text has 4"):
        norm(model, LETTERS, run, "encoder", 0, "attention", 4)
