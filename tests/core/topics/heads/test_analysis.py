"""Which tokens are shown, and which are hidden."""

import numpy as np
import pytest

from core.topics.heads.analysis import HIDEABLE, largest, to_hide


def test_the_largest_keep_the_order_of_the_text() -> None:
    assert largest(np.array([0.3, 0.1, 0.9, 0.3]), 2).tolist() == [0, 2]
    assert largest(np.array([1.0]), 5).tolist() == [0]


def test_tokens_to_hide() -> None:
    pieces, ids = ("the", ",", "the", "...", "end"), (5, 6, 5, 7, 8)
    assert to_hide(("punctuation",), pieces, ids) == (1, 3)
    assert to_hide(("first token", "last token"), pieces, ids) == (0, 4)
    assert to_hide(("repeated tokens",), pieces, ids) == (2,)
    assert to_hide(HIDEABLE, pieces, ids) == (0, 1, 2, 3, 4)
    assert to_hide((), pieces, ids) == ()
    with pytest.raises(ValueError, match="verbs"):
        to_hide(("verbs",), pieces, ids)
