"""Take the embeddings of numbers apart into waves, for addition modulo p (Nanda et al. 2023).

A model that adds modulo p by turning on circles has embeddings that are sums of a few waves: the column of one
dimension, read from 0 to p − 1, is made of few of the (p − 1) / 2 frequencies.
"""

from dataclasses import dataclass

import numpy as np

STRONGEST_SHARE = 0.9  # of the squared norm


@dataclass(frozen=True, eq=False)
class Spectrum:
    """How much of the embeddings of the numbers 0 to p − 1 each frequency explains.

    shares ((p − 1) / 2,): the share of the squared norm, without the mean, at frequency 1, 2 and so on; sums to 1.
    """

    shares: np.ndarray

    @property
    def strongest(self) -> tuple[int, ...]:
        """The fewest frequencies that explain 90% together, the strongest first."""
        order = np.argsort(-self.shares, kind="stable")
        count = int(np.searchsorted(self.shares[order].cumsum(), STRONGEST_SHARE)) + 1
        return tuple(int(number) + 1 for number in order[:count])


def spectrum(embeddings: np.ndarray) -> Spectrum:
    """Return the spectrum of the embeddings (p, D) of the numbers 0 to p − 1, for an odd p of 3 or more.

    Raises ValueError for another number of rows, and for embeddings that are all alike.
    """
    if len(embeddings) < 3 or len(embeddings) % 2 == 0:
        raise ValueError(f"A spectrum needs an odd number of rows, 3 or more, not {len(embeddings)}.")
    waves = np.fft.rfft(np.asarray(embeddings, dtype=np.float64), axis=0)[1:]  # (F, D); the mean is left out
    power = (np.abs(waves) ** 2).sum(1)
    if not power.sum() > 0:
        raise ValueError("These embeddings are all alike, so they are made of no waves.")
    return Spectrum(power / power.sum())
