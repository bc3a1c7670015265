"""What is said of a model's parts, for the cases that differ in their words."""

import numpy as np
import pytest

from core.topics.architecture.readings.counts import (
    read_check,
    read_costs,
    read_grouped,
    read_kept_while_writing,
    read_size,
    read_total,
    read_training,
)
from core.topics.architecture.readings.drawing import read_drawing, read_three


@pytest.mark.parametrize(
    ("worked", "said"),
    [
        (
            (0.9, 0.1),
            (
                "The largest share of the parameters is in the feed-forward, and so is the largest share of the work.",
                "In the feed-forward are 62% of 1,000 parameters and 90% of the 2 thousand multiply-adds of one pass.",
            ),
        ),
        (
            (0.4, 0.6),
            (
                "The largest share of the parameters is in the feed-forward, the largest share of the work in the "
                "logits.",
                "In the feed-forward are 62% of 1,000 parameters, in the logits 60% of the 2 thousand multiply-adds of "
                "one pass.",
            ),
        ),
    ],
)
def test_most_of_both_is_one_part_or_two(worked, said):
    assert read_costs(["feed-forward", "logits"], np.array([0.62, 0.38]), 1000, np.array(worked), 2000) == said


@pytest.mark.parametrize(
    ("published", "exact", "said"),
    [
        (0, True, ("A has 970 parameters.", "")),
        (970, True, ("A has 970 parameters, exactly as many as were published.", "")),
        (
            1000,
            False,
            ("A has 970 parameters, 3% fewer than were published.", " Published were 1k, which is rounded."),
        ),
        (960, True, ("A has 970 parameters, 1% more than were published.", " Published were 1k.")),
    ],
)
def test_a_total_beside_the_published_one(published, exact, said):
    headline, below = said
    assert read_total("A", 970, published, "1k", exact) == (headline, f"They are counted from its sizes.{below}")


def test_a_model_is_compared_with_the_one_above():
    assert read_size("A", 1644, 100) == "A has 16 times as many parameters as this page's model (100)."
    assert read_size("A", 100, 160) == "This page's model (160) has 1.6 times as many parameters as A."
    assert read_size("A", 9, 9) == "A has as many parameters as this page's model."


def test_training_tells_what_grows_with_the_texts():
    assert read_training(1024 * 5, 1024, "norms", 0.5, 2, 256) == (
        "Training on 2 texts like this one takes 5 KiB of memory.",
        "The 256 parameters take 4 KiB of it, four numbers each, whatever the texts; 1 KiB is kept for the backward "
        "pass, 50% of it by norms.",
    )
    assert read_training(2, 1, "norms", 0.5, 1, 1)[0] == "Training on this text takes 2 bytes of memory."


def test_writing_tells_two_lengths_where_there_are_two():
    headline, said = read_kept_while_writing((3, 9), (1024, 3072), 1, 2048, (10, 30))
    assert headline == "A longer text keeps more keys and values, while the weights stay the same."
    assert said.startswith("At 3 tokens a text keeps 1 KiB of keys and values, and 3 KiB at 9; the weights take 2 KiB")
    assert said.endswith("the newest token would take 20 multiply-adds more.")
    alone = read_kept_while_writing((1,), (1024,), 2, 2048, (10, 10))
    assert alone == (
        "The keys and values are kept beside the weights while a text is written.",
        "At 1 token 2 texts keep 1 KiB of keys and values; the weights take 2 KiB, however long the text.",
    )


def test_the_drawing_tells_where_the_parameters_are():
    assert read_drawing(200, [3, 3], 150, 50) == [
        "The encoder reads your text, the decoder writes; the purple line joins them.",
        "75% of the parameters are in the layers, 25% in the tables of tokens.",
        "The model has 200 parameters in all, and 3 + 3 layers.",
    ]
    alone = read_drawing(200, [1], 150, 50)
    assert alone[0] == "Your text goes in at the top and passes 1 layer on its way down."
    assert alone[2].endswith("and 1 layer.")


@pytest.mark.parametrize(
    ("encoder", "decoder", "said"),
    [
        (10, 10, "An encoder-decoder has the most parameters: it is an encoder and a decoder, with cross-attention."),
        (30, 10, "An encoder has the most parameters at these sizes."),
        (10, 30, "A decoder has the most parameters at these sizes."),
    ],
)
def test_the_largest_of_three_is_named(encoder, decoder, said):
    headline, below = read_three(encoder, decoder, 20, 2)
    assert headline == said and below.endswith("an encoder-decoder has 20, of which cross-attention is 10%.")


def test_a_count_that_is_not_pytorchs_says_so():
    assert read_check(1000, 1000) == "PyTorch counts the same 1,000 parameters in the module itself."
    assert read_check(990, 1000).endswith("1,000 parameters in the module itself, 10 apart.")


def test_grouped_queries_are_told_only_where_there_are_any():
    assert read_grouped(8, 8) == "" and "32 heads of queries share 8 heads" in read_grouped(32, 8)
