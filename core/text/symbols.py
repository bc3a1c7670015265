"""The tokenizer of the toy models: each symbol of a short list is one token."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.text.pieces import Tokens
from core.text.special import OUR_IDS, SPECIAL, SPECIAL_LABELS, SpecialIds
from core.text.words import visible


@dataclass(frozen=True)
class SymbolTokenizer:
    """A tokenizer with one token for each of the listed symbols.

    symbols: the four pieces of `SPECIAL`, then different single characters, none of them white space.

    Raises ValueError for any other list.
    """

    symbols: tuple[str, ...]

    def __post_init__(self) -> None:
        letters = self.symbols[len(SPECIAL) :]
        single = all(isinstance(letter, str) and len(letter) == 1 and not letter.isspace() for letter in letters)
        if self.symbols[: len(SPECIAL)] != SPECIAL or not letters or not single or len(set(letters)) < len(letters):
            raise ValueError(f"A list of symbols is {', '.join(SPECIAL)} and different single characters behind them.")

    @property
    def special(self) -> SpecialIds:
        return OUR_IDS

    @property
    def target(self) -> "SymbolTokenizer":
        return self

    @property
    def vocab_size(self) -> int:
        """The number of symbols, including the 4 special ones."""
        return len(self.symbols)

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return one token for each character but white space, at most `limit` of them; each is a word of its own.

        Raises ValueError, which lists the known symbols, for any other character and for a text without a symbol, and
        for a limit below 1.
        """
        if limit is not None and limit < 1:
            raise ValueError(f"The limit of {limit} tokens must be at least 1.")
        letters = self.symbols[len(SPECIAL) :]
        for character in text:
            if character not in letters and not character.isspace():
                raise ValueError(f"This model knows only {_listed(letters)}: “{visible(character)}” is none of them.")
        positions = [position for position, character in enumerate(text) if not character.isspace()]
        if not positions:
            raise ValueError(f"Type at least one symbol: this model knows {_listed(letters)}.")
        kept = positions[:limit]
        pieces = tuple(text[position] for position in kept)
        tokens = Tokens(
            text=text[: kept[-1] + 1],
            ids=tuple(map(self.symbols.index, pieces)),
            pieces=pieces,
            labels=pieces,
            spans=tuple((position, position + 1) for position in kept),
            words=tuple(range(len(kept))),
            word_labels=pieces,
        )
        cut = len(positions) - len(kept)
        note = f"Only the first {len(kept):,} of {len(positions):,} tokens are used." if cut else None
        return replace(tokens, cut=cut, note=note)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of a list of symbols, without the special ones."""
        return "".join(symbol for i, symbol in zip(ids, self.labels(ids), strict=True) if i >= len(SPECIAL))

    def describe(self, ids: Sequence[int]) -> Tokens | None:
        """Return the record of ids that a model wrote; None if there are none or one of them is special."""
        return self.encode(self.decode(ids)) if ids and min(ids) >= len(SPECIAL) else None

    def labels(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return labels for a list of symbols, such as the likeliest next ones.

        Raises ValueError for an id outside the list.
        """
        for i in ids:
            if not 0 <= i < self.vocab_size:
                raise ValueError(f"Token id {i} is outside 0 to {self.vocab_size - 1}.")
        labels = (*SPECIAL_LABELS, *self.symbols[len(SPECIAL) :])
        return tuple(labels[i] for i in ids)


def _listed(letters: Sequence[str]) -> str:
    """Return the symbols in words: all of them, or only the first and last if they are consecutive in Unicode."""
    row = "".join(letters)
    follows = row == "".join(map(chr, range(ord(row[0]), ord(row[0]) + len(row))))
    return f"the symbols {row[0]} to {row[-1]}" if follows and len(row) > 2 else f"the symbols {' '.join(letters)}"
