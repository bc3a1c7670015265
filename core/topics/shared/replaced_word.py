"""The token whose change shows most in a text, and the word that shows most in its place."""

import torch

from core.model.transformer import Transformer
from core.text.pieces import FIRST_BYTE
from core.tracing.run import TokenRow

MIN_LETTERS = 4  # the least letters of a word that readers notice; most function words have fewer


def telling_token(row: TokenRow) -> int:
    """Return the token to replace in a test: the longest word in the middle half of the text.

    Of equally long words, that is the nearest to the middle; if no piece there is a word, the middle token.
    """
    middle, quarter = len(row) // 2, len(row) // 4
    words = [position for position in _words(row) if quarter <= position < len(row) - quarter]
    return max(words, key=lambda position: (len(row.pieces[position]), -abs(position - middle)), default=middle)


def most_unlike(model: Transformer, row: TokenRow, position: int) -> int | None:
    """Return the id of another word of the text to replace token `position` by: the one with the furthest vector.

    If the text has no other word, any other ordinary token of the text may be taken. A change of case alone does not
    count. None if the text has nothing else.
    """
    old = row.pieces[position].casefold()
    others = [n for n in range(len(row)) if row.ids[n] >= FIRST_BYTE and row.pieces[n].casefold() != old]
    among = [row.ids[n] for n in others if n in _words(row)] or [row.ids[n] for n in others]
    if not among:
        return None
    vectors = model.embed.weight.detach().float()
    apart = torch.linalg.vector_norm(vectors[among] - vectors[row.ids[position]], dim=-1)
    return among[int(apart.argmax())]


def _words(row: TokenRow) -> list[int]:
    """Return the tokens that are whole words by themselves and long enough to be noticed."""
    return [
        position
        for position, piece in enumerate(row.pieces)
        if len(piece) >= MIN_LETTERS and piece.isalpha() and row.words.count(row.words[position]) == 1
    ]
