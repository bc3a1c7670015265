"""What one head mixed for a word, term by term."""

from dataclasses import dataclass

import numpy as np

from core.analysis.word_contexts import mix_contributions
from core.explorer.head.records import HeadRecord


@dataclass(frozen=True, eq=False)
class Drawn:
    """z = Σ_j w_j v_j of one token, over the K tokens that it may attend to: their labels, the weights w_j, the sizes
    ‖w_j v_j‖ and the shares along z, which sum to 1 (all (K,)). token: the label of the one that is looked at."""

    token: str
    labels: tuple[str, ...]
    weights: np.ndarray
    sizes: np.ndarray
    shares: np.ndarray

    @property
    def most(self) -> int:
        """The token with the largest share."""
        return int(self.shares.argmax())


def drawn_from(record: HeadRecord, row: int) -> Drawn:
    """What a head mixed for the token of a row; tokens that a mask hides from it are left out."""
    allowed = np.flatnonzero(record.mask[row]) if record.mask[row].any() else np.arange(len(record.keys))
    weights = record.pattern[row][allowed]
    sizes, shares = mix_contributions(weights, record.v[allowed])
    labels = tuple(record.keys.labels[place] for place in allowed)
    return Drawn(record.queries.labels[row], labels, weights, sizes, shares)
