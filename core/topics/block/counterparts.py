"""Texts that differ from another text in a word and change the model's answer."""

import re
from typing import NamedTuple

from core.checkpoints.examples import other_text

GIRL = "Once upon a time there was a little girl who lived in a wood."
ANIMAL = "The animal didn't cross the street because it was too"


class TurningPair(NamedTuple):
    """Two texts to which a model gives different answers.

    name: the difference of the two texts in words.
    other: the second text.
    target: the text that the decoder of an encoder-decoder has read; "" for the model's own translation.
    """

    name: str
    text: str
    other: str
    target: str = ""


# Pairs that change the answer of each shipped model, found by trying.
TURNING: dict[str, tuple[TurningPair, ...]] = {
    "storyteller": (
        TurningPair("she or he", f"{GIRL} One day", f"{GIRL.replace('girl', 'boy')} One day"),
        TurningPair(
            "a king or a boy",
            "Once upon a time there was a king who lived in a castle with his wife, the",
            "Once upon a time there was a boy who lived in a castle with his wife, the",
        ),
        TurningPair(
            "Mr. Fox or Mr. Bear",
            "“Good morning, Mr. Fox,” said the hen. “Good morning,” said Mr.",
            "“Good morning, Mr. Bear,” said the hen. “Good morning,” said Mr.",
        ),
        TurningPair(
            "was or is",
            f"{GIRL} The little girl",
            f"{GIRL.replace('was', 'is').replace('lived', 'lives')} The little girl",
        ),
    ),
    "translator": (
        TurningPair(
            "il or elle",
            f"{ANIMAL} tired.",
            f"{ANIMAL} wide.",
            "L'animal n'a pas traversé la rue parce qu'",
        ),
        TurningPair("tired or wide", f"{ANIMAL} tired.", f"{ANIMAL} wide."),
        TurningPair("red house, red car", "I saw a red house.", "I saw a red car."),
    ),
    "reader": (
        TurningPair(
            "shirt or hat",
            "A man in a blue [MASK] is standing on a ladder.",
            "A man in a hard [MASK] is standing on a ladder.",
        ),
        TurningPair("his or her", "The man put on [MASK] hat.", "The woman put on [MASK] hat."),
        TurningPair("are or is", "The birds [MASK] singing in the tree.", "The bird [MASK] singing in the tree."),
    ),
    "sentiment": (
        TurningPair(
            "warm or dull", "a warm , funny and quietly touching film", "a dull , boring and quietly touching film"
        ),
        TurningPair("bad or good", "it is not a bad film at all", "it is not a good film at all"),
    ),
    "toy-copy": (TurningPair("two letters change places", "kqzbmtwkqzb", "kqztmbwkqzb"),),
    "toy-reverse": (TurningPair("m or n", "kqzbmtwa", "kqzbntwa"),),
    "toy-sort": (TurningPair("m or n", "kqzbmtwa", "kqzbntwa"),),
}
SWAPS = (
    *("tired wide", "girl boy", "queen king", "woman man", "mother father", "cat dog", "good bad", "warm dull"),
    *("black white", "big small", "old young", "hot cold", "day night", "he she", "his her", "is was"),
)
MOST_SWAPS = 4  # each costs a run of the model
_OTHER = {one: two for pair in SWAPS for one, two in (pair.split(), pair.split()[::-1])}


def counterparts(model: str, text: str) -> tuple[str, ...]:
    """Return texts to compare with `text`; empty if there are none.

    A text of a `TurningPair` of this model has one counterpart, the other text of the pair. For any other text, each
    word that has an opposite is replaced in turn. If no word has one, the first two neighbouring words (or letters)
    that differ change places.
    """
    for pair in TURNING.get(model, ()):
        if text in (pair.text, pair.other):
            return (pair.other if text == pair.text else pair.text,)
    known = other_text(model, text)
    return (known,) if known else tuple(_swapped(text)) or tuple(_reordered(text))


def _swapped(text: str) -> list[str]:
    words = [word for word in dict.fromkeys(re.findall(r"\w+", text)) if word in _OTHER]
    return [re.sub(rf"\b{word}\b", _OTHER[word], text) for word in words[:MOST_SWAPS]]


def _reordered(text: str) -> list[str]:
    joint = " " if len(text.split()) > 1 else ""
    parts = text.split() if joint else list(text)
    start = next((index for index in range(len(parts) - 1) if parts[index] != parts[index + 1]), None)
    if start is None:
        return []
    parts[start : start + 2] = parts[start + 1], parts[start]
    return [joint.join(parts)]
