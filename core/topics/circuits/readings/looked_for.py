"""Sentences about what a head looks for."""

from core.readings.words import number, quoted


def read_kind(layer: int, head: int, token: str, by_place: float | None, by_piece: float) -> str:
    """Say whether a query goes more by where a token stands or by what it is.

    layer, head: from 0. token: the query's name, in quotes.
    by_place: how far the score of one key differs over the distances; None if distance does not act on scores.
    by_piece: how far the best piece's score lies above the mean.
    """
    name = f"At {token}, head {head + 1} of layer {layer + 1}"
    if by_place is None:
        return f"{name} finds tokens by what their vectors hold."
    if by_place > by_piece:
        return f"{name} looks for a place, more than for a word."
    return f"{name} looks for certain words, more than for a place."


def read_distances(token: str, by_place: float, best: int) -> str:
    """Say how the score of the key that is looked at most would change with its distance.

    token: its name, in quotes. best: the distance at which it would be largest.
    """
    where = "at the query's own place" if best == 0 else "one token back" if best == 1 else f"{best} tokens back"
    return (
        f"The same key, that of {token}, would have scores that differ by up to {number(by_place)} over the distances "
        f"of this text; the largest {where}."
    )


def read_pieces(piece: str, above: float, bare: str) -> str:
    """Say which pieces would fit the query best, and those made from the token's embedding alone."""
    return (
        f"Of all pieces, {quoted(piece)} would fit this query best: {number(above)} above the mean. A query made from "
        f"the token's embedding alone would fit {quoted(bare)} best."
    )
