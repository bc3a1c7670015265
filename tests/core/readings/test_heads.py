"""Sentences about heads, choices of tokens and treatments of patterns, on cases worked by hand."""

import numpy as np

from core.analysis.heads import LIMITS, head_table
from core.readings.descriptors import DESCRIPTORS, descriptor_named
from core.readings.heads import (
    name_joined,
    name_shares,
    read_alike,
    read_change,
    read_compared,
    read_contributions,
    read_descriptor,
    read_heads_of,
    read_none_off,
    read_projections,
    read_rollout,
    read_rollout_limits,
    read_row,
    read_training_step,
    read_trial,
    read_variation,
    why_all_missing,
    why_missing,
)
from tests.core.analysis_patterns import looks_at

ENTROPY, INDUCTION = DESCRIPTORS[0], DESCRIPTORS[-1]
LABELS = ("0:a", "1:b", "2:c")


def test_a_row_is_read_from_its_largest_weight_down() -> None:
    row = np.array([0.1, 0.5, 0.15, 0.25], dtype=np.float32)
    said = read_row(row, "q", 0, ("a", "b", "c", "d"))
    assert said == "“q” gives 50% to “b”, 25% to “d”, 15% to “c” and 10% to the others."
    assert read_row(np.array([0.0, 1.0]), "q", 0, "ab") == "“q” gives 100% to “b”."
    assert read_row(np.zeros(2), "q", 0, "ab") == "“q” attends to nothing that is shown."
    the = ("0:the", "1:cat", "2:the")
    again = read_row(np.array([0.5, 0.25, 0.25]), the, 2, the)
    assert again == "the second “the” gives 50% to the first “the”, 25% to “cat” and 25% to itself."


def test_the_vectors_are_counted_and_the_longest_named() -> None:
    q, k, v = np.array([[3.0, 4], [1, 0]]), np.array([[0.0, 1], [0, 2]]), np.array([[1.0], [-6]])
    said = read_projections(q, k, v, ("x", "y"), ("m", "n"), 1)
    assert said == (
        "In this head “y” becomes a query of 2 numbers.",
        "The longest query is that of “x”, the longest key that of “n” and the longest value that of “n”: by length "
        "5.00, 2.00 and 6.00.",
    )
    passed = read_projections(q, k, v, ("·x", "y"), ("m", "n"), 0)
    assert passed[1].startswith("The longest query of a word is that of “y”, the longest key that")
    alike = read_projections(q, k, k, ("x", "y"), ("x", "y"), 1)
    assert alike[0] == "In this head “y” becomes three vectors: a query, a key and a value of 2 numbers each."
    other = read_projections(q, k, v, ("x", "y"), ("x", "y"), 0)
    assert other[0] == "In this head “x” becomes three vectors: a query and a key of 2 numbers and a value of 1."


def test_contributions_name_the_largest_share_and_the_difference() -> None:
    said = read_contributions(np.array([0.25, 0.75]), 2.4e-7, 4, 1)
    measured = "Shares are measured by the lengths of what the heads add."
    sums = "The 2 heads' contributions and W_O's bias add up to the output: largest difference 2.4·10⁻⁷."
    assert said == ["In layer 5, head 2 adds most: 75% of all that the heads add.", measured, sums]
    other = read_contributions(np.array([0.25, 0.75]), 2.4e-7, 4, 0)
    assert other == [said[0], "Head 1 adds 25%.", measured, sums]
    alike = read_contributions(np.array([0.5, 0.5]), 2.4e-7, 4, 1)
    assert alike == ["All heads add equally much: 50% each.", measured, sums]
    assert read_contributions(np.array([1.0]), 0.0, 4, 0)[0].startswith("The head's contribution and W_O's bias add up")
    assert read_contributions(np.zeros(2), 0.0, 4, 1)[0] == "No head adds anything."


def test_the_concatenation_says_which_columns_are_the_chosen_heads() -> None:
    assert name_joined(4, 16, 1) == "z of 4 heads side by side; columns 16–31 are head 2's"
    assert name_joined(4, 1, 3) == "z of 4 heads side by side; column 3 is head 4's"


