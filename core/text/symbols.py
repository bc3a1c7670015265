"""The tokenizer of the toy models: each symbol of a short list is one token."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.text.pieces import Tokens
from core.text.short_list import ShortList, check_limit
from core.text.special import SPECIAL
from core.text.words import visible


@dataclass(frozen=True)
class SymbolTokenizer(ShortList):
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
    def vocabulary(self) -> tuple[str, ...]:
        return self.symbols

    @property
    def target(self) -> "SymbolTokenizer":
        return self

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return one token for each character but white space, at most `limit` of them; each is a word of its own.

        Raises ValueError, which lists the known symbols, for any other character and for a text without a symbol, and
        for a limit below 1.
        """
        check_limit(limit)
        letters = self.symbols[len(SPECIAL) :]
        for character in text:
            if character not in letters and not character.isspace():
                raise ValueError(f"This model knows only {_listed(letters)}: “{visible(character)}” is none of them.")
        positions = [position for position, character in enumerate(text) if not character.isspace()]
        if not positions:
            raise ValueError(f"Type at least one symbol: this model knows {_listed(letters)}.")
        return self.taken(text, [(position, position + 1) for position in positions], limit)


def _listed(letters: Sequence[str]) -> str:
    """Return the symbols in words: all of them, or only the first and last if they are consecutive in Unicode."""
    row = "".join(letters)
    follows = row == "".join(map(chr, range(ord(row[0]), ord(row[0]) + len(row))))
    return f"the symbols {row[0]} to {row[-1]}" if follows and len(row) > 2 else f"the symbols {' '.join(letters)}"
