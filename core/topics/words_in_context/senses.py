"""The measured share of words whose nearest neighbour has the same meaning, read from a shipped file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.checkpoints.measured import rebuild_measured
from core.text.broken_file import BrokenFile


@dataclass(frozen=True, eq=False)
class SenseShares:
    """For some words, the sentences with a nearest neighbour of their own meaning, at each stage.

    model: the model that read them.
    stages: the names of the S stages.
    sentences: for each word, the number of sentences with each meaning.
    right (W, S): the number of sentences whose nearest neighbour has their own meaning.
    """

    model: str
    stages: tuple[str, ...]
    sentences: Mapping[str, Mapping[str, int]]
    right: np.ndarray

    @property
    def totals(self) -> np.ndarray:
        """The number of sentences of each word, (W,)."""
        return np.array([sum(counts.values()) for counts in self.sentences.values()])

    @property
    def shares(self) -> np.ndarray:
        """The share of sentences whose nearest neighbour has their own meaning, (W, S)."""
        return self.right / self.totals[:, None]

    @property
    def baselines(self) -> np.ndarray:
        """The share of the commonest meaning, (W,): the best that one vector for a word can reach."""
        return np.array([max(counts.values()) for counts in self.sentences.values()]) / self.totals


def sense_shares(measured: Mapping[str, Any]) -> SenseShares:
    """Return the shipped numbers.

    Raises BrokenFile if they are not complete.
    """
    try:
        words = measured["words"]
        right = np.array([words[word]["right"] for word in words])
        return SenseShares(
            measured["model"],
            tuple(measured["stages"]),
            {word: entry["sentences"] for word, entry in words.items()},
            right.reshape(len(words), len(measured["stages"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        name = f"senses-{measured.get('model')}"
        raise BrokenFile(f"The file {name}.json is not whole ({error}).", rebuild_measured(name)) from error
