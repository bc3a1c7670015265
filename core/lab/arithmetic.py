"""Define tasks on numbers: addition digit by digit, and addition modulo a prime."""

from functools import partial

import numpy as np

from core.lab.sequences import DIGITS
from core.lab.task import FIRST_TOKEN_ID, Rows, Task, question_and_answer

PLUS, EQUALS = FIRST_TOKEN_ID + len(DIGITS), FIRST_TOKEN_ID + len(DIGITS) + 1
PLACES, MORE_PLACES = 3, 4  # digits of each number in training, and in numbers that are longer than any of training
PRIME = 59
TRAINED_SHARE = 0.25  # of all pairs; the others are held out
SPLIT_SEED = 59


def _digits(number: int, places: int) -> list[int]:
    return [FIRST_TOKEN_ID + int(digit) for digit in f"{number:0{places}d}"]


def _draw_sums(places: int, backwards: bool, rng: np.random.Generator, rows: int) -> Rows:
    """Draw sums of two numbers with `places` digits; the answer has one digit more.

    backwards: whether the answer begins with its last digit.
    """
    first, second = rng.integers(0, 10**places, (2, rows))
    questions = [
        [*_digits(int(a), places), PLUS, *_digits(int(b), places), EQUALS] for a, b in zip(first, second, strict=True)
    ]
    answers = [_digits(int(total), places + 1) for total in first + second]
    return question_and_answer(questions, [answer[::-1] if backwards else answer for answer in answers])


def modular_pairs() -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of numbers below the prime in two groups, (n, 2): those of training, and those held out."""
    pairs = np.stack(np.meshgrid(np.arange(PRIME), np.arange(PRIME), indexing="ij"), -1).reshape(-1, 2)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(pairs))
    cut = round(TRAINED_SHARE * len(pairs))
    return pairs[order[:cut]], pairs[order[cut:]]


def _draw_modular(held_out: bool, rng: np.random.Generator, rows: int) -> Rows:
    """Draw rows “a b =” with the answer a + b modulo the prime."""
    pairs = modular_pairs()[held_out]
    drawn = pairs[rng.integers(0, len(pairs), rows)]
    equals = FIRST_TOKEN_ID + PRIME
    questions = [[FIRST_TOKEN_ID + int(a), FIRST_TOKEN_ID + int(b), equals] for a, b in drawn]
    return question_and_answer(questions, [[FIRST_TOKEN_ID + int(a + b) % PRIME] for a, b in drawn])


def _addition(name: str, backwards: bool, probe: str, steps: int, expects: str) -> Task:
    way = "the last digit first" if backwards else "the first digit first"
    return Task(
        name,
        "Add two numbers, the last digit first" if backwards else "Add two numbers",
        f"A row is two numbers of three digits and their sum, {way}.",
        (*DIGITS, "+", "="),
        partial(_draw_sums, PLACES, backwards),
        probe,
        expects,
        partial(_draw_sums, MORE_PLACES, backwards),
        {"batch": 64, "steps": steps},
    )


ADD = _addition(
    "add",
    False,
    "2 4 7 + 3 8 5 = 0 6 3 2",
    4000,
    "Slowly: each digit depends on carries that are not written yet. By step 500 the first digit is right, and by step "
    "3,500 all four.",
)
ADD_REVERSED = _addition(
    "add-reversed",
    True,
    "2 4 7 + 3 8 5 = 2 3 6 0",
    2000,
    "Faster than with the first digit first: each digit needs two digits and one carry. By step 800 all four are "
    "right.",
)
MODULAR = Task(
    "modular",
    f"Add modulo {PRIME}",
    f"A row is two numbers below {PRIME} and what remains of their sum after division by {PRIME}; of all pairs, "
    f"{TRAINED_SHARE:.0%} are in training.",
    (*(str(number) for number in range(PRIME)), "="),
    partial(_draw_modular, False),
    "7 55 = 3",
    "By step 200 the pairs of training are known by heart, and few of the others are right; by about step 3,000 "
    "these are right too.",
    None,
    {"layers": 1, "heads": 4, "d_model": 48, "batch": 512, "weight_decay": 1.0, "lr": 3e-3, "steps": 4800},
    partial(_draw_modular, True),
)
