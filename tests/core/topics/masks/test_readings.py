"""The arithmetic of an empty row, the formula of a mask, and what is said of several masks."""

import numpy as np

from core.topics.masks.readings import empty_row_arithmetic, read_batch_masks, read_leak_tests, write_masked_softmax


def test_an_empty_row_is_worked_out_with_its_own_numbers() -> None:
    text = empty_row_arithmetic(2, np.full(4, np.nan), np.zeros(4), 3.14159)
    lines = text.splitlines()
    assert lines[0].startswith("row 2") and lines[1].endswith("0 ÷ 0 is NaN: [NaN, NaN, NaN, …]")
    assert lines[2] == "this model     weights [0, 0, 0, …], so z = 0" and lines[3].endswith("output: 3.142")
    assert "…" not in empty_row_arithmetic(0, np.full(2, np.nan), np.zeros(2), 1.0)


def test_the_mask_is_a_term_of_the_softmax() -> None:
    latex = write_masked_softmax(7)
    assert latex.count(r"\underset{7 \times 7}") == 3 and r"\\ -\infty & \text{otherwise}" in latex
    assert latex.count(r"\qquad") == 1


def test_notes_of_several_masks_say_only_what_is_so() -> None:
    wrong = ["zeros after", "0 for −∞"]
    ways = "“zeros after” and “0 for −∞” are wrong ways to apply the mask block 4."
    assert read_leak_tests(1, "block 4", wrong, padded=False) == []
    assert read_leak_tests(9, "block 4", wrong, padded=True) == [ways]
    first, second = read_leak_tests(9, "block 4", wrong, padded=False)
    assert first == ways and second.startswith("There is no padding")


def test_notes_of_a_batch_name_the_other_mask_and_why_nothing_is_seen() -> None:
    some, none = np.array([0.0, 0.1]), np.zeros(2)
    assert read_batch_masks("none", some) == []
    assert read_batch_masks("block 4", some) == ["The other mask, block 4, acts in all three."]
    assert [len(read_batch_masks(other, none)) for other in ("none", "causal")] == [1, 2]
