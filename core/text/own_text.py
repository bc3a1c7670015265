"""Checks of a visitor's sentence before and after a model reads it, and the known sentences that are most like it."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
MIN_CAPITALS = 4  # letters: fewer may be an abbreviation
MANY_PIECES = 4  # of one word
LOOP_WORDS, LOOP_TIMES = 8, 3


def small_letters(text: str) -> str:
    """Lower-case a text that is all capitals, except at each sentence's start; return any other text unchanged.

    A text counts as all capitals only if it has at least two words and `MIN_CAPITALS` letters. The word "I" stays.
    """
    letters = [character for character in text if character.isupper() or character.islower()]
    if len(letters) < MIN_CAPITALS or not text.isupper() or len(WORD.findall(text)) < 2:
        return text
    begun = re.sub(r"(^|[.!?…]\s+)(\w)", lambda match: match[1] + match[2].upper(), text.lower().lstrip())
    return re.sub(r"\bi\b", "I", begun)


def broken_words(labels: Sequence[str], words: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Find the words that are cut into many pieces: each with its number of pieces, in the order of the text.

    Contractions ("didn't") are left out, because they are always cut at the apostrophe.

    labels: the words, indexed by their number.
    words: the number of each piece's word.
    """
    pieces = Counter(words)
    return tuple(
        (label, pieces[number])
        for number, label in enumerate(labels)
        if pieces[number] >= MANY_PIECES and not re.search(r"['’]", label) and re.search(r"\w", label)
    )


def repeated_words(text: str) -> str:
    """Return the shortest sequence of words that a text has three times in a row, or "" if there is none.

    Only sequences of at most `LOOP_WORDS` words are looked for.
    """
    words = text.split()
    for count in range(1, LOOP_WORDS + 1):
        for start in range(len(words) - LOOP_TIMES * count + 1):
            parts = [words[start + count * time : start + count * (time + 1)] for time in range(LOOP_TIMES)]
            if all(part == parts[0] for part in parts):
                return " ".join(parts[0])
    return ""


def nearest_sentences(text: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """Find the ten sentences that share most words with a text.

    Rare words weigh more, and a plural counts as its singular.

    A word that n of the N sentences contain weighs log(N / n) + 0.01. A sentence's score is the weight of the words it
    shares with the text, divided by the square root of the weight of all its words, so that short sentences are not at
    a disadvantage. Ties go to the sentence whose number of different words is nearest to the text's.
    """
    read = [_stems(sentence) for sentence in sentences]
    having = Counter(stem for stems in read for stem in stems)
    rarity = {stem: log(len(read) / number) + 0.01 for stem, number in having.items()}
    mine = _stems(text)

    def rank(index: int) -> tuple[float, int, int]:
        total = sum(rarity[stem] for stem in read[index]) or 1.0
        shared = sum(rarity[stem] for stem in read[index] & mine)
        return -shared / total**0.5, abs(len(read[index]) - len(mine)), index

    order = sorted((index for index in range(len(read)) if sentences[index] != text), key=rank)
    return tuple(sentences[index] for index in order[:10])


def _stems(text: str) -> frozenset[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)
