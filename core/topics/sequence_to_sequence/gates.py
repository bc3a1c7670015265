"""The gates of each GRU, token by token."""

from dataclasses import dataclass

import numpy as np

from core.topics.sequence_to_sequence.analysis.recurrence import retention
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, Passage

SCANS = {  # by their names on screen: the model, and the GRU in it
    "one vector: encoder": (BOTTLENECK, "forwards"),
    "one vector: decoder": (BOTTLENECK, "decoder"),
    "attention: encoder, forward": (ADDITIVE, "forwards"),
    "attention: encoder, backward": (ADDITIVE, "backwards"),
    "attention: decoder": (ADDITIVE, "decoder"),
}


@dataclass(frozen=True, eq=False)
class Gates:
    """The gates of one GRU over a text.

    labels (T,): the labels of its tokens.
    update, reset (T, U): the gates, 0 to 1.
    kept (T, T): row s, column t, the share of the state at token s that was written at token t, averaged over the
        units.
    read (T, T): whether token t had been read when the state at token s was made.
    last: the position of the token that is read last.
    """

    labels: tuple[str, ...]
    update: np.ndarray
    reset: np.ndarray
    kept: np.ndarray
    read: np.ndarray
    last: int


def gates_of(passage: Passage, part: str) -> Gates:
    """Return the gates of one part of the model: "forwards", "backwards" or "decoder"."""
    update, reset = (passage.states[f"{part}.{gate}"] for gate in ("update", "reset"))
    back = part == "backwards"
    kept = retention(update[::-1])[::-1, ::-1] if back else retention(update)
    every = np.ones_like(kept, bool)
    read = np.triu(every) if back else np.tril(every)
    labels = passage.rows if part == "decoder" else passage.columns
    return Gates(labels, update, reset, kept, read, 0 if back else len(labels) - 1)
