"""The tokenizer of the lab's models: each word of a short list is one token, and texts have spaces between words."""

import re
from dataclasses import dataclass

from core.text.pieces import Tokens
from core.text.short_list import ShortList, check_limit
from core.text.special import SPECIAL
from core.text.words import visible

SHOWN_WORDS = 12


@dataclass(frozen=True)
class SpacedTokenizer(ShortList):
    """A tokenizer with one token for each of the listed words.

    words: the four pieces of `SPECIAL`, then different words without white space.

    Raises ValueError for any other list.
    """

    words: tuple[str, ...]
    joint = " "

    def __post_init__(self) -> None:
        own = self.words[len(SPECIAL) :]
        whole = all(isinstance(word, str) and word.split() == [word] for word in own)
        if self.words[: len(SPECIAL)] != SPECIAL or not own or not whole or len(set(self.words)) < len(self.words):
            raise ValueError(f"A list of words is {', '.join(SPECIAL)} and different words without spaces behind them.")

    @property
    def vocabulary(self) -> tuple[str, ...]:
        return self.words

    @property
    def target(self) -> "SpacedTokenizer":
        return self

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return one token for each word of a text, at most `limit` of them.

        Raises ValueError, which lists known words, for any other word and for a text without a word, and for a limit
        below 1.
        """
        check_limit(limit)
        matches = list(re.finditer(r"\S+", text))
        known = set(self.words[len(SPECIAL) :])
        if not matches:
            raise ValueError(f"Type at least one word: this model knows {self._listed()}.")
        for match in matches:
            if match[0] not in known:
                raise ValueError(
                    f"This model knows only {self._listed()}, with spaces between them: “{visible(match[0][:30])}” is "
                    "none of them."
                )
        return self.taken(text, [match.span() for match in matches], limit)

    def _listed(self) -> str:
        own = self.words[len(SPECIAL) :]
        return " ".join(own) if len(own) <= 2 * SHOWN_WORDS else f"{' '.join(own[:SHOWN_WORDS])} … {own[-1]}"
