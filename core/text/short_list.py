"""The shared part of tokenizers whose vocabulary is a short list of pieces, all written out: symbols, or words."""

from collections.abc import Sequence
from typing import ClassVar

from core.text.pieces import Tokens
from core.text.special import OUR_IDS, SPECIAL, SPECIAL_LABELS, SpecialIds


class ShortList:
    """A tokenizer whose vocabulary is the four pieces of `SPECIAL` and a short list of others.

    joint: the text between two pieces.
    """

    joint: ClassVar[str] = ""

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """All pieces, the special ones first."""
        raise NotImplementedError

    @property
    def special(self) -> SpecialIds:
        return OUR_IDS

    @property
    def vocab_size(self) -> int:
        """The number of pieces, including the 4 special ones."""
        return len(self.vocabulary)

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return the pieces of a text, at most `limit` of them."""
        raise NotImplementedError

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of a list of ids, without the special ones."""
        return self.joint.join(piece for i, piece in zip(ids, self.labels(ids), strict=True) if i >= len(SPECIAL))

    def describe(self, ids: Sequence[int]) -> Tokens | None:
        """Return the record of ids that a model wrote; None if there are none or one of them is special."""
        return self.encode(self.decode(ids)) if ids and min(ids) >= len(SPECIAL) else None

    def labels(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return labels for ids, such as the likeliest next ones.

        Raises ValueError for an id outside the list.
        """
        for i in ids:
            if not 0 <= i < self.vocab_size:
                raise ValueError(f"Token id {i} is outside 0 to {self.vocab_size - 1}.")
        labels = (*SPECIAL_LABELS, *self.vocabulary[len(SPECIAL) :])
        return tuple(labels[i] for i in ids)

    def taken(self, text: str, spans: Sequence[tuple[int, int]], limit: int | None) -> Tokens:
        """Return the record of the pieces at these spans of a text, each a word of its own; at most `limit` of them."""
        kept = tuple(spans[:limit])
        pieces = tuple(text[start:end] for start, end in kept)
        ids = {piece: number for number, piece in enumerate(self.vocabulary) if number >= len(SPECIAL)}
        cut = len(spans) - len(kept)
        return Tokens(
            text=text[: kept[-1][1]],
            ids=tuple(ids[piece] for piece in pieces),
            pieces=pieces,
            labels=pieces,
            spans=kept,
            words=tuple(range(len(kept))),
            word_labels=pieces,
            cut=cut,
            note=f"Only the first {len(kept):,} of {len(spans):,} tokens are used." if cut else None,
        )


def check_limit(limit: int | None) -> None:
    """Raise ValueError for a limit below 1."""
    if limit is not None and limit < 1:
        raise ValueError(f"The limit of {limit} tokens must be at least 1.")
