"""What is said of a model's parts, for the cases that differ in their words."""

import numpy as np
import pytest

from core.topics.architecture.readings.counts import (
    read_check,
    read_costs,
    read_grouped,
    read_kept_while_writing,
    read_total,
    read_training,
)


@pytest.mark.parametrize(
    ("worked", "said"),
    [
        (
            (0.9, 0.1),
            "Most parameters are in the feed-forward, 62% of 1,000; most of the work is there too, 90% of the 2",
        ),
        (
            (0.4, 0.6),
            "Most parameters are in the feed-forward, 62% of 1,000; most of the work is in the logits, 60% of the 2",
        ),
    ],
)
def test_most_of_both_is_one_part_or_two(worked, said):
    found = read_costs(["feed-forward", "logits"], np.array([0.62, 0.38]), 1000, np.array(worked), 2000)
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("published", "exact", "said"),
    [
        (0, True, "A has 970 parameters, counted from its sizes."),
        (970, True, "A has 970 parameters, counted from its sizes, exactly as published."),
        (1000, False, "A has 970 parameters, counted from its sizes: 3% less than the published 1k, which is rounded."),
        (960, True, "A has 970 parameters, counted from its sizes: 1% more than the published 1k."),
    ],
)
def test_a_total_beside_the_published_one(published, exact, said):
    assert read_total("A", 970, published, "1k", exact) == said


def test_training_tells_what_grows_with_the_texts():
    said = read_training(1024 * 5, 1024, "norms", 0.5, 2, 256)
    assert "on 2 texts like this one takes 5 KiB. The 256 parameters take 4 KiB" in said
    assert "1 KiB is kept for the backward pass, 50% of it by norms" in said
    assert "Training on this text takes" in read_training(2, 1, "norms", 0.5, 1, 1)


def test_writing_tells_two_lengths_where_there_are_two():
    said = read_kept_while_writing((3, 9), (1024, 3072), 1, 2048, (10, 30))
    assert said.startswith("At 3 tokens a text keeps 1 KiB of keys and values, and 3 KiB at 9; the weights take 2 KiB")
    assert said.endswith("the newest token would take 20 multiply-adds more.")
    alone = read_kept_while_writing((1,), (1024,), 2, 2048, (10, 10))
    assert alone == "At 1 token 2 texts keep 1 KiB of keys and values; the weights take 2 KiB, however long the text."


def test_a_count_that_is_not_pytorchs_says_so():
    assert read_check(1000, 1000) == "PyTorch counts the same 1,000 parameters in the module itself."
    assert read_check(990, 1000).endswith("1,000 parameters in the module itself, 10 apart.")


def test_grouped_queries_are_told_only_where_there_are_any():
    assert read_grouped(8, 8) == "" and "32 heads of queries share 8 heads" in read_grouped(32, 8)
