"""Sentences made from data: the right words for known cases, and never a slip for any input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.heads import head_table
from core.readings import patterns as readings
from core.readings.words import percent
from core.text.labels import ORDINALS
from tests.core.analysis_patterns import looks_at, pattern_of, stacks

LABELS = ["0:the", "1:cat", "2:sat"]


def labels_for(length: int) -> list[str]:
    return [f"{index}:word" for index in range(length)]


def assert_sentence(text: str) -> None:
    assert text.endswith(".") and text.count("  ") == 0
    assert not any(slip in text for slip in ("nan", "inf", "None", "--", "masked_"))


def test_a_pattern_names_its_strongest_link() -> None:
    pattern = np.array([[0.4, 0.6, 0], [0.25, 0.5, 0.25], [0, 0.625, 0.375]])
    reading = readings.read_pattern(pattern, LABELS)
    assert reading.startswith("“sat” gives 62% of its attention to “cat”, the strongest link. On")
    spread = np.mean([2**0.9709506, 2**1.5, 2**0.9544340])
    assert 1.75 < spread < 2.5 and reading.endswith("On average each word looks at about two words.")


def test_a_token_that_gives_most_to_itself_is_named() -> None:
    pattern = np.array([[0.4, 0.6, 0], [0.1, 0.8, 0.1], [0.1, 0.625, 0.275]])
    reading = readings.read_pattern(pattern, LABELS)
    assert reading.startswith("“cat” gives 80% of its attention to itself, the strongest link. On")
    two_texts = readings.read_pattern(pattern, LABELS, LABELS)
    assert two_texts.startswith("“cat” gives 80% of its attention to “cat”, the strongest link. On")


def test_tokens_that_may_look_only_at_themselves_are_left_out_and_it_is_said() -> None:
    causal = np.array([[1, 0, 0], [0.3, 0.7, 0], [0.1, 0.3, 0.6]])
    reading = readings.read_pattern(causal, LABELS)
    apart = "the strongest link, not counting “the”, which looks only at itself. On average"
    assert reading.startswith(f"“cat” gives 70% of its attention to itself, {apart}")
    back = readings.read_pattern(np.array([[1, 0, 0], [0.8, 0.2, 0], [0.1, 0.3, 0.6]]), LABELS)
    assert back.startswith("“cat” gives 80% of its attention to “the”, the strongest link between two tokens. On")
    two = readings.read_link(np.array([[1, 0, 0], [0, 1, 0], [0.1, 0.3, 0.6]]), LABELS)
    assert two[:2] == (
        "“sat” gives 60% of its attention to itself, the strongest link, not counting tokens that look only at "
        "themselves.",
        "2 tokens look only at themselves.",
    )
    mark = readings.read_link(np.array([[1, 0, 0], [0.2, 0.8, 0], [0.1, 0, 0.9]]), ["0:the", "1:cat", "2:."])
    apart = "the strongest link of a word, not counting “the”, which looks only at itself."
    assert mark[0] == f"“cat” gives 80% of its attention to itself, {apart}"


def test_links_that_are_as_strong_are_counted_below() -> None:
    tied = readings.read_link(np.array([[0.25, 0.75, 0], [0, 0.25, 0.75], [0.5, 0.25, 0.25]]), LABELS)
    assert tied[:2] == (
        "“the” gives 75% of its attention to “cat”: no link is stronger.",
        "1 other link is as strong.",
    )
    pattern = np.array([[1, 0, 0], [0.75, 0.25, 0], [0.75, 0, 0.25]])
    both = readings.read_link(pattern, LABELS)
    assert both[0].endswith("to “the”: no link is stronger, not counting “the”, which looks only at itself.")
    assert readings.read_pattern(pattern, LABELS) == " ".join(both)


def test_cross_attention_has_no_diagonal_to_leave_out() -> None:
    reading = readings.read_pattern(np.array([[0.75, 0.25], [0.5, 0.5]]), ["0:le", "1:chat"], ["0:the", "1:cat"])
    assert reading.startswith("“le” gives 75% of its attention to “the”, the strongest link. On")
    (said, *_) = readings.read_link(np.array([[0.75, 0.25]]), ["1:le → chat"], ["0:the", "1:cat"])
    assert said == "To write “chat”, the model gives 75% of its attention to “the”, the strongest link."


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (np.ones((1, 1)), "“the” is the only token"),
        (np.eye(3), "Every query that may attend to anything gives all its attention to itself."),
        (np.zeros((3, 3)), "No query may attend to any key"),
        (np.full((3, 3), 1 / 3), "no link is stronger. 8 other links are as strong. On"),
        (looks_at([-1, 0, -1]), "“cat” gives 100% of its attention to “the”, the strongest link. On"),
    ],
)
def test_patterns_at_the_edges(pattern: np.ndarray, words: str) -> None:
    assert words in readings.read_pattern(pattern, LABELS[: len(pattern)])


def test_heads_by_hand() -> None:
    patterns = np.stack([np.full((3, 3), 1 / 3), looks_at([0, 0, 1]), looks_at([2, 2, 0]), np.eye(3)]).reshape(
        2, 2, 3, 3
    )
    reading = readings.read_heads(head_table(patterns, [1, 2, 3]))
    assert reading == (
        "Layer 1 · head 2 is the sharpest (tied with 2 others): each word looks at one word on average.",
        "Layer 2 · head 1 looks furthest: 1.7 tokens away on average.",
    )
    one = readings.read_heads(head_table(looks_at([0, 0])[None, None], [1, 2]))
    assert one == (
        "There is one head: each word looks at one word on average.",
        "It looks 0.50 tokens away on average.",
    )
    near = readings.read_heads(head_table(np.eye(2)[None, None].repeat(2, 1), [1, 2]))
    assert near[1] == "No head looks away from the token itself."
    assert readings.read_heads(head_table(np.zeros((1, 2, 2, 2)), [1, 2])) == ("No head attends to anything.",)


def test_the_scores_that_differ_most_by_direction() -> None:
    scores = np.array([[9.0, 4.0, 1.0], [2.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    said = "The query of “the” with the key of “cat” scores 4.00; the other way round it is 2.00."
    assert readings.read_mutual(scores, LABELS) == said
    same = "The scores are symmetric: swapping query and key changes none of them."
    assert readings.read_mutual(np.ones((2, 2)), LABELS[:2]) == same
    near = np.array([[0, 1.0], [1 + 1e-6, 0]])
    assert readings.read_mutual(near, LABELS[:2]) == "Swapping query and key hardly changes a score here."
    assert readings.read_mutual(np.ones((1, 1)), LABELS[:1]) == "One token alone has no other to swap places with."


def test_scores_by_hand() -> None:
    reading = readings.read_scores(np.array([[1.0, 4.0], [2.0, 0.0]]), LABELS[:2])
    largest = "The largest score is 4.00, the query of “the” with the key of “cat”"
    assert reading.startswith(f"{largest}; 9.5% of the scores' squared size")
    assert "symmetric: swapping" in readings.read_scores(np.ones((2, 2)), LABELS[:2])
    masked = np.array([[1.0, -np.inf], [2.0, 0.0]])
    assert (
        readings.read_scores(masked, LABELS[:2])
        == "The largest score is 2.00, the query of “cat” with the key of “the”."
    )
    assert readings.read_scores(np.full((2, 2), -np.inf), LABELS[:2]) == "Every score is masked."


def test_ablation_by_hand() -> None:
    changes = np.array([0.5, 0.25, 0.125])
    assert readings.read_ablation(changes, LABELS) == ("“the” moved most.", "Its output changed by 0.500.")
    tied = readings.read_ablation(np.array([0.0, 2.0, 2.0]), ["layer 1", "layer 2", "layer 3"], "layer")
    assert tied == ("Layer 2 moved most (tied with 1 other).", "Its output changed by 2.00.")
    assert readings.read_ablation(np.zeros(2), ["layer 1", "layer 2"], "layer") == ("No layer's output moved.",)
    one = readings.read_ablation(np.array([1.0]), ["layer 1"], "layer")
    assert one == ("Layer 1 moved.", "Its output changed by 1.00.")


def test_the_guess_that_changed_most_is_read_with_its_chances() -> None:
    pieces = [("bird", 0.51, 0.13), ("tree", 0.1, 0.3), ("cat", 0.2, 0.1)]
    assert readings.read_next("“green”", pieces) == (
        "After “green” the model goes on with “tree” instead of “bird”.",
        "“bird” had 51% before, “tree” has 30% now.",
    )
    assert readings.read_next("“green”", [("bird", 0.51, 0.31), ("tree", 0.1, 0.3)]) == (
        "After “green” the model still goes on with “bird”, now with 31% instead of 51%.",
    )
    assert readings.read_next("“a”", [("b", 0.5, 0.5)]) == ("No guess of the next token moved.",)


def test_masked_rows_by_hand() -> None:
    assert readings.read_masked_rows(np.eye(3), LABELS) is None
    one = readings.read_masked_rows(looks_at([0, -1, 0]), LABELS)
    assert one == "“cat” may attend to nothing, so its mix of values is all zeros."
    two = readings.read_masked_rows(looks_at([-1, -1, 0]), LABELS)
    assert two is not None and two.startswith("“the” and “cat” may attend to nothing")
    many = readings.read_masked_rows(np.zeros((9, 9)), labels_for(9))
    assert many is not None and "the fourth “word” and 5 more may attend" in many


@given(stacks(square=True))
def test_readings_hold_for_any_text(patterns: np.ndarray) -> None:
    labels = labels_for(patterns.shape[-1])
    assert_sentence(readings.read_pattern(patterns[0, 0], labels))
    for said in (
        readings.read_link(patterns[0, 0], labels),
        readings.read_heads(head_table(patterns, np.arange(len(labels)) % 2)),
        readings.read_ablation(patterns[0, 0, 0], labels),
    ):
        for sentence in said:
            assert_sentence(sentence)
    assert_sentence(readings.read_mutual(patterns[0, 0], labels))
    assert_sentence(readings.read_masked_rows(patterns[0, 0], labels) or "Nothing.")
    with np.errstate(divide="ignore"):
        scores = np.log(patterns[0, 0])
    assert_sentence(readings.read_scores(scores, labels))
    assert_sentence(readings.read_scores(patterns[0, 0], labels))


@given(stacks())
def test_readings_hold_for_any_two_texts(patterns: np.ndarray) -> None:
    queries, keys = (labels_for(length) for length in patterns.shape[-2:])
    assert_sentence(readings.read_pattern(patterns[0, 0], queries, keys))
    for sentence in readings.read_heads(head_table(patterns)):
        assert_sentence(sentence)
    assert_sentence(readings.read_scores(patterns[0, 0], queries, keys))


@given(st.integers(0, 999))
def test_the_strongest_link_is_the_largest_weight(seed: int) -> None:
    pattern = pattern_of(seed, (5, 5), sharpness=2.0)
    query, key = np.unravel_index(pattern.argmax(), pattern.shape)
    whom = "itself" if query == key else f"the {ORDINALS[key]} “word”"
    start = f"The {ORDINALS[query]} “word” gives {percent(pattern.max())} of its attention to {whom}"
    assert readings.read_pattern(pattern, labels_for(5)).startswith(start)


def test_the_matrix_behind_the_scores_is_named_and_read() -> None:
    assert readings.name_product(256, 256) == "W_Q W_Kᵀ"
    assert readings.name_product(1024, 256) == "W_Q W_Kᵀ, the first 256 of 1,024 rows and columns"
    assert "**25%** of its squared size is antisymmetric" in readings.read_cause(0.25)
    assert readings.write_look_up(7, 4).endswith(r"\qquad (1\times7)\cdot(7\times4)")


@pytest.mark.parametrize(
    ("mean", "said"),
    [
        (1.0, "one word"),
        (1.1, "little more than one word"),
        (1.5, "one or two words"),
        (1.8, "about two words"),
        (12.4, "about 12 words"),
    ],
)
def test_a_mean_is_said_in_words(mean: float, said: str) -> None:
    assert readings.about_words(mean) == said


def test_the_first_tokens_that_see_few_keys_do_not_count() -> None:
    """Under a causal mask the second of five words has two keys, and 90% of one of them says little."""
    pattern = np.tril(np.full((5, 5), 0.2)) + np.diag([0.8, 0, 0, 0.2, 0])
    pattern[1, :2], pattern[3, :4], pattern[4] = (0.9, 0.1), (0.1, 0.5, 0.2, 0.2), (0.1, 0.1, 0.6, 0.1, 0.1)
    labels = ["0:the", "1:cat", "2:sat", "3:on", "4:mats"]
    assert readings.read_link(pattern, labels)[:2] == (
        "“mats” gives 60% of its attention to “sat”.",
        "No other link is stronger, not counting the first three tokens, which see few others.",
    )
    assert readings.find_link(pattern, labels) == (4, 2)
    short = readings.read_link(pattern[:3, :3], labels[:3])[0]
    assert short.startswith("“cat” gives 90% of its attention to “the”"), "no token of a short text has four keys"
    hole = pattern.copy()
    hole[4] = 0  # the last token may attend to nothing: not only the first tokens see few keys
    assert readings.find_link(hole, labels) == (1, 0)


def test_the_link_that_is_framed_is_the_one_that_is_named() -> None:
    """The first token looks only at itself, so its 100% is not the strongest link."""
    pattern = np.array([[1.0, 0, 0], [0.2, 0.8, 0], [0.1, 0.3, 0.6]])
    labels = ["0:a", "1:cat", "2:sat"]
    assert readings.find_link(pattern, labels) == (1, 1) and readings.read_link(pattern, labels)[0].startswith(
        "“cat” gives 80%"
    )
    assert readings.find_link(np.eye(3), labels) is None
    assert readings.find_link(np.array([[0.4, 0.6]]), ["0:le"], ["0:the", "1:cat"]) == (0, 1)
