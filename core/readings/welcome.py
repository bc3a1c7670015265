"""Sentences about a translation and where its words looked."""

from collections.abc import Sequence

import numpy as np

from core.readings.words import capital, percent, quoted, token_name


def read_written(word: str, row: np.ndarray, read: Sequence[str]) -> str:
    """Which word the model looked at most to write this one. row (R,): its weights over the words read."""
    best = int(row.argmax())
    share = percent(float(row[best]))
    return f"To write {quoted(word)}, the model gives {share} of its attention to {token_name(read, best)}."


def read_turn(place: int, rows: tuple[np.ndarray, np.ndarray], pieces: tuple[Sequence[str], Sequence[str]]) -> str:
    """Where one token looks most in either of two sentences. rows: (S,) each; pieces: their labels."""
    parts = [
        f"{token_name(labels, int(row.argmax()))} ({percent(float(row.max()))})"
        for row, labels in zip(rows, pieces, strict=True)
    ]
    who = capital(token_name(pieces[0], place))
    return f"{who} looks most at {parts[0]} in this sentence, and at {parts[1]} in the other."
