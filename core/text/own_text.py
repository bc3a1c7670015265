"""What can be told of a visitor's sentence before and after a model reads it, and which known ones are near to it."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
CAPITALS = 4  # letters: fewer may be an abbreviation
MANY_PIECES = 4  # of one word
LOOP_WORDS, LOOP_TIMES = 8, 3


def small_letters(text: str) -> str:
    """Return a text of capitals in small letters, with a capital where a sentence begins; any other text unchanged."""
    letters = [character for character in text if character.isupper() or character.islower()]
    if len(letters) < CAPITALS or not text.isupper() or len(WORD.findall(text)) < 2:
        return text
    begun = re.sub(r"(^|[.!?…]\s+)(\w)", lambda match: match[1] + match[2].upper(), text.lower().lstrip())
    return re.sub(r"\bi\b", "I", begun)


def broken_words(labels: Sequence[str], words: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Find the words that fall into many pieces: each with its number of pieces, in the order of the text.

    labels: of the words, by their numbers; words: the number of each piece's word. A contraction ("didn't") is cut at
    its apostrophe and is not counted.
    """
    pieces = Counter(words)
    return tuple(
        (label, pieces[number])
        for number, label in enumerate(labels)
        if pieces[number] >= MANY_PIECES and not re.search(r"['’]", label) and re.search(r"\w", label)
    )


def repeated_words(text: str) -> str:
    """Find words that are written three times or more, one time right after the other; "" where there are none."""
    words = text.split()
    for count in range(1, LOOP_WORDS + 1):
        for start in range(len(words) - LOOP_TIMES * count + 1):
            parts = [words[start + count * time : start + count * (time + 1)] for time in range(LOOP_TIMES)]
            if all(part == parts[0] for part in parts):
                return " ".join(parts[0])
    return ""


def nearest_sentences(text: str, sentences: Sequence[str], count: int = 10) -> tuple[str, ...]:
    """Find the sentences that share most words with a text; rare words weigh more, and a plural is its singular.

    Each shared word counts log(N / n), where n of the N sentences have it, divided by the root of the sentence's own
    sum, so that short sentences are not at a loss. Ties go to the sentence whose length is nearest.
    """
    read = [_stems(each) for each in sentences]
    having = Counter(stem for stems in read for stem in stems)
    rarity = {stem: log(len(read) / number) + 0.01 for stem, number in having.items()}
    mine = _stems(text)

    def rank(at: int) -> tuple[float, int, int]:
        whole = sum(rarity[stem] for stem in read[at]) or 1.0
        shared = sum(rarity[stem] for stem in read[at] & mine)
        return -shared / whole**0.5, abs(len(read[at]) - len(mine)), at

    order = sorted((at for at in range(len(read)) if sentences[at] != text), key=rank)
    return tuple(sentences[at] for at in order[:count])


def _stems(text: str) -> frozenset[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)
