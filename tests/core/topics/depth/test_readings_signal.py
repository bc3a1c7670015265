"""Sentences of the page Depth, true of the numbers that they are made from."""

import math

import numpy as np
import pytest

from core.topics.depth.readings import powers
from core.topics.depth.readings import signal as say

ENDS = [
    ("pre-norm", "with residual", 4.0, 2.0),
    ("no norm", "with residual", math.inf, 2.0),
    ("pre-norm", "without residual", 1.0, 8.0),
    ("no norm", "without residual", 0.0, 2.0),
]


def test_gradients_are_told_against_the_last_layer_and_activations_against_the_first() -> None:
    assert say.read_depths(True, 12, ENDS[:3]) == (
        "With residuals the gradient at the first of 12 layers is 2.0 (pre-norm) and ∞ (no norm) times that after the "
        "last; without residuals: 0.12 (pre-norm)."
    )
    told = say.read_depths(False, 1, ENDS[:1])
    assert told == "With residuals the activations after 1 layer are 0.50 (pre-norm) times what came in."
    assert "is 2.0 times that after" in say.read_own_depth(True, 6, 4.0, 2.0)
    assert "after its 6 layers are 0.50 times what came in" in say.read_own_depth(False, 6, 4.0, 2.0)


def test_of_many_lines_the_most_and_the_least_are_told() -> None:
    assert say.read_depths(True, 12, ENDS) == (
        "The gradient at the first of 12 layers is ∞ times that after the last (no norm, with residuals), 0 times (no "
        "norm, without residuals), and 0.12 to 2.0 times in the other 2."
    )
    for ends in ((1.0, 0.0), (math.nan, 1.0), (1.0, math.inf)):
        told = say.read_depths(True, 12, [*ENDS, ("post-norm", "without residual", *ends)])
        assert "undefined (post-norm)" in told and "∞ (post-norm)" not in told


def test_the_stacks_that_explode_or_fade_are_counted_and_named() -> None:
    assert say.read_fates(True, ENDS) == [
        "Without norms the gradient explodes or fades away; with norms it stays within 8.0 times its size.",
        "It explodes (no norm, with residuals) and fades away (no norm, without residuals).",
    ]
    other = [*ENDS[:3], ("post-norm", "without residual", 0.0, 2.0)]
    assert say.read_fates(True, other) == [
        "In 2 of 4 stacks the gradient explodes or fades away on its way back from the last layer to the first.",
        "It explodes (no norm, with residuals), fades away (post-norm, without residuals) and stays within 8.0 times "
        "its size in the other 2.",
    ]
    assert say.read_fates(False, [("pre-norm", "with residual", 1.0, 100.0)] * 2) == [
        "In all 2 stacks the signal explodes on its way through the layers.",
        "It explodes (pre-norm, with residuals; pre-norm, with residuals).",
    ]
    assert say.read_fates(True, ENDS[2:])[0].startswith("Without norms the gradient fades away; with norms")
    assert say.read_fates(False, ENDS[:1]) == ["The signal stays within 2.0 times its size in all stacks."]
    assert say.read_fates(True, [*ENDS[1:], ("pre-norm", "with residual", 1.0, 0.0)]) == [
        "In 3 of 4 stacks the gradient becomes 0, infinite or undefined."
    ]


def test_what_float32_cannot_hold_is_told() -> None:
    assert say.read_limits([], []) is None
    told = say.read_limits(["no norm, with residual"], ["a", "b"])
    assert (
        told is not None and "With no norm, with residual the norm passes 3.4·10³⁸" in told and "With a and b" in told
    )


def test_cosines_near_1_keep_their_digits() -> None:
    added = ("attention alone", "with residual", np.array([0.03, 0.4, 0.5]))
    replaced = ("attention alone", "without residual", np.array([0.03, 0.992, 0.99962]))
    assert say.read_cosines(2, [added, replaced]) == (
        "Without residuals all tokens are nearly the same after 1 layer; with them it takes more than 2.",
        "With residuals the mean cosine of two tokens goes from 0.0300 to 0.500 (attention alone) after 2 layers; "
        "without residuals: 0.9996 (attention alone).",
    )
    late = ("attention and feed-forward", "without residual", np.array([0.03, 0.99, 0.995]))
    assert say.read_cosines(2, [added, replaced, late])[0] == (
        "Without residuals all tokens are nearly the same after 2 layers."
    )
    both = ("attention alone", "with residual", np.array([0.03, 0.4, 0.991]))
    assert say.read_cosines(2, [both, replaced])[0] == "Without residuals all tokens are nearly the same after 1 layer."
    less = ("attention alone", "without residual", np.array([0.03, 0.9, 0.02]))
    told = say.read_cosines(2, [added, less])[0]
    assert told == "From the first layer to the last, the tokens grow more alike in 1 of 2 stacks."
    grown = ("attention alone", "without residual", np.array([0.03, 0.4, 0.9]))
    assert say.read_cosines(2, [added, grown])[0].endswith("grow more alike in all 2 stacks.")
    assert "from 0.0300 to undefined" in say.read_own_alike(6, 0.03, math.nan)


