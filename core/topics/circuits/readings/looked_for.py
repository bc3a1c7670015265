"""Sentences about what a head looks for."""

import numpy as np

from core.readings.words import number, quoted


def read_kind(
    layer: int, head: int, query: str, key: str, by_place: np.ndarray | None, for_place: bool, average: float
) -> list[str]:
    """Say whether a query goes more by where a token stands or by what it is.

    layer, head: from 0.
    query, key: the names, in quotes, of the token that looks and of the one that it looks at most.
    by_place: the scores of that key at each distance; None if distance does not act on scores.
    for_place: whether these scores differ by more than the best piece's score lies above `average`, the mean score of
        all pieces.
    """
    name = f"At {query}, head {head + 1} of layer {layer + 1}"
    if by_place is None:
        return [f"{name} finds tokens by what their vectors hold."]
    least, most = float(by_place.min()), float(by_place.max())
    if least > average and not for_place:
        scored = f"Wherever {key} stood, this head would score it {number(least, 2)} or more"
        return [f"{scored}; an average word gets {number(average, 2)}.", f"{name} looks for a word, not for a place."]
    where = f"Where {key} stands counts: this head would score it from {number(least, 2)} to {number(most, 2)}."
    return [where, f"{name} looks for a {'place' if for_place else 'word'} first."]


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
