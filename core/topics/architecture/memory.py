"""Frozen records of the memory, in bytes, that training and text generation take."""

from dataclasses import dataclass

import numpy as np

from core.topics.shared.labels import Labelled

TRAINING_PARTS = ("weights", "gradients", "Adam's two moments", "kept for the backward pass")
WRITING_PARTS = ("weights", "keys kept", "values kept")


@dataclass(frozen=True)
class TrainingMemory:
    """The memory of training on `batch` texts.

    kinds (R,): the kinds of parts.
    weights (R,): bytes of their weights.
    kept (R,): bytes of the tensors kept for the backward pass.
    """

    batch: int
    kinds: tuple[str, ...]
    weights: tuple[int, ...]
    kept: tuple[int, ...]

    @property
    def held(self) -> np.ndarray:
        """The bytes (R, 4) of weights, gradients, Adam's two moments and tensors kept for the backward pass."""
        weights = np.array(self.weights)
        return np.stack([weights, weights, 2 * weights, np.array(self.kept)], axis=1)

    @property
    def table(self) -> Labelled:
        """A table of the bytes (R, 5), with their sums."""
        return Labelled(np.column_stack([self.held, self.held.sum(1)]), self.kinds, (*TRAINING_PARTS, "together"))


@dataclass(frozen=True)
class WritingMemory:
    """The memory of a decoder that writes `batch` texts.

    lengths (T,): numbers of tokens read, now and at most.
    kept (T,): bytes of the cached keys and values at these lengths.
    keys: the share of the keys in those bytes.
    token: bytes that one more token adds.
    weights: bytes of the model's weights.
    work: multiply-adds for the newest token of one text, with the cached keys and values and without them.
    """

    batch: int
    lengths: tuple[int, ...]
    kept: tuple[int, ...]
    keys: float
    token: int
    weights: int
    work: tuple[int, ...]

    @property
    def rows(self) -> list[str]:
        """The labels of the lengths."""
        return [f"{length} token{'s' if length > 1 else ''}" for length in self.lengths]

    @property
    def stored(self) -> np.ndarray:
        """The bytes (T, 3) of weights, cached keys and cached values at each length."""
        kept = np.array(self.kept, dtype=float)
        return np.stack([np.full(len(kept), float(self.weights)), self.keys * kept, (1 - self.keys) * kept], axis=1)

    @property
    def table(self) -> Labelled:
        """A table of the bytes at each length (T, 4), with their sums."""
        return Labelled(np.column_stack([self.stored, self.stored.sum(1)]), self.rows, (*WRITING_PARTS, "together"))