@pytest.mark.parametrize(
    ("loss", "words"),
    [("decoder", "each next token"), ("encoder", "every fourth token, which the stack reads as [MASK]")],
)
def test_the_loss_is_named(loss: str, words: str) -> None:
    assert words in say.LOSS[loss]


def test_a_cut_is_told_only_where_there_is_one() -> None:
    assert say.note_cut(9, 0) is None and say.note_cut(32, 90) == "The stacks read the first 32 of 90 tokens."
    assert powers.note_repeated(40, 40) is None and "has 9 tokens" in str(powers.note_repeated(9, 40))


def test_powers() -> None:
    assert powers.read_power(20, 0.9, 0.126, 0.9**20) == (
        "Multiplied by the same matrix again and again, a vector fades away: after 20 times it has at most 0.126 of "
        "its length.",
        "With |λ₁| = 0.9, ‖A²⁰‖ = 0.126, and 0.9²⁰ = 0.122.",
    )
    again = "Multiplied by the same matrix again and again, a vector"
    assert powers.read_power(3, 1.0, 1, 1)[0] == (
        f"{again} neither fades away nor grows without end: after 3 times it has at most 1.00 of its length."
    )
    assert powers.read_power(3, 1.1, 1.33, 1)[0] == (
        f"{again} grows without end: after 3 times it has at most 1.33 times its length."
    )
    assert "all its columns point the same way" in powers.read_flat(1e-5, 9)
    assert "do not all point" in powers.read_flat(0.9, 9)


def test_the_power_method_says_why_it_does_not_converge() -> None:
    turns = "Multiplied by A again and again, almost every vector turns to one line"
    assert powers.read_method(5, math.pi / 180, 0.61, 0.6) == [
        f"{turns}: after 5 steps it is 1.00° away.",
        "At step 5 the angle is 1.00°, 0.610 times that of the step before (|λ₂/λ₁| = 0.600).",
    ]
    assert powers.read_method(0, math.pi / 4, math.nan, 0.6) == [f"{turns}: before the first step it is 45.0° away."]
    assert powers.read_method(1, math.pi / 180e6, math.nan, 0.6) == [
        f"{turns}: after 1 step it is less than 0.001° away.",
        "At step 1 the angle is 1.00·10⁻⁶°.",
    ]
    assert powers.read_no_limit(True, 1, 3, 0.7) == (
        "The vector never stops turning, by 40.1° at step 3.",
        "The two largest eigenvalues are a complex pair of one size.",
    )
    assert powers.read_no_limit(False, 2, 3, 0.0) == (
        "The vector settles on one direction, and which one depends on the start.",
        "λ₂ = λ₁, so a whole plane consists of eigenvectors.",
    )
    assert powers.read_no_limit(False, 1, 0, math.nan) == (
        "The vector keeps flipping between two directions.",
        "λ₂ = −λ₁, of one size.",
    )


def test_a_gate() -> None:
    headline, told = powers.read_gate(40, 1.8e-5, math.inf, 0.952)
    assert headline == "Going back 40 steps, more of the gradient is left with a gate than without."
    assert powers.read_gate(1, 2.0, 1.0, 0.9)[0] == (
        "Going back 1 step, less of the gradient is left with a gate than without."
    )
    assert powers.read_gate(40, 1.4e-5, 0.18, 0.952)[0] == (
        "Without a gate the start is as good as forgotten: less than 0.1% of the gradient comes back to it; with a "
        "gate 18% does."
    )
    assert "Going back" in powers.read_gate(40, 0.005, 0.006, 0.9)[0]
    assert "as much of the gradient is left with a gate as without" in powers.read_gate(9, 0.0, 0.0, 0.9)[0]
    assert "becomes 1.8·10⁻⁵ in the plain net and ∞ with a gate, which keeps 95%" in told


def test_what_is_left() -> None:
    assert say.read_remains("“cat”", [1, 0.7, 0.5, 0.42], [1, 0.031, 0, 0.1]) == (
        "With residual connections the vector of “cat” keeps 70% of its direction after one layer; without them 3.1%."
    )
    assert "after one layer; without them nothing." in say.read_remains("“cat”", [1, 0.7, 0.5], [1, -0.2, 0])
