"""How well nearest neighbours share a word's meaning, as it was measured and shipped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.checkpoints.measured import rebuild_measured
from core.text.broken_file import BrokenFile


@dataclass(frozen=True, eq=False)
class SenseShares:
    """Of some words: how many sentences have each meaning, and how many have a nearest neighbour of their own at each
    of the S stages (W, S). model: who read them."""

    model: str
    stages: tuple[str, ...]
    sentences: Mapping[str, Mapping[str, int]]
    right: np.ndarray

    @property
    def totals(self) -> np.ndarray:
        """(W,) the sentences of each word."""
        return np.array([sum(counts.values()) for counts in self.sentences.values()])

    @property
    def shares(self) -> np.ndarray:
        """(W, S) the share of neighbours of one meaning."""
        return self.right / self.totals[:, None]

    @property
    def baselines(self) -> np.ndarray:
        """(W,) the share of the commoner meaning: as good as one vector for a word can be."""
        return np.array([max(counts.values()) for counts in self.sentences.values()]) / self.totals


def sense_shares(measured: Mapping[str, Any]) -> SenseShares:
    """The shipped numbers. BrokenFile where they are not whole."""
    try:
        words = measured["words"]
        right = np.array([words[word]["right"] for word in words])
        return SenseShares(
            measured["model"],
            tuple(measured["stages"]),
            {word: each["sentences"] for word, each in words.items()},
            right.reshape(len(words), len(measured["stages"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        name = f"senses-{measured.get('model')}"
        raise BrokenFile(f"The file {name}.json is not whole ({error}).", rebuild_measured(name)) from error
