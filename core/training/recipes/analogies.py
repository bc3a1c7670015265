"""Our own questions of the form "a is to b as c is to ?": every two pairs of a family give two."""

from dataclasses import dataclass
from itertools import permutations

PAIRS: dict[str, str] = {
    "gender": "man woman, boy girl, king queen, prince princess, father mother, son daughter, brother sister, "
    "uncle aunt, husband wife, gentleman lady, he she, his her, himself herself, lord lady, duke duchess",
    "family": "father son, mother daughter, uncle nephew, aunt niece, grandfather grandson, grandmother granddaughter",
    "plural": "cat cats, dog dogs, horse horses, tree trees, house houses, king kings, boy boys, day days, hand hands, "
    "child children, man men, woman women, foot feet, tooth teeth, mouse mice, wolf wolves, leaf leaves",
    "tense": "go went, come came, see saw, take took, give gave, know knew, run ran, sing sang, walk walked, "
    "look looked, say said, tell told, make made, find found, eat ate, fall fell, begin began",
    "participle": "go going, come coming, walk walking, look looking, sing singing, run running, sit sitting, "
    "stand standing, speak speaking, fall falling, cry crying, laugh laughing",
    "comparative": "good better, great greater, small smaller, large larger, long longer, old older, young younger, "
    "strong stronger, high higher, low lower, bright brighter, near nearer",
    "superlative": "great greatest, small smallest, large largest, old oldest, young youngest, high highest, "
    "strong strongest, good best, bad worst, fine finest",
    "opposite": "good bad, old young, big little, hot cold, rich poor, happy sad, day night, black white, up down, "
    "left right, friend enemy, life death",
}


@dataclass(frozen=True)
class Question:
    """An analogy question; its words are a, b, c and the answer d."""

    family: str
    words: tuple[str, str, str, str]


def questions() -> tuple[Question, ...]:
    """Return every question a : b = c : d from two different pairs of one family, unless they share a word."""
    analogies = []
    for family, text in PAIRS.items():
        pairs = [tuple(pair.split()) for pair in text.split(", ")]
        for (a, b), (c, d) in permutations(pairs, 2):
            if len({a, b, c, d}) == 4:
                analogies.append(Question(family, (a, b, c, d)))
    return tuple(analogies)
