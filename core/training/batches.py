"""Groups rows into batches of texts of similar length, as many as a number of tokens allows.

The batch of a step follows from the seed and the number of the step alone, so a run can stop and resume at any step.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Batch:
    """Tensors whose first axis counts the rows, and the number of predictions that they ask for."""

    tensors: Mapping[str, Tensor]
    predictions: int

    def share(self, rank: int, world: int) -> tuple[dict[str, Tensor], float]:
        """Return the rows of the batch for one of `world` processes, and the factor by which to weight its summed loss.

        The mean over the processes of weight · loss is the loss of the whole batch. If there are fewer rows than
        processes, each takes all of them.
        """
        rows = min(len(value) for value in self.tensors.values())
        if world == 1 or rows < world:
            return dict(self.tensors), 1.0
        return {name: value[rank::world] for name, value in self.tensors.items()}, float(world)


def group_by_length(lengths: np.ndarray, tokens: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Group row numbers by similar length, in random order: rows × the longest row ≤ `tokens` (one row always fits).

    lengths: (rows, sides), the tokens of each side of a pair. The longest row is the sum of the longest of each side.

    Only rows of equal lengths swap places between draws, so the number of groups is always the same.
    """
    shuffled = rng.permutation(len(lengths))
    keys = tuple(lengths[shuffled].T)
    order = shuffled[np.lexsort(keys[::-1])]
    groups, start = [], 0
    longest = np.zeros(lengths.shape[1], dtype=np.int64)
    for position, row in enumerate(order):
        longer = np.maximum(longest, lengths[row])
        if position > start and (position - start + 1) * longer.sum() > tokens:
            groups.append(order[start:position])
            start, longer = position, lengths[row]
        longest = longer
    groups.append(order[start:])
    return [groups[i] for i in rng.permutation(len(groups))]


class Epochs:
    """Batches that go through all rows again and again, in new groups each time.

    `rows(step)` works for any step, in any order.
    """

    def __init__(self, lengths: np.ndarray, tokens: int, seed: int) -> None:
        if not len(lengths):
            raise ValueError("There is nothing to train on: no row is left.")
        self.lengths = lengths if lengths.ndim == 2 else lengths[:, None]
        self.tokens = tokens
        self.seed = seed
        self.epoch = lru_cache(maxsize=2)(self._epoch)
        self.batches = len(self.epoch(0))

    def rows(self, step: int) -> np.ndarray:
        epoch, batch_index = divmod(step, self.batches)
        return self.epoch(epoch)[batch_index]

    def _epoch(self, epoch: int) -> list[np.ndarray]:
        return group_by_length(self.lengths, self.tokens, np.random.default_rng((self.seed, epoch)))


def padded(texts: Sequence[Sequence[int]]) -> Tensor:
    """Return texts of ids as one (B, L) tensor, padded at the end with 0."""
    table = np.zeros((len(texts), max(map(len, texts))), dtype=np.int64)
    for row, text in zip(table, texts, strict=True):
        row[: len(text)] = text
    return torch.from_numpy(table)