def test_a_descriptor_is_read_for_the_chosen_head_and_the_extremes() -> None:
    table = head_table(np.stack([[looks_at([0, 0, 0]), np.full((3, 3), 1 / 3, np.float32)]]))
    said = read_descriptor(ENTROPY, table.column("entropy"), (0, 1))
    assert said == (
        "Layer 1 · head 2 spreads its attention most, layer 1 · head 1 least.",
        "Layer 1 · head 2 has 1.58 bits. The highest is 1.58 bits (layer 1 · head 2), the lowest 0 bits "
        "(layer 1 · head 1).",
    )
    alone = head_table(looks_at([0, 0])[None, None])
    assert read_descriptor(ENTROPY, alone.column("entropy"), (0, 0)) == (
        "Layer 1 · head 1 is the only head here with this number.",
        "Layer 1 · head 1 has 0 bits.",
    )
    same = head_table(np.stack([[looks_at([0, 0]), looks_at([0, 0])]]))
    assert read_descriptor(ENTROPY, same.column("entropy"), (0, 0)) == (
        "This number is the same for every head.",
        "Layer 1 · head 1 has 0 bits, like every head.",
    )


def test_a_missing_score_says_why() -> None:
    table = head_table(looks_at([0, 0, 0])[None, None], ids=[1, 2, 3])
    assert read_descriptor(INDUCTION, table.column("induction"), (0, 0)) == (why_missing(INDUCTION, cross=False),)
    assert "repeats" in why_missing(INDUCTION, cross=False)
    assert "different texts" in why_missing(INDUCTION, cross=True)
    assert "different texts" not in why_missing(ENTROPY, cross=True)


def test_alike_heads_are_named() -> None:
    alike = np.array([[1, 0.2, 0.5], [0.2, 1, 0.9], [0.5, 0.9, 1]])
    said = read_alike(alike, ((0, 0), (0, 1), (1, 0)), (0, 0))
    assert said == (
        "Of all pairs, layer 1 · head 2 and layer 2 · head 1 are most alike.",
        "Their similarity is 0.90. Layer 1 · head 1 is most like layer 2 · head 1 (0.50).",
    )
    assert read_alike(np.ones((2, 2)), ((0, 0), (0, 1)), (0, 0)) == ("All pairs of heads are equally alike: 1.00.",)
    (alone,) = read_alike(np.ones((1, 1)), ((0, 0),), (0, 0))
    assert alone == "There is only one head, so there is nothing to compare it with."


def test_rollout_is_read_as_what_reaches_a_token() -> None:
    reached = np.array([[0.5, 0.5], [0.25, 0.75]], dtype=np.float32)
    said = read_rollout(reached, ("0:a", "1:b"))
    assert said == (
        "On average 62% of what a token holds is its own.",
        "The largest share from another is 50%: “a” holds it from “b”.",
    )
    own = ("On average 100% of what a token holds is its own, and nothing comes from another.",)
    assert read_rollout(np.eye(2, dtype=np.float32), ("a", "b")) == own
    assert read_rollout(np.ones((1, 1), np.float32), ("a",)) == ("“a” is the only token: 100% of it is its own.",)


def test_variation_names_the_pattern_that_changed_most() -> None:
    first = np.ma.masked_array([[0, 0], [0.2, 0.1]], mask=[[True, True], [False, False]])
    assert read_variation({"encoder": first}).startswith("The pattern of layer 2 · head 1 changed most: 20%")
    cross = np.ma.masked_array([[0.3, 0.4], [0, 0]], mask=False)
    said = read_variation({"decoder": first, "cross-attention": cross})
    assert said.startswith("The pattern of layer 1 · head 2 in cross-attention changed most: 40%")
    unreached, unmoved = np.ma.masked_all((2, 2)), np.ma.masked_array(np.zeros((2, 2)), mask=False)
    assert "no attention comes after" in read_variation({"encoder": unreached})
    assert "though attention comes after" in read_variation({"decoder": unreached, "cross": unmoved})


