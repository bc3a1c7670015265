"""The record of a text in pieces: labels, character spans and words. No sentencepiece here.

A text is put into pieces line by line: `prefixed` adds one space to each line that is not empty, `unprefixed` takes it
off, so that a word has the same pieces at the start of a line as inside it.
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
    """A text in pieces. All tuples but ``word_labels`` have one entry for each piece.

    text: what the pieces cover; shorter than what was typed when that was cut.
    ids, pieces: as in the sentencepiece model, with U+2581 for a space.
    labels: for screens; see `core.text.words.piece_label`.
    spans: (start, end) characters of ``text``; the bytes of one character share its span.
    words: index of the word that the piece belongs to; see `core.text.words.word_starts`. A piece that reaches over the
        end of a word joins the two.
    cut: how many tokens ``limit`` left out; a lower bound when ``note`` says "more than".
    note: one sentence where something was left out, else None.
    around: how many special pieces were put before the text and behind it.
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
    """What a run needs of a tokenizer, whatever its pieces are.

    target: what cuts the text that a decoder of two stacks has written, where another does.
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
    """``text`` with one space more at the start of each line that is not empty."""
    return _LINE_START.sub(" ", text)


def unprefixed(text: str) -> str:
    """``text`` with one space less at the start of each line that has one; undoes `prefixed`."""
    return _LINE_SPACE.sub("", text)


def mark_spaces(text: str) -> str:
    """``text`` as sentencepiece sees it: one space more at the start of each line, and each space a mark."""
    return prefixed(text).replace(MARK, LITERAL_MARK).replace(" ", MARK)


def is_byte(i: int) -> bool:
    """Whether id ``i`` is a byte piece."""
    return FIRST_BYTE <= i < FIRST_LEARNED


def byte_ids(character: str) -> list[int]:
    """The ids of the byte pieces that spell ``character`` in UTF-8."""
    return [FIRST_BYTE + byte for byte in character.encode()]


def label(i: int, piece: str, joins: bool = False) -> str:
    """The label of id ``i``, whose piece is ``piece``; see `core.text.words.piece_label`."""
    if i < len(SPECIAL):
        return SPECIAL_LABELS[i]
    return byte_label(i - FIRST_BYTE) if is_byte(i) else piece_label(piece, joins and i >= FIRST_LEARNED)


def describe(ids: Sequence[int], vocabulary: Sequence[str], line_spaced: str) -> Tokens:
    """The record of ``ids``, which cover the start of ``line_spaced``, a text that went through `prefixed`.

    Where the last ids are only some of the bytes of a character, they are left out.
    """
    covered, seen = _walk(ids, vocabulary, line_spaced)
    kept = ids[: len(covered) - seen]
    end = covered[len(kept) - 1][1] if kept else 0
    added = [match.start() for match in _LINE_SPACE.finditer(line_spaced[:end])]
    spans = [(a - bisect_left(added, a), b - bisect_left(added, b)) for a, b in covered[: len(kept)]]
    return _record(unprefixed(line_spaced[:end]), kept, [vocabulary[i] for i in kept], spans)


def _walk(ids: Sequence[int], vocabulary: Sequence[str], text: str) -> tuple[list[tuple[int, int]], int]:
    """The span of each id in ``text``, and how many ids at the end are bytes of an unfinished character."""
    spans, at, seen = [], 0, 0
    for i in ids:
        if is_byte(i):
            spans.append((at, at + 1))
            seen = (seen + 1) % len(text[at].encode())
            at += seen == 0
        else:
            spans.append((at, at + len(vocabulary[i])))
            at = spans[-1][1]
    return spans, seen


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
    """For pieces that cover a text: the number of each piece's word, and the label of each word.

    A piece that reaches over the end of a word joins the two.
    """
    starts = sorted(set(word_starts(text)) & {start for start, _ in spans}) or [0]
    words = tuple(bisect_right(starts, start) - 1 for start, _ in spans)
    word_texts = (text[a:b].strip(" ") for a, b in pairwise([*starts, len(text)]))
    return words, tuple(visible(word) or SPACE for word in word_texts)


def cut_note(kept: int, found: int, read: int, characters: int) -> str | None:
    """One sentence where something is left out: `kept` of the tokens `found` in the first `read` of the characters."""
    if found > kept:
        return f"Only the first {kept:,} of {'more than ' * (characters > read)}{found:,} tokens are used."
    return f"Only the first {read:,} of {characters:,} characters are used." if characters > read else None
