"""The mask that the page Generate shows is the one under which the text is written."""

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.model.masks import BlockMask, CausalMask, Mask, PaddingMask, PrefixMask, SlidingWindowMask
from core.model.transformer import build
from core.text.tokenizer import Tokenizer
from core.topics.generate import views
from core.topics.generate.setup import generation_mask
from core.tracing.run import Run

CONFIG = TransformerConfig("decoder", 1000, 16, 2, 2, max_length=40)
NOTHING_ELSE = [(), (CausalMask(),), (PaddingMask(), CausalMask()), (PrefixMask(4),)]


@pytest.mark.parametrize("masks", NOTHING_ELSE)
def test_a_text_is_written_under_the_causal_mask(masks: tuple[Mask, ...]) -> None:
    np.testing.assert_array_equal(generation_mask(Run("a", CONFIG, masks=masks), 5), np.tri(5, dtype=bool))


def test_a_window_of_one_leaves_a_token_and_its_neighbour() -> None:
    seen = generation_mask(Run("a", CONFIG, masks=(SlidingWindowMask(1),)), 4)
    assert seen.tolist() == [[True, False, False, False], [True, True, False, False], [False, True, True, False],
                             [False, False, True, True]]  # fmt: skip


@pytest.mark.parametrize("masks", [*NOTHING_ELSE, (SlidingWindowMask(2),), (BlockMask(3),)])
def test_weights_are_where_the_mask_allows_and_nowhere_else(masks: tuple[Mask, ...]) -> None:
    run = Run("The cat sat", CONFIG, tokenizer="unigram-1000", masks=masks)
    ids = (5, 300, 301, 302, 303, 304, 305)
    patterns = views.attentions(build(CONFIG), Tokenizer.load("unigram-1000"), run, ids).decoder
    np.testing.assert_array_equal(patterns > 0, np.broadcast_to(generation_mask(run, len(ids)), patterns.shape))
    np.testing.assert_array_equal(generation_mask(run, 1), [[True]])
