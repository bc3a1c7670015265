"""One word in several sentences: its positions, and the cosines of its vectors from layer to layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.analysis.word_contexts import cosine_rows, mean_cosine
from core.text.content_words import FUNCTION_WORDS
from core.topics.words_in_context.sentences import ReadSentence

MAX_OCCURRENCES = 3  # the most occurrences that are compared
NONE_SHARED = "No word stands in each of these sentences. Write one that does, or take one of the examples."
STANDS_ONCE = "Write a second sentence: here no word stands twice."


@dataclass(frozen=True)
class Occurrence:
    """An occurrence of the word: its sentence and its position there, both counted from 0.

    name: the name of its sentence on screen, "2"; "2b" for the second time that the word occurs there.
    """

    sentence: int
    word: int
    name: str


@dataclass(frozen=True, eq=False)
class OccurrencePair:
    """Two occurrences, by their positions in the list, and the cosine of their vectors at each stage (S,)."""

    first: int
    second: int
    name: str
    cosines: np.ndarray


@dataclass(frozen=True, eq=False)
class Alikeness:
    """How alike the vectors of a word's occurrences are, beside those of different words.

    pairs: every two occurrences.
    others (S,): the mean cosine of two different words of the sentences; NaN if there are none.
    same_row: whether all occurrences have the same row of the embedding table.
    """

    stages: tuple[str, ...]
    pairs: tuple[OccurrencePair, ...]
    others: np.ndarray
    same_row: bool

    @property
    def least_alike(self) -> OccurrencePair:
        """The pair with the smallest cosine at the last stage."""
        return min(self.pairs, key=lambda pair: pair.cosines[-1])

    @property
    def most_alike(self) -> OccurrencePair:
        """The pair with the largest cosine at the last stage."""
        return max(self.pairs, key=lambda pair: pair.cosines[-1])


def shared_word(sentences: Sequence[ReadSentence], wanted: str = "") -> str:
    """Return the word to compare in the sentences, in lower case.

    It is the wanted one, otherwise the first word that occurs in each sentence, or twice in the only one; a function
    word only if there is no other. Raises ValueError if there is no such word.
    """
    texts = [[word.casefold() for word in sentence.words] for sentence in sentences]
    if wanted := wanted.strip().casefold():
        missing = [str(number) for number, words in enumerate(texts, start=1) if wanted not in words]
        if missing:
            noun = "sentence" if len(missing) == 1 else "sentences"
            numbers = " and ".join(", ".join(missing).rsplit(", ", 1))  # "1, 2 and 3"
            raise ValueError(f"“{wanted[:40]}” does not stand in {noun} {numbers}.")
        if len(texts) == 1 and texts[0].count(wanted) < 2:
            raise ValueError(STANDS_ONCE)
        return wanted
    needed = 2 if len(texts) == 1 else 1
    shared = [word for word in texts[0] if _spelled(word) and all(words.count(word) >= needed for words in texts)]
    if not shared:
        raise ValueError(STANDS_ONCE if len(texts) == 1 else NONE_SHARED)
    return next((word for word in shared if word not in FUNCTION_WORDS), shared[0])


def occurrences(sentences: Sequence[ReadSentence], word: str) -> tuple[Occurrence, ...]:
    """Return at most `MAX_OCCURRENCES` occurrences of a word, preferring the first one in each sentence."""
    ranked = []
    for number, sentence in enumerate(sentences):
        places = [index for index, text in enumerate(sentence.words) if text.casefold() == word]
        for time, index in enumerate(places):
            ranked.append((time, Occurrence(number, index, f"{number + 1}{' bcdefghij'[time % 10].strip()}")))
    first = sorted(ranked, key=lambda pair: pair[0])[:MAX_OCCURRENCES]
    return tuple(
        sorted((occurrence for _, occurrence in first), key=lambda occurrence: (occurrence.sentence, occurrence.word))
    )


def alikeness(sentences: Sequence[ReadSentence], places: Sequence[Occurrence]) -> Alikeness:
    """Compare a word's occurrences: return the cosine of every two at every stage, beside that of different words."""
    vectors = [sentences[occurrence.sentence].states[:, occurrence.word] for occurrence in places]  # (S, D) each
    pairs = tuple(
        OccurrencePair(i, k, f"{places[i].name} and {places[k].name}", cosine_rows(vectors[i], vectors[k]))
        for i, k in combinations(range(len(places)), 2)
    )
    rows = [mean_cosine(a.states, b.states, _unlike(a, b)) for a, b in combinations(sentences, 2)]
    rows = rows or [mean_cosine(sentences[0].states, sentences[0].states, _unlike(sentences[0], sentences[0]))]
    known = [row for row in rows if not np.isnan(row).any()]
    others = np.mean(known, axis=0) if known else np.full(len(vectors[0]), np.nan)
    same_row = all(np.allclose(vector[0], vectors[0][0], atol=1e-6) for vector in vectors)
    return Alikeness(sentences[0].stages, pairs, others, same_row)


def _spelled(word: str) -> bool:
    """Return whether it is a word, not punctuation or the name of a special token such as [CLS], <s> or (end)."""
    return any(character.isalnum() for character in word) and word[:1] + word[-1:] not in ("[]", "<>", "()")


def _unlike(a: ReadSentence, b: ReadSentence) -> np.ndarray:
    """Return which pairs are two words with different letters, (W, W')."""
    return np.array([[_spelled(v) and _spelled(w) and v.casefold() != w.casefold() for w in b.words] for v in a.words])
