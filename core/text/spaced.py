"""The tokenizer of the lab's models: each word of a short list is one token, and spaces stand between them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.text.pieces import Tokens
from core.text.special import OUR_IDS, SPECIAL, SPECIAL_LABELS, SpecialIds
from core.text.words import visible

SHOWN = 12


@dataclass(frozen=True)
class SpacedTokenizer:
    """A tokenizer with one token for each of the listed words.

    words: the four pieces of `SPECIAL`, then different words without white space.

    Raises ValueError for any other list.
    """

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        own = self.words[len(SPECIAL) :]
        whole = all(isinstance(word, str) and word.split() == [word] for word in own)
        if self.words[: len(SPECIAL)] != SPECIAL or not own or not whole or len(set(self.words)) < len(self.words):
            raise ValueError(f"A list of words is {', '.join(SPECIAL)} and different words without spaces behind them.")

    @property
    def special(self) -> SpecialIds:
        return OUR_IDS

    @property
    def target(self) -> "SpacedTokenizer":
        return self

    @property
    def vocab_size(self) -> int:
        """The number of words, including the 4 special ones."""
        return len(self.words)

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return one token for each word of a text, at most `limit` of them.

        Raises ValueError, which lists known words, for any other word and for a text without a word, and for a limit
        below 1.
        """
        if limit is not None and limit < 1:
            raise ValueError(f"The limit of {limit} tokens must be at least 1.")
        found = list(re.finditer(r"\S+", text))
        known = {word: number for number, word in enumerate(self.words) if number >= len(SPECIAL)}
        if not found:
            raise ValueError(f"Type at least one word: this model knows {self._listed()}.")
        for match in found:
            if match[0] not in known:
                raise ValueError(
                    f"This model knows only {self._listed()}, with spaces between them: “{visible(match[0][:30])}” is "
                    "none of them."
                )
        kept = found[:limit]
        pieces = tuple(match[0] for match in kept)
        cut = len(found) - len(kept)
        return Tokens(
            text=text[: kept[-1].end()],
            ids=tuple(known[piece] for piece in pieces),
            pieces=pieces,
            labels=pieces,
            spans=tuple(match.span() for match in kept),
            words=tuple(range(len(kept))),
            word_labels=pieces,
            cut=cut,
            note=f"Only the first {len(kept):,} of {len(found):,} tokens are used." if cut else None,
        )

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of a list of ids, without the special ones."""
        return " ".join(word for i, word in zip(ids, self.labels(ids), strict=True) if i >= len(SPECIAL))

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
        labels = (*SPECIAL_LABELS, *self.words[len(SPECIAL) :])
        return tuple(labels[i] for i in ids)

    def _listed(self) -> str:
        own = self.words[len(SPECIAL) :]
        return " ".join(own) if len(own) <= 2 * SHOWN else f"{' '.join(own[:SHOWN])} … {own[-1]}"
