"""Tokenizers of models made elsewhere, with the interface that a run needs (`AnyTokenizer`).

A `Cutter` cuts a text into pieces (`core.text.subword_cutters`); `HubTokenizer` adds their labels and words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Protocol

from core.limits import READ_CHARACTERS
from core.text.pieces import Tokens, cut_note, word_numbers
from core.text.special import NO_IDS, SpecialIds
from core.text.tokenizer import check_text
from core.text.words import MARK, byte_label, piece_label, visible

REPLACED = "\ufffd"
SURPLUS = 256  # a tokenizer may have at most this many added pieces without a row in the model's embedding
THE_MODELS = "the model’s"  # the name of such a tokenizer on screens that also show ours


class CutPiece(NamedTuple):
    """One piece of a text: its id, and the span of characters that it was made from."""

    id: int
    start: int
    end: int


class Cutter(Protocol):
    """An object that cuts a text into the pieces of one vocabulary.

    names: the piece of each id, as the tokenizer's file spells it.
    spelled: the bytes that each piece adds to a text, with a space in front if it begins a word; None for a special
        piece.
    before, after: the special ids that a model reads before and after a text.
    """

    @property
    def names(self) -> Sequence[str]: ...

    @property
    def spelled(self) -> Sequence[bytes | None]: ...

    @property
    def before(self) -> tuple[int, ...]: ...

    @property
    def after(self) -> tuple[int, ...]: ...

    def cut(self, text: str) -> list[CutPiece]:
        """Return the pieces of a text, without special ones; names of special pieces in it are cut as plain text."""
        ...

    def join(self, ids: Sequence[int]) -> str:
        """Return the text of ids, without special pieces."""
        ...

    def typing(self, piece: str) -> "Cutter":
        """Return a copy of this cutter that cuts a special piece's name, when typed in a text, as that piece."""
        ...

    def writing(self) -> "Cutter":
        """Return the cutter of the texts that an encoder-decoder writes, which adds no special pieces."""
        ...


