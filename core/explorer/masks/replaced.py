"""Which token the leak test changes where nobody has chosen one, and into which."""

import torch

from core.model.transformer import Transformer
from core.text.pieces import FIRST_BYTE
from core.tracing.run import TokenRow

NOTICED = 4  # that a word to be noticed has at least, unlike most of the little words of grammar


def telling_token(row: TokenRow) -> int:
    """The longest word in the middle half of the text, nearest the middle of several; the middle token where no piece
    there is a word."""
    middle, quarter = len(row) // 2, len(row) // 4
    words = [at for at in _words(row) if quarter <= at < len(row) - quarter]
    return max(words, key=lambda at: (len(row.pieces[at]), -abs(at - middle)), default=middle)


def most_unlike(model: Transformer, row: TokenRow, at: int) -> int | None:
    """The id of the text's own word, or of its other token where it has no other word, whose vector is furthest from
    that of token `at`. A change of case alone does not count; None where the text has nothing else."""
    old = row.pieces[at].casefold()
    others = [n for n in range(len(row)) if row.ids[n] >= FIRST_BYTE and row.pieces[n].casefold() != old]
    among = [row.ids[n] for n in others if n in _words(row)] or [row.ids[n] for n in others]
    if not among:
        return None
    vectors = model.embed.weight.detach().float()
    apart = torch.linalg.vector_norm(vectors[among] - vectors[row.ids[at]], dim=-1)
    return among[int(apart.argmax())]


def _words(row: TokenRow) -> list[int]:
    """The tokens that are whole words by themselves, long enough to be noticed."""
    return [
        at
        for at, piece in enumerate(row.pieces)
        if len(piece) >= NOTICED and piece.isalpha() and row.words.count(row.words[at]) == 1
    ]
