"""What lines and the soft dictionary refuse to draw, and to take from the browser."""

import numpy as np
import pytest

from pages.canvas.lines.lines import TokenLines, pinned_query, valid_threshold
from pages.canvas.soft_dictionary.soft_dictionary import SoftDictionary
from tests.browser.apps.lines_numbers import labels, look_up


@pytest.mark.parametrize(
    ("shape", "options", "said"),
    [
        ((1, 3, 2), {}, r"\(1, 3, 2\) do not fit 3 queries and 3 keys"),
        ((3, 3), {}, r"\(3, 3\) do not fit"),
        ((17, 3, 3), {}, "17 heads"),
        ((2, 3, 3), {"head_names": ["one"]}, "2 heads with 1 names"),
    ],
)
def test_lines_refuse_sizes_that_disagree(shape, options, said):
    with pytest.raises(ValueError, match=said):
        TokenLines(np.zeros(shape, np.float32), labels(3), labels(3), key="k", name="n", **options)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1, 1.1])
def test_lines_refuse_what_is_no_weight(bad):
    with pytest.raises(ValueError, match="between 0 and 1"):
        TokenLines(np.full((1, 3, 3), bad, np.float32), labels(3), labels(3), key="k", name="n")


@pytest.mark.parametrize(
    ("value", "query"),
    [(0, 0), (3, 3), (-1, -1), (4, None), (-2, None), (True, None), (1.0, None), ("1", None), (None, None), ({}, None)],
)
def test_only_a_query_of_this_picture_is_taken_from_the_browser(value, query):
    assert pinned_query(value, 4) == query


def test_the_dictionary_refuses_sizes_that_disagree_and_numbers_that_are_not_finite():
    scores, values = look_up(3, 2)
    allowed = np.ones(3, bool)
    with pytest.raises(ValueError, match=r"values \(2, 2\).*do not fit 3 keys"):
        SoftDictionary(scores, values[:2], allowed, "q", labels(3), key="k", name="n")
    with pytest.raises(ValueError, match="finite"):
        SoftDictionary(scores - np.inf, values, allowed, "q", labels(3), key="k", name="n")


@pytest.mark.parametrize("value", [True, "0.5", None, float("nan"), -0.1, 1.1, [0.5]])
def test_only_a_weight_is_taken_for_a_threshold(value):
    assert valid_threshold(value) is None
    assert valid_threshold(0.25) == 0.25 and valid_threshold(1) == 1.0
