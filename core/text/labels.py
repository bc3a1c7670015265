"""The short names of tokens and heads, as every page and every sentence writes them.

A token's label is its number and its piece, "3:·al"; in a row of cross-attention also the piece written from it,
"1:Le → chat".
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from core.text.special import SPECIAL_LABELS
from core.text.words import JOIN

NEXT = " → "  # in the label of a row of cross-attention: the piece read → the piece written from it
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
UNSEEN = re.compile(r"0x[0-9A-F]{2}|U\+[0-9A-F]{4,}")  # the label of a byte, or of an invisible character


def head_label(layer: int, head: int) -> str:
    """Return the name of a head on screen, counted from 1: "layer 1 · head 1" for layer 0, head 0."""
    return f"layer {layer + 1} · head {head + 1}"


def bare(label: str) -> str:
    """Return a token's label without its number, and in cross-attention without the piece written from it.

    For example "1:Le → chat" becomes "Le".
    """
    return _parts(label)[1]


def goes_on(label: str) -> str:
    """Return the piece of a token's label if it continues a word: "·al" for "3:·al"; "" for all others."""
    piece = bare(label)
    return piece if _joins(piece) else ""


def are_words(labels: Sequence[str]) -> np.ndarray:
    """Return whether each label names a whole word, (n,).

    Special tokens, punctuation marks and pieces of longer words are not whole words.
    """
    pieces = [_parts(label)[1] for label in labels]
    follows = [*map(_joins, pieces[1:]), False]
    named = [_is_word(piece) and not _joins(piece) and not cut for piece, cut in zip(pieces, follows, strict=True)]
    return np.array(named, dtype=bool)


def token_name(labels: Sequence[str], index: int) -> str:
    """Name a token in a sentence, without its number: “upon”, or the second “the” if the word occurs more than once.

    A row of cross-attention, "1:Le → chat", becomes “Le” (writing “chat”).

    labels: the labels of all tokens, or of the last ones of a text; with the latter, a repeated word is named with its
        number.
    index: the place of the token among the labels.
    """
    number, piece, written = _parts(labels[index])
    name, position = f"“{piece}”", index % len(labels)
    if written:
        return f"{name} (writing “{written}”)"
    alike = [occurrence for occurrence, label in enumerate(labels) if bare(label) == piece]
    if len(alike) == 1:
        return name
    if _parts(labels[0])[0] not in ("", "0"):
        return f"{name} (token {number})"
    count = alike.index(position)
    return f"the {ORDINALS[count]} {name}" if count < len(ORDINALS) else f"{name} number {count + 1}"


def written_token(label: str) -> str:
    """Return the token that a row of cross-attention writes, "chat" of "1:Le → chat"; "" for another label."""
    return _parts(label)[2]


@lru_cache(maxsize=4096)
def _is_word(piece: str) -> bool:
    """Return whether a piece begins and ends like a word: "don't" and "T-shirt", but not "'s", "[MASK]" or "0xF0"."""
    if not piece or piece in SPECIAL_LABELS or UNSEEN.fullmatch(piece):
        return False
    return all(character.isalnum() or unicodedata.category(character)[0] == "M" for character in (piece[0], piece[-1]))


def _joins(piece: str) -> bool:
    return len(piece) > len(JOIN) and piece.startswith(JOIN)


@lru_cache(maxsize=4096)
def _parts(label: str) -> tuple[str, str, str]:
    """Return the number of a token's label, its piece, and the piece written from it; "" for each missing part."""
    number, _, rest = label.partition(":")
    known = number.isdecimal() and rest
    piece, _, written = (rest if known else label).partition(NEXT)
    return number if known else "", piece, written
