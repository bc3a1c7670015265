"""The hidden states that exist after a given number of sequential steps."""

import numpy as np

from core.analysis.word_contexts import cosine_rows
from core.topics.sequence_to_sequence.records import Passage


def states_by_step(passage: Passage, site: str, step: int, layers: int) -> np.ndarray:
    """Return the states of a site (T, U) after `step` steps; −∞ in the rows that are not made yet.

    A step of reading is the next token of a GRU, from the left or from the right, and the next of the `layers` of the
    transformer, which then has all of its rows. After as many steps as there are source tokens, each further step of
    any model writes one token.
    """
    state, source = passage.states[site], len(passage.source)
    rows = np.arange(len(state))
    made = {
        "forwards.state": rows < step,
        "backwards.state": rows >= source - step,
        "encoder.state": np.full(len(rows), step >= layers),
        "decoder.state": rows < step - source,
    }[site]
    return np.where(made[:, None], state, -np.inf)


def states_left(passage: Passage, step: int) -> np.ndarray:
    """Return how much of the state after each token is left after `step` steps of reading, (S,).

    It is the cosine of the forward state after a token with the latest one; NaN for tokens that are not read yet.
    """
    states = passage.states["forwards.state"]  # (S, U)
    read = min(step, len(states))
    left = np.full(len(states), np.nan)
    if read:
        left[:read] = cosine_rows(states[:read], states[read - 1 : read])
    return left
