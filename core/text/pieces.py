"""The record of a text in pieces: labels, character spans and words. This module does not import sentencepiece.

A text is cut line by line: `prefixed` adds one space at the start of each line that is not empty, and `unprefixed`
removes it again, so that a word has the same pieces at the start of a line as inside it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from core.text.special import SPECIAL, SPECIAL_LABELS, SpecialIds
from core.text.words import MARK, SPACE, byte_label, piece_label, visible, word_starts

FIRST_BYTE = len(SPECIAL)  # byte b is piece FIRST_BYTE + b
FIRST_LEARNED = FIRST_BYTE + 256
LITERAL_MARK = "\ud800"  # stands for a typed U+2581; no text that is encoded can hold it

_LINE_START = re.compile(r"(?m)^(?=[^\n])")
_LINE_SPACE = re.compile(r"(?m)^ ")


@dataclass(frozen=True)
class Tokens:
    """A text in pieces. All tuples but ``word_labels`` and ``around`` have one entry for each piece.

    text: the text that the pieces cover; shorter than the typed one if that was cut off.
    ids, pieces: as in the sentencepiece model, with U+2581 for a space.
    labels: the labels for the screen; see `core.text.words.piece_label`.
    spans: (start, end) characters of ``text``; the bytes of one character share its span.
    words: index of the word that the piece belongs to; see `core.text.words.word_starts`. Two words that share a piece
        count as one.
    cut: how many tokens ``limit`` left out; a lower bound when ``note`` says "more than".
    note: one sentence if something was left out, else None.
    around: the number of special pieces added before the text, and after it.
    """

    text: str
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    labels: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]
    word_labels: tuple[str, ...]
    cut: int = 0
    note: str | None = None
    around: tuple[int, int] = (0, 0)

    def __len__(self) -> int:
        return len(self.ids)


class AnyTokenizer(Protocol):
    """The interface that a run needs from any tokenizer.

    target: the tokenizer of the texts that an encoder-decoder writes; the tokenizer itself if there is no other.
    """

    @property
    def vocab_size(self) -> int: ...

    @property
    def special(self) -> SpecialIds: ...

    @property
    def target(self) -> "AnyTokenizer": ...

    def encode(self, text: str, *, limit: int | None = None) -> Tokens: ...

    def labels(self, ids: Sequence[int]) -> tuple[str, ...]: ...

    def decode(self, ids: Sequence[int]) -> str: ...

    def describe(self, ids: Sequence[int]) -> Tokens | None: ...


def prefixed(text: str) -> str:
    """Return ``text`` with one more space at the start of each line that is not empty."""
    return _LINE_START.sub(" ", text)


def unprefixed(text: str) -> str:
    """Return ``text`` with one space less at the start of each line that begins with one; this undoes `prefixed`."""
    return _LINE_SPACE.sub("", text)


def mark_spaces(text: str) -> str:
    """Return ``text`` as sentencepiece sees it: prefixed, and with each space as U+2581.

    A typed U+2581 becomes `LITERAL_MARK`.
    """
    return prefixed(text).replace(MARK, LITERAL_MARK).replace(" ", MARK)


def is_byte(i: int) -> bool:
    """Return whether id ``i`` is a byte piece."""
    return FIRST_BYTE <= i < FIRST_LEARNED


def byte_ids(character: str) -> list[int]:
    """Return the ids of the byte pieces that spell ``character`` in UTF-8."""
    return [FIRST_BYTE + byte for byte in character.encode()]


def label(i: int, piece: str, joins: bool = False) -> str:
    """Return the label of id ``i``, whose piece is ``piece``; special pieces and bytes have labels of their own.

    joins: whether the piece continues a word, which its label then marks.
    """
    if i < len(SPECIAL):
        return SPECIAL_LABELS[i]
    return byte_label(i - FIRST_BYTE) if is_byte(i) else piece_label(piece, joins and i >= FIRST_LEARNED)


def describe(ids: Sequence[int], vocabulary: Sequence[str], line_spaced: str) -> Tokens:
    """Return the record of ``ids``, which cover the start of ``line_spaced``, a text that `prefixed` has returned.

    If the last ids are only some of the bytes of a character, they are left out.
    """
    covered, incomplete = _walk(ids, vocabulary, line_spaced)
    kept = ids[: len(covered) - incomplete]
    end = covered[len(kept) - 1][1] if kept else 0
    added = [match.start() for match in _LINE_SPACE.finditer(line_spaced[:end])]
    spans = [(a - bisect_left(added, a), b - bisect_left(added, b)) for a, b in covered[: len(kept)]]
    return _record(unprefixed(line_spaced[:end]), kept, [vocabulary[i] for i in kept], spans)


def _walk(ids: Sequence[int], vocabulary: Sequence[str], text: str) -> tuple[list[tuple[int, int]], int]:
    """Return the span of each id in ``text``, and how many ids at the end are bytes of an incomplete character."""
    spans, position, incomplete = [], 0, 0
    for i in ids:
        if is_byte(i):
            spans.append((position, position + 1))
            incomplete = (incomplete + 1) % len(text[position].encode())
            position += incomplete == 0
        else:
            spans.append((position, position + len(vocabulary[i])))
            position = spans[-1][1]
    return spans, incomplete


def _record(text: str, ids: Sequence[int], pieces: Sequence[str], spans: Sequence[tuple[int, int]]) -> Tokens:
    words, word_labels = word_numbers(text, spans)
    joins = [
        k > 0 and words[k] == words[k - 1] and not pieces[k].startswith(MARK) and pieces[k - 1] != MARK
        for k in range(len(ids))
    ]
    return Tokens(
        text=text,
        ids=tuple(ids),
        pieces=tuple(pieces),
        labels=tuple(map(label, ids, pieces, joins)),
        spans=tuple(spans),
        words=words,
        word_labels=word_labels,
    )


def word_numbers(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the number of each piece's word, and the label of each word, for pieces that cover a text.

    spans: the characters of each piece.

    Two words that share a piece count as one.
    """
    starts = sorted(set(word_starts(text)) & {start for start, _ in spans}) or [0]
    words = tuple(bisect_right(starts, start) - 1 for start, _ in spans)
    word_texts = (text[a:b].strip(" ") for a, b in pairwise([*starts, len(text)]))
    return words, tuple(visible(word) or SPACE for word in word_texts)


def cut_note(kept: int, token_count: int, read: int, characters: int) -> str | None:
    """Return one sentence if a part of a text is not used, else None.

    kept: the number of tokens that are used.
    token_count: the number of tokens in the characters that were read.
    read: the number of characters that were read.
    characters: the number of characters of the whole text.
    """
    if token_count > kept:
        return f"Only the first {kept:,} of {'more than ' * (characters > read)}{token_count:,} tokens are used."
    return f"Only the first {read:,} of {characters:,} characters are used." if characters > read else None
