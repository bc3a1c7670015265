"""Define tasks on repeated segments: the token that followed another earlier follows it again."""

from functools import partial

import numpy as np

from core.lab.sequences import LETTERS
from core.lab.task import FIRST_TOKEN_ID, Rows, Task

SYMBOLS = (*LETTERS, *"klmnopqrst")
LENGTH, LONGER = 24, 40  # tokens of a row of training, and of rows that are longer than any of training


def draw_segments(length: int, fixed: bool, rng: np.random.Generator, rows: int) -> Rows:
    """Draw rows of random symbols in which one segment occurs twice; the answer is the second one but for its start.

    fixed: whether the segment is the first half of every row and comes again at once, so that the distance from a token
        to its earlier copy is the same in all rows. Otherwise its length, its place and its distance are random.
    """
    ids = rng.integers(FIRST_TOKEN_ID, FIRST_TOKEN_ID + len(SYMBOLS), (rows, length))
    asked = np.zeros((rows, length), dtype=bool)
    for row in range(rows):
        if fixed:
            size, start, again = length // 2, 0, length // 2
        else:
            size = int(rng.integers(3, length // 2))
            start = int(rng.integers(0, length - 2 * size + 1))
            again = int(rng.integers(start + size, length - size + 1))
        ids[row, again : again + size] = ids[row, start : start + size]
        asked[row, again + 1 : again + size] = True
    return Rows(ids, asked)


def _task(name: str, fixed: bool, title: str, about: str, probe: str, expects: str) -> Task:
    return Task(
        name,
        title,
        about,
        SYMBOLS,
        partial(draw_segments, LENGTH, fixed),
        probe,
        expects,
        partial(draw_segments, LONGER, fixed),
        {
            "layers": 2,
            "heads": 2,
            "d_model": 32,
            "positions": "rotary",
            "batch": 16,
            "feed_forward": False,
            "lr": 3e-3,
            "steps": 2000,
        },
        success="one distance" if fixed else "induction",
    )


INDUCTION = _task(
    "induction",
    False,
    "Go on with what came before",
    "A row is random letters in which one segment comes twice, of any length and at any place; the second time is "
    "asked for.",
    "c a f e b d c a f e b d",
    "By step 800 a head of the first layer looks one token back, and a head of the second layer at the token after the "
    "earlier copy: an induction head.",
)
INDUCTION_FIXED = _task(
    "induction-fixed",
    True,
    "Repeat the first half",
    "A row is twelve random letters twice, so that each letter's copy is twelve places back.",
    " ".join("cafebdtqmhpk" * 2),
    "By step 100 nearly every letter is right, but not by going on with what came before: a head of the last layer "
    "looks 11 tokens back, whatever stands there, and on longer rows hardly any letter is right.",
)
