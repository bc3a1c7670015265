"""Sentences about a translation and where its words looked."""

from collections.abc import Sequence

import numpy as np

from core.readings.words import percent, quoted


def read_written(word: str, row: np.ndarray, read: Sequence[str]) -> str:
    """Which word the model looked at most to write this one. row (R,): its weights over the words read."""
    best = int(row.argmax())
    share = percent(float(row[best]))
    return f"To write {quoted(word)}, the model gives {share} of its attention to {quoted(read[best])}."


def read_turn(token: str, rows: tuple[np.ndarray, np.ndarray], pieces: tuple[Sequence[str], Sequence[str]]) -> str:
    """Where one token looks most in either of two sentences. rows: (S,) each; pieces: their labels."""
    parts = [
        f"{quoted(labels[int(row.argmax())])} ({percent(float(row.max()))})"
        for row, labels in zip(rows, pieces, strict=True)
    ]
    return f"{quoted(token)} looks most at {parts[0]} in this sentence, and at {parts[1]} in the other."
