"""Sentences about heads with names, written out for numbers that are known."""

from core.analysis.head_names import KINDS, NamedHead
from core.topics.heads.readings.names import (
    FORMULAS,
    MEANINGS,
    name_entry,
    name_label,
    read_kind,
    read_more,
    read_name_threshold,
    read_named,
    write_name,
)

BACK, ORDER = NamedHead(2, 4, "previous_token", 0.91, 0.2), NamedHead(0, 1, "in_order", 0.876, 0.15)


def test_entries_bear_their_number() -> None:
    assert name_entry(BACK) == "layer 3 · head 5, 91%" and name_entry(ORDER) == "layer 1 · head 2, 0.88"
    assert name_label(BACK) == "looks one word back, 91%" and name_label(None) == "no plain label"


def test_the_clearest_comes_first_and_the_rest_is_counted() -> None:
    said = "The clearest is layer 3 · head 5: looks one word back (91%). 37 heads have no plain label on this text."
    assert read_named([BACK, ORDER], 37) == said
    assert read_named([ORDER], 1).endswith("(0.88). 1 head has no plain label on this text.")
    assert read_named([ORDER], 0).endswith("Every head has a plain label on this text.")
    assert read_named([], 12) == "12 heads have no plain label on this text."


def test_heads_beyond_the_list_are_named_all_the_same() -> None:
    assert read_more([BACK, ORDER]) == "And layer 3 · head 5, 91%; layer 1 · head 2, 0.88."


def test_the_threshold_is_said() -> None:
    assert "above one half" in read_name_threshold(48) and "48 heads with random weights" in read_name_threshold(48)
    assert read_kind("induction", 0.259).endswith("Random weights reach 26%.")
    assert write_name("own_token", 0.3).endswith(r"s > \max\big(\tfrac12,\; 0.300\big)")


def test_every_kind_has_words_and_a_formula() -> None:
    assert set(KINDS) == set(MEANINGS) and set(KINDS) <= set(FORMULAS)
