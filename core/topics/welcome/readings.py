"""Sentences about a translation and the attention of its words."""

from collections.abc import Sequence

import numpy as np

from core.readings.words import capital, listed, only_words, percent, plural, quoted
from core.text.labels import token_name

MOST_MISSED = 3  # words that a sentence names


def read_written(word: str, row: np.ndarray, read: Sequence[str]) -> str:
    """Say to which word the model attended most when it wrote one word.

    word: the written word.
    row (R,): its attention weights over the words read.
    read: the labels of these words.
    """
    best = int(only_words(row, read).argmax())
    share = percent(float(row[best]))
    return f"To write {quoted(word)}, the model gives {share} of its attention to {token_name(read, best)}."


def read_turn(index: int, rows: tuple[np.ndarray, np.ndarray], pieces: tuple[Sequence[str], Sequence[str]]) -> str:
    """Say at which word one token attends most in each of two sentences.

    index: the number of the token, the same in both sentences.
    rows: its weights (S,) in each.
    pieces: the labels of the tokens of each.
    """
    parts = [
        f"{token_name(labels, best := int(only_words(row, labels).argmax()))} ({percent(float(row[best]))})"
        for row, labels in zip(rows, pieces, strict=True)
    ]
    who = capital(token_name(pieces[0], index))
    return f"{who} looks most at {parts[0]} in this sentence, and at {parts[1]} in the other."


def read_order(read: Sequence[str], written: Sequence[str]) -> str:
    """Say that two words are translated in the opposite order.

    read, written: the words in the source and in the translation.
    """
    return f"The order turns: {quoted(' '.join(read))} becomes {quoted(' '.join(written))}."


def read_untrained(written: Sequence[str]) -> str:
    """Say what a model with random weights writes."""
    if len(set(written)) > 1:
        return "An untrained model writes pieces that mean nothing."
    return f"An untrained model writes the same piece again and again, {plural(len(written), 'time')} here."


def read_missed(words: Sequence[str]) -> str:
    """Ask whether some words of the source are translated, because no written content word looked clearly at them.

    "" if there are none.
    """
    if not words:
        return ""
    is_, them = ("Is", "it") if len(words) == 1 else ("Are", "them")
    named = listed(map(quoted, words), MOST_MISSED)
    return f"{is_} {named} in the translation? No written noun, verb or the like looked clearly at {them}."


def read_pairs(pairs: int, both: int) -> str:
    """Say in how many of our pairs of sentences the model's two pronouns are right."""
    return f"Of {pairs} pairs like this one, the model gets both pronouns right in {both}."
