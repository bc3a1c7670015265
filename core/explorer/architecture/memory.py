"""What training and writing hold in memory, in bytes: frozen records."""

from dataclasses import dataclass

import numpy as np

from core.explorer.shared.labels import LabelledMatrix

HELD = ("weights", "gradients", "Adam's two moments", "kept for the backward pass")
STORED = ("weights", "keys kept", "values kept")


@dataclass(frozen=True)
class TrainingMemory:
    """Training on `batch` texts. kinds (R,): of parts; weights, kept (R,): bytes of their weights, and of what the
    backward pass needs again."""

    batch: int
    kinds: tuple[str, ...]
    weights: tuple[int, ...]
    kept: tuple[int, ...]

    @property
    def held(self) -> np.ndarray:
        """(R, 4) bytes by `HELD`: a gradient is as large as its weight, and Adam keeps two moments of each."""
        weights = np.array(self.weights)
        return np.stack([weights, weights, 2 * weights, np.array(self.kept)], axis=1)

    @property
    def table(self) -> LabelledMatrix:
        """(R, 5) bytes, with their sums."""
        return np.column_stack([self.held, self.held.sum(1)]), self.kinds, (*HELD, "together")


@dataclass(frozen=True)
class WritingMemory:
    """`batch` texts that a decoder writes.

    lengths (T,): tokens read, now and at the most; kept (T,): bytes of keys and values then; keys: the keys' share of
    them; token: bytes that one token more adds; weights: of the model; work: multiply-adds of the newest token of one
    text, with the kept keys and values and without.
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
        """What the lengths are called."""
        return [f"{length} token{'s' if length > 1 else ''}" for length in self.lengths]

    @property
    def stored(self) -> np.ndarray:
        """(T, 3) bytes by `STORED`."""
        kept = np.array(self.kept, dtype=float)
        return np.stack([np.full(len(kept), float(self.weights)), self.keys * kept, (1 - self.keys) * kept], axis=1)

    @property
    def table(self) -> LabelledMatrix:
        """(T, 4) bytes, with their sums."""
        return np.column_stack([self.stored, self.stored.sum(1)]), self.rows, (*STORED, "together")
