"""What the brush is sent and what it may send back."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.limits import PAINTING_STROKES
from core.topics.masks.analysis.painting import stroke
from pages.attention.masks.brush import LastStroke
from pages.canvas.mask_paint.mask_paint import MaskPaint, valid_strokes
from tests.pages.screen import HOSTILE, unpack


def test_the_brush_gets_masks_that_fit_its_labels() -> None:
    mask = np.tri(2, dtype=bool)
    plain: dict[str, Any] = {"key": "k", "name": "m", "title": "t", "sets": lambda _: None}
    meta, arrays = unpack(MaskPaint(mask, ~mask, ["0:a", HOSTILE], **plain, outlined=1, refused="no").packed())
    assert meta["labels"][1] == HOSTILE and meta["outlined"] == 1 and meta["refused"] == "no"
    np.testing.assert_array_equal(arrays["mask"], mask)
    np.testing.assert_array_equal(arrays["base"], ~mask)
    for wrong in (np.ones((2, 3), bool), np.ones((3, 3), bool)):
        with pytest.raises(ValueError, match="2 labels do not fit"):
            MaskPaint(wrong, wrong, ["a", "b"], **plain)


def test_strokes_by_hand() -> None:
    good: dict[str, Any] = {"length": 3, "strokes": [{"cells": [0, 8], "may": True}, {"cells": [4], "may": False}]}
    assert valid_strokes(good, 3) == [([0, 8], True), ([4], False)]
    assert valid_strokes(good, 4) == [], "a stroke on the mask of another text"
    for cells in ([], [9], [-1], [1.0], [True], "12", None, list(range(9)) * 2):
        assert valid_strokes({"length": 3, "strokes": [{"cells": cells, "may": True}]}, 3) == [], cells
    for strokes in (None, 3, [None], [{"cells": [0]}], [{"cells": [0], "may": 1}], good["strokes"] * PAINTING_STROKES):
        assert valid_strokes({"length": 3, "strokes": strokes}, 3) == []


def paints_noise() -> None:
    import numpy as np
    import streamlit as st

    from pages.attention.masks.brush import repainted
    from pages.attention.masks.settings import PAINTING

    base = np.ones((300, 300), bool)
    noise = np.flatnonzero(np.random.default_rng(0).random(90_000) < 0.5).tolist()
    st.session_state[PAINTING.key] = repainted(base, [([4], False)])[PAINTING.key]
    st.session_state.update(repainted(base, [([5], False), (noise, False)]))


def test_strokes_go_on_the_painting_as_it_stands_and_one_that_no_address_can_carry_is_left_out_and_said() -> None:
    at = AppTest.from_function(paints_noise).run()
    assert not at.exception
    assert at.session_state["masks-painting"] == stroke("", np.ones((300, 300), bool), [4, 5], False)
    assert "the last stroke is left out" in at.session_state["visit"].parts[LastStroke].refusal


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["length", "strokes", "cells", "may"]), inner | st.just(3))
    ),
    max_leaves=8,
)


@given(junk)
def test_only_cells_that_exist_are_painted(value: Any) -> None:
    for cells, may in valid_strokes(value, 3):
        assert set(cells) <= set(range(9)) and isinstance(may, bool)
