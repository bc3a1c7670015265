"""Define a task in which a head has something to look up only now and then, so that it rests on the first token.

Letters follow one another by chance; after a digit comes again the letter that stood before it. The task is
bigram-backcopy of Guo et al. 2024, "Active-dormant attention heads: mechanistically demystifying extreme-token
phenomena in LLMs", in which an attention sink forms.
"""

from functools import lru_cache, partial

import numpy as np

from core.lab.task import FIRST_TOKEN_ID, Rows, Task

START = "^"
LETTERS = (*"abcdefghijklmnopqrstuvwxyz", *"ABCDEFGHIJK")
DIGITS = ("1", "2", "3")  # after one of them comes again the letter before it
DIGIT_SHARE = 0.3  # of the tokens that come after a letter
LENGTH = 32  # tokens of a row, the start among them
TABLE_SEED = 20_241_017
FIRST_LETTER = FIRST_TOKEN_ID
FIRST_DIGIT = FIRST_LETTER + len(LETTERS)
START_ID = FIRST_DIGIT + len(DIGITS)


@lru_cache(maxsize=1)
def next_letters() -> np.ndarray:
    """Return the chances (37, 37) of the letter after each letter: rows drawn from all rows that sum to 1, evenly."""
    chances: np.ndarray = np.random.default_rng(TABLE_SEED).dirichlet(np.ones(len(LETTERS)), len(LETTERS))
    return chances


def draw_rows(starts: bool, rng: np.random.Generator, rows: int) -> Rows:
    """Draw rows of letters and digits; every token after the first letter is asked for.

    starts: whether each row begins with a token of its own.
    """
    ids = np.empty((rows, LENGTH), dtype=np.int64)
    ids[:, 0] = START_ID if starts else FIRST_LETTER + rng.integers(len(LETTERS), size=rows)
    sums = next_letters().cumsum(1)
    for place in range(1, LENGTH):
        before = ids[:, place - 1]
        letters = np.where(before < FIRST_DIGIT, before, FIRST_LETTER) - FIRST_LETTER
        after = (rng.random(rows)[:, None] > sums[letters]).sum(1).clip(max=len(LETTERS) - 1) + FIRST_LETTER
        digits = FIRST_DIGIT + rng.integers(len(DIGITS), size=rows)
        drawn = np.where(rng.random(rows) < DIGIT_SHARE, digits, after)
        if place == 1 and starts:
            drawn = FIRST_LETTER + rng.integers(len(LETTERS), size=rows)
        is_digit = (before >= FIRST_DIGIT) & (before < START_ID)
        ids[:, place] = np.where(is_digit, ids[:, max(place - 2, 0)], drawn)
    asked = np.broadcast_to(np.arange(LENGTH) > int(starts), ids.shape)
    return Rows(ids, asked.copy())


def _task(name: str, starts: bool, title: str, about: str, expects: str, sink_logits: bool = False) -> Task:
    letters = "h q f 1 f m c 2 c t e k 3 k b o i d 1 d a n p j 2 j s g r l u"
    return Task(
        name,
        title,
        f"{about} Letters follow one another by chance, each with chances of its own; after a digit comes again the "
        "letter that stood before it.",
        (*LETTERS, *DIGITS, START),
        partial(draw_rows, starts),
        f"{START} {letters}" if starts else f"w {letters}",
        expects,
        start={
            "layers": 1,
            "heads": 2,
            "d_model": 32,
            "positions": "rotary",
            "batch": 32,
            "lr": 3e-3,
            "steps": 2000,
            "sink_logits": sink_logits,
        },
        success="sink" if starts and not sink_logits else "no sink",
        triggers=DIGITS,
    )


LOOK_BACK = _task(
    "look-back",
    True,
    "Look back only after a digit",
    f"A row begins with {START}.",
    "By step 500 a head rests on the first token where it has nothing to look up, with a quarter of its weight or "
    "more, and the first token's value gets short, so that looking there adds little: an attention sink. After a digit "
    "a head looks at the letter before it.",
)
LOOK_BACK_WITHOUT_START = _task(
    "look-back-no-start",
    False,
    "The same without a first token of its own",
    "A row begins with any letter.",
    "After a digit a head looks at the letter before it. No head rests on the first token, which is a letter like any "
    "other.",
)
LOOK_BACK_WITH_SINK_LOGITS = _task(
    "look-back-sink-logits",
    True,
    "The same with a learned logit in each head’s softmax",
    f"A row begins with {START}.",
    "After a digit a head looks at the letter before it. Where it has nothing to look up, its weight goes to a learned "
    "logit that belongs to no token. No head rests on the first token.",
    sink_logits=True,
)
