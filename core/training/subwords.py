"""Splits words into pieces at random, for subword regularisation (Kudo 2018).

sentencepiece draws from a generator of its own that cannot be set back, so a run could not resume exactly. Here each
word's best segmentations are kept, and one of them is drawn with a given generator.
"""

import re
from functools import lru_cache

import numpy as np

from core.text.pieces import prefixed
from core.text.tokenizer import Tokenizer

SEGMENTATIONS = 8
ALPHA = 0.25  # probabilities are raised to this power: the smaller it is, the more even they become
_WORDS = re.compile(r"\s?\S+|\s+")


class SubwordSampler:
    """A unigram tokenizer that splits each word of a text at random."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self._ways = lru_cache(maxsize=60_000)(self._segmented)

    def ids(self, text: str, rng: np.random.Generator) -> list[int]:
        """Return the ids of one random segmentation of a text."""
        ids: list[int] = []
        for word in _WORDS.findall(prefixed(text)):
            ways, limits = self._ways(word)
            ids += ways[int(np.searchsorted(limits, rng.random()))] if len(ways) > 1 else ways[0]
        return ids

    def _segmented(self, word: str) -> tuple[list[list[int]], np.ndarray]:
        """Return a word's best segmentations, and the cumulative sums of their probabilities."""
        ways, scores = self.tokenizer.best_ids(word, SEGMENTATIONS)
        weights = np.exp(ALPHA * (np.array(scores) - max(scores)))
        limits = np.cumsum(weights / weights.sum())
        limits[-1] = 1.0
        return ways, limits
