"""The words of several sentences on one plane, at one stage."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.word_maps import principal_components
from core.analysis.word_vectors import unit_rows
from core.topics.words_in_context.occurrences import Occurrence
from core.topics.words_in_context.sentences import ReadSentence


@dataclass(frozen=True, eq=False)
class ContextMap:
    """The words of several sentences on one plane.

    stage: the name of the stage.
    places (N, 2): the positions of all words.
    shares (2,): the axes' shares of the variance.
    sentences: the sentence of each word, from 0.
    here: whether each word is an occurrence of the word that is compared.
    """

    stage: str
    words: tuple[str, ...]
    sentences: tuple[int, ...]
    here: tuple[bool, ...]
    places: np.ndarray
    shares: np.ndarray


def context_map(sentences: Sequence[ReadSentence], occurrences: Sequence[Occurrence], stage: int) -> ContextMap:
    """Return all words that have a letter or a digit on a plane, by principal components of their vectors at a stage.

    Each vector is first divided by its length, so that words with a large cosine are near each other.
    """
    looked = {(occurrence.sentence, occurrence.word) for occurrence in occurrences}
    shown = [
        (number, index)
        for number, sentence in enumerate(sentences)
        for index, word in enumerate(sentence.words)
        if any(map(str.isalnum, word)) or (number, index) in looked
    ]
    rows = unit_rows(np.stack([sentences[n].states[stage, index] for n, index in shown]).astype(np.float64))
    places, shares = principal_components(rows)
    words = tuple(sentences[n].words[index] for n, index in shown)
    selected = tuple(where in looked for where in shown)
    return ContextMap(sentences[0].stages[stage], words, tuple(n for n, _ in shown), selected, places, shares)
