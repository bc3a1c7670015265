"""Measure how well a task can be done without training: by guessing, and by counting pairs of tokens."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.lab.task import FIRST_TOKEN_ID, Rows
from core.lab.tasks import task_named

COUNTED_ROWS, MEASURED_ROWS = 2000, 500
COUNTED_SEED, MEASURED_SEED = 1_000_001, 1_000_002  # no run has these seeds


@dataclass(frozen=True)
class Baselines:
    """The mean losses, in nats, of two ways to predict the answer tokens of a task's rows.

    guessing: the loss if every token of the task is as likely as any other: ln V.
    pairs: the loss if each token has the share with which it followed the token before it in training rows.
    pairs_right: the share of right predictions if the likeliest token by counted pairs is predicted.
    """

    guessing: float
    pairs: float
    pairs_right: float


@lru_cache(maxsize=32)
def baselines(name: str) -> Baselines:
    """Return the baselines of a task, by its name.

    Pairs are counted in 2,000 training rows, each once more than it was seen (add-one), and measured on 500 other rows:
    held-out ones, if the task has a held-out part.

    Raises ValueError if there is no such task.
    """
    task = task_named(name)
    counts = np.ones((task.vocab_size, task.vocab_size))
    counts[:, :FIRST_TOKEN_ID] = 0  # special tokens are never asked for
    before, asked = _pairs(task.draw(np.random.default_rng(COUNTED_SEED), COUNTED_ROWS))
    np.add.at(counts, (before, asked), 1)
    shares = counts / counts.sum(1, keepdims=True)
    before, asked = _pairs((task.held_out or task.draw)(np.random.default_rng(MEASURED_SEED), MEASURED_ROWS))
    right = shares.argmax(1)[before] == asked
    return Baselines(float(np.log(len(task.tokens))), float(-np.log(shares[before, asked]).mean()), float(right.mean()))


def _pairs(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Return the token before each answer token, and the answer token."""
    asked = rows.asked[:, 1:]
    return rows.ids[:, :-1][asked], rows.ids[:, 1:][asked]