@dataclass(frozen=True, eq=False)
class HubTokenizer:
    """The tokenizer of a model made elsewhere: a cutter, for an embedding of `vocab_size` rows.

    Rows beyond the cutter's vocabulary have no piece, and a text may not contain a piece without a row. No call changes
    this object.

    special: the ids of the special pieces. A mask, if there is one, can be typed as its name, in upper or lower case;
        no other special piece can be typed.
    writer: the tokenizer of the texts that an encoder-decoder writes; None if it is the same.

    Raises ValueError if the cutter has over `SURPLUS` pieces more than the model has rows.
    """

    cutter: Cutter
    vocab_size: int
    special: SpecialIds = NO_IDS
    writer: "HubTokenizer | None" = None
    _typed: re.Pattern[str] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if (size := len(self.cutter.names)) > self.vocab_size + SURPLUS:
            raise ValueError(f"the model knows {self.vocab_size:,} pieces, its tokenizer {size:,}.")
        if self.special.mask is not None:
            name = self.cutter.names[self.special.mask]
            object.__setattr__(self, "_typed", re.compile(re.escape(name), re.IGNORECASE))
            object.__setattr__(self, "cutter", self.cutter.typing(name))

    @property
    def target(self) -> "HubTokenizer":
        return self.writer or self

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return the pieces of a text and the special ones around it, at most `limit` in total.

        At most `READ_CHARACTERS` characters are read. Raises ValueError for a text without a word (also if the cutter's
        normalisation leaves none), for half of a surrogate pair, for a piece that the model does not know, and for a
        limit that leaves no room for a piece of the text.
        """
        around = len(self.cutter.before) + len(self.cutter.after)
        if limit is not None and limit <= around:
            raise ValueError(f"The limit of {limit} tokens must be at least {around + 1}.")
        check_text(text)
        read = text[:READ_CHARACTERS]
        pieces = self._cut(read)
        if not pieces:
            raise ValueError("Nothing of this text is left once the model's tokenizer has cleaned it; type a word.")
        kept = pieces if limit is None else pieces[: limit - around]
        note = cut_note(len(kept) + around, len(pieces) + around, len(read), len(text))
        return self._tokens(read if len(kept) == len(pieces) else read[: kept[-1].end], kept, len(pieces), note)

    def ids(self, text: str) -> list[int]:
        """Return only the ids, of the whole text and of the special pieces around it."""
        return [*self.cutter.before, *(piece.id for piece in self._cut(text)), *self.cutter.after]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, without the special ones; incomplete characters become U+FFFD."""
        self._check(ids)
        return self.cutter.join([i for i in ids if i < len(self.cutter.names)])

    def labels(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return labels for pieces that need not form a text, such as the likeliest next ones."""
        self._check(ids)
        return tuple(self._label(i, joins=not self._spelled(i).startswith(b" ")) for i in ids)

    def describe(self, ids: Sequence[int]) -> Tokens | None:
        """Return the record of ids that a model wrote.

        None if there are no ids, if one of them adds nothing to a text (such as a special piece), if a character is
        incomplete, or if there is only white space.
        """
        self._check(ids)
        if not ids or any(not self._spelled(i) for i in ids):
            return None
        raw = b"".join(map(self._spelled, ids))
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return None
        if REPLACED in text or not text.strip():
            return None
        starts = [0]
        for i in ids:
            starts.append(starts[-1] + len(self._spelled(i)))
        character_numbers = [
            number for number, character in enumerate(text) for _ in character.encode()
        ]  # of each byte
        spans = [(character_numbers[a], character_numbers[b - 1] + 1) for a, b in pairwise(starts)]
        pieces = [CutPiece(i, a, b) for i, (a, b) in zip(ids, spans, strict=True)]
        if not any(spelled and spelled.startswith(b" ") for spelled in self.cutter.spelled):
            pieces = _without_spaces_behind(pieces, text)
        return self._tokens(text, pieces, len(pieces), None, special=False)

    def _cut(self, text: str) -> list[CutPiece]:
        """Return the pieces of a text, whose spans have no gaps: characters before a piece are added to its span.

        Raises ValueError for a piece that the model does not know.
        """
        if self._typed is not None:
            assert self.special.mask is not None
            name = self.cutter.names[self.special.mask]
            text = self._typed.sub(lambda _: name, text)  # as long as what was typed
        closed = _closed(self.cutter.cut(text))
        if unknown := next((piece for piece in closed if piece.id >= self.vocab_size), None):
            unknown_text = visible(text[unknown.start : unknown.end].strip())
            raise ValueError(
                f"“{unknown_text}” is a piece of this model's tokenizer that the model does not know; leave it out."
            )
        return closed

    def _tokens(
        self, text: str, pieces: Sequence[CutPiece], token_count: int, note: str | None, special: bool = True
    ) -> Tokens:
        before, after = (self.cutter.before, self.cutter.after) if special else ((), ())
        spans = [(piece.start, piece.end) for piece in pieces]
        words, word_labels = word_numbers(text, spans)
        ids = [piece.id for piece in pieces]
        goes_on = [
            k > 0 and words[k] == words[k - 1] and not self._spelled(i).startswith(b" ") for k, i in enumerate(ids)
        ]
        first, last = (tuple(map(self._label, special_ids)) for special_ids in (before, after))
        behind = len(first) + len(word_labels)
        return Tokens(
            text=text,
            ids=(*before, *ids, *after),
            pieces=(*first, *map(self._piece, ids), *last),
            labels=(*first, *map(self._label, ids, goes_on), *last),
            spans=(*((0, 0),) * len(first), *spans, *((len(text), len(text)),) * len(last)),
            words=(*range(len(first)), *(len(first) + word for word in words), *range(behind, behind + len(last))),
            word_labels=(*first, *word_labels, *last),
            cut=token_count - len(pieces),
            note=note,
            around=(len(first), len(last)),
        )

    def _spelled(self, i: int) -> bytes:
        """Return the bytes that a piece adds to a text; none for a special piece and for a row without a piece."""
        return (self.cutter.spelled[i] or b"") if i < len(self.cutter.names) else b""

    def _piece(self, i: int) -> str:
        """Return a piece with U+2581 for a space, or as its file spells it if it is special or part of a character."""
        text = self._spelled(i).decode(errors="replace")
        return text.replace(" ", MARK) if text and REPLACED not in text else visible(self.cutter.names[i])

    def _label(self, i: int, joins: bool = False) -> str:
        if i >= len(self.cutter.names):
            return f"(unused {i})"
        spelled = self._spelled(i)
        if not spelled:
            return visible(self.cutter.names[i])
        try:
            return piece_label(spelled.decode().replace(" ", MARK), joins)
        except UnicodeDecodeError:
            return " ".join(map(byte_label, spelled))

    def _check(self, ids: Sequence[int]) -> None:
        for i in ids:
            if not 0 <= i < self.vocab_size:
                raise ValueError(f"Token id {i} is outside 0 to {self.vocab_size - 1}.")


def _without_spaces_behind(pieces: Sequence[CutPiece], text: str) -> list[CutPiece]:
    """Move the spaces after each word from its last piece to the next piece, as in a text that is read.

    This is for vocabularies that mark the ends of words.
    """
    moved: list[CutPiece] = []
    for i, start, end in pieces:
        begin = moved[-1].end if moved and moved[-1].end < start else start
        word = text[begin:end]
        spaces = len(word) - len(word.rstrip(" ")) if word.strip() and end < len(text) else 0
        moved.append(CutPiece(i, begin, end - spaces))
    return moved


def _closed(pieces: Sequence[CutPiece]) -> list[CutPiece]:
    """Return the pieces with spans that leave no gaps.

    Characters before a piece are added to its span. Pieces that are bytes of one character all get its span.
    """
    closed: list[CutPiece] = []
    reached = 0
    for number, (i, start, end) in enumerate(pieces):
        if start == end == reached:
            end = next((piece.end for piece in pieces[number:] if piece.end > reached), end)
        closed.append(CutPiece(i, min(start, reached), max(start, end)))
        reached = max(reached, end)
    return closed
