"""Sentences about the pinned picture and the current one: their names, and the differences of their patterns."""

from collections.abc import Mapping, Sequence
from itertools import takewhile

import numpy as np

from core.readings.words import SHARE_TOLERANCE, capital, largest_of_words, listed, number, percent, quoted
from core.text.labels import token_name

NAMED_SETTINGS = 4
SHOWN_WORDS = 5  # words shown of a text that differs
TEXT_SETTINGS = ("text", "text of the decoder")


def name_sides(pinned: Mapping[str, str], current: Mapping[str, str]) -> tuple[str, str]:
    """Name both sides of a comparison by the settings in which they differ: "layer 3, head 4" and "layer 3, head 5".

    Both are empty if nothing differs.
    pinned, current: the settings of each by their names; settings that only one side has count too.
    """
    names = [name for name in dict.fromkeys((*pinned, *current)) if pinned.get(name) != current.get(name)]
    sides = [
        ", ".join(_setting(name, side[name], other_side.get(name, "")) for name in names if name in side)
        for side, other_side in ((pinned, current), (current, pinned))
    ]
    return sides[0], sides[1]


def read_largest_change(
    values: np.ndarray, weights: tuple[np.ndarray, np.ndarray], queries: Sequence[str], keys: Sequence[str]
) -> str:
    """Say which cell changed most, and by how much.

    values (Q, K): now − pinned; NaN if a cell has no partner.
    weights: the current and the pinned ones, (Q, K) each.
    """
    if np.isnan(values).all():
        return "The two texts share no word, so no cell can be compared."
    sizes = np.abs(np.nan_to_num(values))
    (query, key), passed = largest_of_words(np.where(sizes >= SHARE_TOLERANCE, sizes, -np.inf), queries, keys)
    if sizes[query, key] < SHARE_TOLERANCE:
        return "No weight differs between the two."
    current, pinned = (percent(float(side[query, key])) for side in weights)
    to = "itself" if query == key and tuple(queries) == tuple(keys) else token_name(keys, int(key))
    change = float(values[query, key])
    moved = f"{'+' if change > 0 else ''}{number(change, 2)}"
    who = capital(token_name(queries, int(query)))
    return (
        f"{who} gives {current} of its attention to {to} now, {pinned} in the pinned picture: "
        f"the largest change of all weights{' between words' if passed else ''}, {moved}."
    )


def read_unpaired(added: Sequence[str], lost: Sequence[str]) -> list[str | None]:
    """Say which tokens the comparison of two texts leaves without a partner; None for a list that is empty.

    added: those only in the current text, whose cells are hatched.
    lost: those only in the pinned text, which are not shown.
    """
    return [
        f"Hatched, because there is nothing to subtract: {_named(added)}, only in the text of now." if added else None,
        f"Left out of the difference: {_named(lost)}, only in the pinned text." if lost else None,
    ]


def _setting(name: str, value: str, other_value: str) -> str:
    if name in TEXT_SETTINGS:
        return quoted(_excerpt(value.split(), other_value.split()))
    return value if name in ("model", "mask", "place") else f"{name} {value}"


def _excerpt(words: Sequence[str], other_words: Sequence[str]) -> str:
    """Return the words that differ, with one before them, and dots for omitted ones."""
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(words, other_words, strict=False))))
    behind = zip(words[same:][::-1], other_words[same:][::-1], strict=False)
    end = len(words) - len(list(takewhile(lambda pair: pair[0] == pair[1], behind)))
    start = max(0, same - 1)
    shown = words[start : max(end, start + 1)]
    cut = len(shown) > SHOWN_WORDS or end < len(words)
    return f"{'… ' * (start > 0)}{' '.join(shown[:SHOWN_WORDS])}{' …' * cut}"


def _named(tokens: Sequence[str]) -> str:
    return listed(map(quoted, tokens), NAMED_SETTINGS)
