"""Which hidden states there are after so many steps that wait for one another."""

import numpy as np

from core.explorer.sequence_to_sequence.records import Passage


def states_by_step(passage: Passage, site: str, step: int, layers: int) -> np.ndarray:
    """The states of a site (T, U) after so many steps; −∞ in the rows that are not made yet.

    A step of reading is the next token of a GRU, from the left or from the right, and the next of the `layers` of the
    transformer, which then has all of its rows. Once a GRU has read all tokens, a step of any model writes one.
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