def test_the_weight_that_changed_most() -> None:
    before = np.array([[0.5, 0.5], [0.2, 0.8]], dtype=np.float32)
    after = np.array([[0.4, 0.6], [0.6, 0.4]], dtype=np.float32)
    said = read_change("Layer 1 · head 1", before, after, ("0:a", "1:b"), ("0:x", "1:y"))
    assert said == "The weight of “x” for “b” changed most: from 20% to 60%."
    slight = read_change("Layer 1 · head 1", before, before + np.diag([0, 1e-3]), ("0:a", "1:b"), ("0:x", "1:y"))
    assert slight == "The weight of “y” for “b” changed most: by 0.1%."
    same = read_change("Layer 1 · head 1", before, before, ("0:a", "1:b"), ("0:x", "1:y"))
    assert same == "Layer 1 · head 1 looks where it looked: none of its weights changed."


def test_every_column_of_the_table_is_described() -> None:
    assert tuple(each.field for each in DESCRIPTORS) == tuple(LIMITS)


def test_every_descriptor_says_what_the_heads_at_its_ends_do() -> None:
    values = np.ma.masked_array([[0.25, 0.5]], mask=False)
    for each in DESCRIPTORS:
        headline, _ = read_descriptor(each, values, (0, 0))
        most, least = each.extremes
        assert headline == f"Layer 1 · head 2 {most}, layer 1 · head 1 {least}."


def test_a_descriptor_is_found_by_its_name_and_says_its_measure() -> None:
    assert all(descriptor_named(each.name) is each for each in DESCRIPTORS)
    assert (ENTROPY.measure, INDUCTION.measure) == ("bits", "shares from 0 to 1")


def test_all_missing_scores_are_explained() -> None:
    table = head_table(looks_at([0, 0, 0])[None, None], ids=[1, 2, 3])
    repeated = [why_missing(descriptor_named(name), cross=False) for name in ("Duplicate token", "Induction")]
    assert why_all_missing(table, cross=False) == repeated
    assert why_all_missing(head_table(looks_at([0, 0, 0])[None, None], ids=[1, 1, 1]), cross=False) == []


def test_heads_left_out_of_a_comparison_are_counted() -> None:
    assert read_compared(2, ((0, 0), (0, 1))) is None
    assert read_compared(6, ((2, 0), (2, 1))) == "6 heads are too many to compare: these are layer 3's."


def test_rollout_says_what_it_takes_attention_for() -> None:
    plain, crossed = read_rollout_limits(False, False), read_rollout_limits(True, True)
    assert "there are no residual connections here" in plain and "cross-attention" not in plain
    assert "half of each layer is the token itself" in crossed and "cross-attention is left out too" in crossed


def test_the_step_of_training_is_named() -> None:
    assert read_training_step(None, 2000) == "The weights at the end of training, after 2,000 steps."
    assert read_training_step(300, 2000) == "The weights after 300 of 2,000 steps."
    assert read_training_step(0, 2000) == "The random weights before training."


def test_the_heads_that_are_off_are_named() -> None:
    assert read_heads_of("decoder", cross=False) == "These are heads of the decoder's self-attention."
    assert read_heads_of("decoder", cross=True) == "These are heads of cross-attention."
    assert read_none_off(1, 0) == "No head is switched off yet: this is a trial without layer 2 · head 1."
    assert read_trial(1, 0, "Layer 3 moved most.") == "Without layer 2 · head 1, layer 3 moved most."


def test_titles_of_one_head_do_not_speak_of_many() -> None:
    assert name_joined(1, 16, 0) == "z of the one head"
    assert name_shares(np.ones((1, 2))) == "The head's share, token by token: columns sum to 1"
    some = name_shares(np.array([[0.5, 0], [0.5, 0]]))
    assert some == "Each head's share, token by token: columns sum to 1; those of tokens that get nothing are zeros"
