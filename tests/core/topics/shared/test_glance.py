"""What a change of a setting is told by: a run's sizes and one head's small pattern, against what is really built."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.model.config import TransformerConfig
from core.model.masks import CausalMask
from core.text.tokenizer import Tokenizer
from core.topics.self_attention import one_head
from core.topics.shared import loading
from core.topics.shared.glance import MAX_SIDE_CELLS, glance, tiled
from core.topics.shared.places import HeadAddress, attention_module
from core.tracing.run import Run

TOKENIZER = Tokenizer.load("unigram-1000")
CONFIG = TransformerConfig("decoder", vocab_size=1000, d_model=12, heads=3, layers=2, d_k=5, d_v=2)
RUN = Run("the cat sat on the mat", CONFIG, tokenizer="unigram-1000", masks=(CausalMask(),))


@pytest.mark.parametrize("changes", [{}, {"tied": False}, {"positions": "learned"}, {"score": "additive"}])
def test_sizes_and_parameters_are_those_of_the_built_model(changes: dict[str, Any]) -> None:
    run = replace(RUN, config=replace(CONFIG, **changes))
    model = loading.fresh_model(run.config, run.placement)
    found = glance(model, TOKENIZER, run, HeadAddress("decoder", 1, 2))
    assert found.parameters == sum(parameter.numel() for parameter in model.parameters())
    attention = attention_module(model, HeadAddress("decoder", 1))
    for name, linear in (("all W_Q of a layer", attention.w_q), ("all W_V of a layer", attention.w_v)):
        outputs, inputs = linear.weight.shape
        assert found.sizes[name] == f"{inputs} × {outputs}"


def test_the_pattern_is_the_heads_and_the_masked_cells_are_hidden() -> None:
    model, place = loading.fresh_model(CONFIG, RUN.placement), HeadAddress("decoder", 1, 2)
    found, whole = glance(model, TOKENIZER, RUN, place), one_head.head(model, TOKENIZER, RUN, place)
    np.testing.assert_allclose(np.where(whole.mask, found.pattern, 0), whole.pattern, atol=1e-6)
    assert np.isneginf(found.pattern[~whole.mask]).all() and found.tile == 1
    length = len(whole.queries)
    assert found.sizes["pattern"] == f"{length} × {length}"
    assert found.sizes["cells that may attend"] == length * (length + 1) // 2


def test_a_long_text_is_tiled_and_no_weight_is_lost() -> None:
    model = loading.fresh_model(CONFIG, RUN.placement)
    run = replace(RUN, text="cat " * (2 * MAX_SIDE_CELLS + 1))
    found, whole = (
        glance(model, TOKENIZER, run, HeadAddress("decoder")),
        one_head.head(model, TOKENIZER, run, HeadAddress("decoder")),
    )
    assert max(found.pattern.shape) <= MAX_SIDE_CELLS and found.tile == -(-len(whole.queries) // MAX_SIDE_CELLS) > 1
    assert found.pattern.max() == pytest.approx(float(whole.pattern.max()), abs=1e-6)


def test_tiles_by_hand() -> None:
    patterns = torch.tensor([[[0.1, 0.9, 0.0], [0.2, 0.3, 0.5], [0.6, 0.0, 0.4]]])
    small, tile = tiled(patterns, 2)
    assert tile == 2 and torch.equal(small, torch.tensor([[[0.9, 0.5], [0.6, 0.4]]]))
    assert tiled(patterns, 3)[1] == 1
