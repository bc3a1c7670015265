"""Sentences about heads with names, written out for numbers that are known."""

import numpy as np

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
    read_shown,
    read_why_several,
    write_name,
)

BACK, ORDER = NamedHead(2, 4, "previous_token", 0.91, 0.2), NamedHead(0, 1, "in_order", 0.876, 0.15)


def test_entries_bear_their_number() -> None:
    assert name_entry(BACK) == "layer 3 · head 5, 91%" and name_entry(ORDER) == "layer 1 · head 2, 0.88"
    assert name_label(BACK) == "looks one word back, 91%" and name_label(None) == "no plain label"
    assert read_shown(BACK) == ["In layer 3 · head 5 a token mostly looks one word back."] and read_shown(None) == []
    again = NamedHead(2, 4, "induction", 0.68, 0.1)
    said = "a repeated token mostly finds what came after it last time."
    assert read_shown(again) == [f"In layer 3 · head 5 {said}"]
    assert read_named([again], 1)[0].endswith("there each repeated token finds what came after it last time.")


def test_the_clearest_comes_first_and_the_rest_is_counted() -> None:
    assert read_named([BACK, ORDER], 37) == (
        "The clearest is layer 3 · head 5: there each token looks one word back.",
        "Its score is 91%. 37 heads have no plain label on this text.",
    )
    assert read_named([ORDER], 1)[1] == "Its score is 0.88. 1 head has no plain label on this text."
    assert read_named([ORDER], 0)[1] == "Its score is 0.88. Every head has a plain label on this text."
    assert read_named([], 12) == ("12 heads have no plain label on this text.",)


def test_two_heads_that_look_at_different_words_say_why_there_are_several() -> None:
    rows = [np.array([0.75, 0.25]), np.array([0.125, 0.875])]
    said = read_why_several([(0, 0), (3, 0)], rows, ("0:the", "1:cat"), 1, ("0:the", "1:cat"))
    assert said == (
        "Why several heads? From “cat” one looks most at “the”, the other at itself.",
        "The first is layer 1 · head 1, with 75% of its attention; the other is layer 4 · head 1, with 88%.",
    )


def test_heads_beyond_the_list_are_named_all_the_same() -> None:
    assert read_more([BACK, ORDER]) == "And layer 3 · head 5, 91%; layer 1 · head 2, 0.88."


def test_the_threshold_is_said() -> None:
    assert "above one half" in read_name_threshold(48) and "48 heads with random weights" in read_name_threshold(48)
    assert read_kind("induction", 0.259).endswith("Random weights reach 26%.")
    assert write_name("own_token", 0.3).endswith(r"s > \max\big(\tfrac12,\; 0.300\big)")


def test_every_kind_has_words_and_a_formula() -> None:
    assert set(KINDS) == set(MEANINGS) and set(KINDS) <= set(FORMULAS)
