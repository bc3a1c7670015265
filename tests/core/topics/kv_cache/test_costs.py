"""What a page is told of a KV cache's costs: the sums of its terms, and bytes worked by hand."""

import numpy as np

from core.analysis.kv_costs import operations, total, with_cache, without_cache
from core.model.config import TransformerConfig
from core.topics.kv_cache.costs import costs_along, lengths_up_to, memory_along, step_costs

SMALL = TransformerConfig("decoder", 50, 16, 4, 2, max_length=32)


def test_a_step_s_terms_are_those_of_its_two_passes() -> None:
    found = step_costs(SMALL, 10, 0, 3)
    assert dict(zip(found.terms, found.with_cache.tolist(), strict=True)) == operations(SMALL, with_cache(10, 0, 3))
    assert found.without.tolist() == list(operations(SMALL, without_cache(10)).values())
    first = step_costs(SMALL, 3, 0, 3)
    np.testing.assert_array_equal(first.with_cache, first.without)


def test_along_the_text_each_point_is_one_more_token() -> None:
    found = costs_along(SMALL, 32, 5)
    assert found.lengths == tuple(range(1, 33))
    assert (
        found.with_cache[9] == total(SMALL, with_cache(10, 5)) < found.without[9] == total(SMALL, without_cache(10, 5))
    )


def test_bytes_by_hand() -> None:
    """2 layers of 4 heads with keys and values of 4 numbers: 64 numbers for each token."""
    found = memory_along(SMALL, 10, 32, 5, 3, "bfloat16")
    assert (found.now, found.token, found.number) == (3 * 64 * 15 * 2, 3 * 64 * 2, 2)
    assert found.kept[-1] == 3 * 64 * 37 * 2 and len(found.kept) == len(found.lengths) == 32


def test_lengths_reach_from_one_to_the_limit() -> None:
    assert lengths_up_to(1) == (1,) and lengths_up_to(3) == (1, 2, 3)
    many = lengths_up_to(512)
    assert len(many) == 64 and (many[0], many[-1]) == (1, 512) and sorted(set(many)) == list(many)
