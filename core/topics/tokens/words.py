"""The words of a text as tokenizers take them: its parts between white space."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.text.hub import HubTokenizer
from core.text.pieces import Tokens
from core.text.tokenizer import Tokenizer
from core.text.words import MARK
from core.topics.tokens.own import Own
from core.tracing.run import Run

MOST_LETTERS = 24  # the most letters of a word that is shown step by step
SEARCHED_WORDS = 60  # the first words of a text, among which the default one is chosen
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Looked:
    """A run's text with the tokenizers that belong to it.

    own: the tokenizer that this visitor has trained.
    model: the tokenizer of the run's model, if it is none of the shipped ones.
    title: the title of that model.
    shipped: the name of the shipped tokenizer that the model reads with, "" if none.
    """

    run: Run
    own: Own | None = None
    model: Tokenizer | HubTokenizer | None = None
    title: str = ""
    shipped: str = ""

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The start and the end of each word in the text."""
        return tuple(match.span() for match in _WORD.finditer(self.run.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, each once, in the order of the text."""
        return tuple(dict.fromkeys(self.run.text[a:b] for a, b in self.spans))


def word_at(looked: Looked, position: int | None, worth: Callable[[str], float]) -> tuple[int, str]:
    """Return the position of one of the text's words, and the word, cut to at most `MOST_LETTERS`.

    position: its position. If it is None or there is no such word, the word with the greatest `worth` of the first
    `SEARCHED_WORDS` is taken, the longest of equals.
    """
    words = looked.words
    if position is None or not 0 <= position < len(words):
        values = [(worth(word[:MOST_LETTERS]), len(word)) for word in words[:SEARCHED_WORDS]]
        position = values.index(max(values))
    return position, words[position][:MOST_LETTERS]


def pieces_of_words(tokens: Tokens, spans: Sequence[tuple[int, int]]) -> list[int | None]:
    """Return for each token the number of the word in which it ends, None for a token that ends between words.

    A lone mark of a space belongs to the word after it.
    """
    starts = [start for start, _ in spans]
    word_numbers = [bisect_right(starts, end - 1) - 1 for _, end in tokens.spans]
    inside = [start < end <= spans[k][1] for k, (start, end) in zip(word_numbers, tokens.spans, strict=True)]
    owners = [k if k >= 0 and is_inside else None for k, is_inside in zip(word_numbers, inside, strict=True)]
    for index, (piece, (_, end)) in enumerate(zip(tokens.pieces, tokens.spans, strict=True)):
        if piece == MARK and owners[index] is None and end <= starts[-1]:
            owners[index] = bisect_left(starts, end)
    return owners
