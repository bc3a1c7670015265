"""Define tasks on sequences of symbols: sort, repeat, reverse, and parity."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate

import numpy as np

from core.lab.task import FIRST_TOKEN_ID, Rows, Task, question_and_answer

DIGITS = tuple("0123456789")
LETTERS = tuple("abcdefghij")
ARROW = "→"
LENGTH, LONGER = 6, 9  # symbols in a row of training, and in rows that are longer than any of training
BITS, MORE_BITS = 12, 14  # the same for parity: with six bits, all 64 rows are soon known by heart
Answer = Callable[[Sequence[int]], Sequence[int]]


def _draw(symbols: int, lengths: tuple[int, int], answer: Answer, rng: np.random.Generator, rows: int) -> Rows:
    """Draw rows of `symbols` different symbols, each followed by an arrow and its answer.

    lengths: the least and the greatest number of symbols in a row.
    """
    arrow = FIRST_TOKEN_ID + symbols
    low, high = lengths
    texts = [
        list(rng.integers(FIRST_TOKEN_ID, FIRST_TOKEN_ID + symbols, size)) for size in rng.integers(low, high + 1, rows)
    ]
    return question_and_answer([[*text, arrow] for text in texts], [answer(text) for text in texts])


def _parity(bits: Sequence[int]) -> list[int]:
    """Return the sum of the bits modulo 2, as one token."""
    return [FIRST_TOKEN_ID + sum(bit - FIRST_TOKEN_ID for bit in bits) % 2]


def _running_parity(bits: Sequence[int]) -> list[int]:
    """Return, for each bit, the sum of the bits up to it modulo 2."""
    return [FIRST_TOKEN_ID + total % 2 for total in accumulate(bit - FIRST_TOKEN_ID for bit in bits)]


def _task(
    name: str,
    title: str,
    about: str,
    symbols: tuple[str, ...],
    answer: Answer,
    probe: str,
    expects: str,
    lengths: tuple[int, int] = (LENGTH, LONGER),
    success: str = "rows",
    **start: object,
) -> Task:
    draw = partial(_draw, len(symbols), (lengths[0], lengths[0]), answer)
    longer = partial(_draw, len(symbols), (lengths[1], lengths[1]), answer)
    return Task(name, title, about, (*symbols, ARROW), draw, probe, expects, longer, start, success=success)


SORT = _task(
    "sort",
    "Sort six digits",
    "A row is six digits, an arrow, and the same digits in order.",
    DIGITS,
    sorted,
    "3 1 4 1 5 2 → 1 1 2 3 4 5",
    "By step 200 nearly every answer is right: a head of the last layer looks for the next larger digit.",
    layers=3,
    heads=3,
    d_model=48,
    batch=64,
)
REPEAT = _task(
    "repeat",
    "Repeat six letters",
    "A row is six letters, an arrow, and the same letters again.",
    LETTERS,
    list,
    "c a f e b d → c a f e b d",
    "By step 100 every answer is right: a head looks back by a fixed distance, a diagonal in its pattern.",
)
REVERSE = _task(
    "reverse",
    "Write six letters backwards",
    "A row is six letters, an arrow, and the same letters backwards.",
    LETTERS,
    lambda text: list(reversed(text)),
    "c a f e b d → d b e f a c",
    "By step 100 every answer is right: a head looks at the mirrored position, an anti-diagonal in its pattern.",
)
PARITY = _task(
    "parity",
    "Say whether the ones are odd",
    "A row is twelve bits, an arrow, and one bit: 1 if the number of ones is odd.",
    ("0", "1"),
    _parity,
    "1 0 1 1 0 0 1 0 0 1 1 0 → 0",
    "Without steps in between it still guesses at step 3,000: any single bit changes the answer.",
    (BITS, MORE_BITS),
    "guessing",
    steps=3000,
)
PARITY_STEPS = _task(
    "parity-steps",
    "Say whether the ones are odd, step by step",
    "A row is twelve bits, an arrow, and twelve bits: whether the number of ones up to each bit is odd.",
    ("0", "1"),
    _running_parity,
    "1 0 1 1 0 0 1 0 0 1 1 0 → 1 1 0 1 1 1 0 0 0 1 0 0",
    "By step 200 every answer is right: each step needs the one before it and one bit.",
    (BITS, MORE_BITS),
)
