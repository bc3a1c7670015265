"""A tokenizer in which ``[MASK]`` hides a token, for an encoder trained to predict hidden tokens (Devlin et al. 2019).

In training the mask replaced a whole piece, including the space before it. So the space before ``[MASK]`` belongs to
it, and the text after it is cut as it would be after a word.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.text.pieces import Tokens, prefixed
from core.text.special import MASK
from core.text.tokenizer import Tokenizer, check_unicode
from core.text.words import MARK

WRITTEN_MASK = "[MASK]"
_TYPED = re.compile(r" ?\[mask\]", re.IGNORECASE)
_FIRST = re.compile(rf"(?m)^ {re.escape(WRITTEN_MASK)}")


class MaskTokenizer(Tokenizer):
    """A tokenizer whose `MASK` is written ``[MASK]``, in upper or lower case; other text is cut as by `Tokenizer`."""

    @classmethod
    def of(cls, plain: Tokenizer) -> "MaskTokenizer":
        """Return the tokenizer with the same pieces, except that ``[MASK]`` takes the place of piece `MASK`."""
        pieces = (*plain._pieces[:MASK], MARK + WRITTEN_MASK, *plain._pieces[MASK + 1 :])
        return cls(plain.name, plain.kind, plain._processor, pieces, plain._scores)

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return the pieces of `text`, as `Tokenizer.encode` does.

        `Tokens.text` has a space before each ``[MASK]`` that does not begin a line, added if it was not typed.
        """
        tokens = super().encode(_spaced(text), limit=limit)
        return replace(tokens, labels=_named(tokens.ids, tokens.labels))

    def ids(self, text: str) -> list[int]:
        check_unicode(text)
        first, *others = prefixed(_spaced(text)).split(f" {WRITTEN_MASK}")
        return [*self._cut(first), *(piece_id for part in others for piece_id in (MASK, *self._cut(part)))]

    def labels(self, ids: Sequence[int]) -> tuple[str, ...]:
        return _named(ids, super().labels(ids))

    def _bytes(self, i: int) -> bytes:
        return f" {WRITTEN_MASK}".encode() if i == MASK else super()._bytes(i)


def _spaced(text: str) -> str:
    return _FIRST.sub(WRITTEN_MASK, _TYPED.sub(f" {WRITTEN_MASK}", text))


def _named(ids: Sequence[int], labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(WRITTEN_MASK if i == MASK else label for i, label in zip(ids, labels, strict=True))
