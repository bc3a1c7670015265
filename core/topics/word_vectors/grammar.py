"""A small text made by rules, with predictable word vectors: words of one group occur in the same positions."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

SENTENCES = 600
GROUPS: Mapping[str, tuple[str, ...]] = {
    "men": ("king", "prince", "man", "boy"),
    "women": ("queen", "princess", "woman", "girl"),
    "animals": ("cat", "dog", "fox", "horse"),
    "food": ("bread", "apple", "cheese", "soup"),
    "drinks": ("milk", "tea", "wine", "water"),
    "places": ("house", "garden", "castle", "forest"),
    "colours": ("red", "green", "blue", "white"),
    "acts": ("eats", "tastes", "drinks", "pours", "walks", "runs"),
}
GROUP_OF: Mapping[str, str] = {word: group for group, words in GROUPS.items() for word in words}
_ENDINGS = (
    (("eats", "tastes"), "{own} {food}"),
    (("drinks", "pours"), "{own} {drinks}"),
    (("walks", "runs"), "to {own} {places}"),
    (("walks", "runs"), "in the {colours} {places}"),
    (("eats", "tastes"), "the {colours} {food}"),
)


@lru_cache(maxsize=1)
def made_text() -> str:
    """Return the text, one sentence after another: “the queen drinks her tea”, “the fox runs in the green forest”."""
    draw = np.random.default_rng(0)
    return " ".join(_sentence(draw) + "." for _ in range(SENTENCES))


def _sentence(draw: np.random.Generator) -> str:
    group = ("men", "women", "animals")[draw.integers(3)]
    acts, ending = _ENDINGS[draw.integers(len(_ENDINGS))]
    parts = {name: _one(draw, words) for name, words in GROUPS.items()}
    possessive = {"men": "his", "women": "her", "animals": "its"}[group]
    return f"the {_one(draw, GROUPS[group])} {_one(draw, acts)} " + ending.format(own=possessive, **parts)


def _one(draw: np.random.Generator, words: Sequence[str]) -> str:
    return words[int(draw.integers(len(words)))]
