"""What one head mixed for a word, term by term."""

from dataclasses import dataclass

import numpy as np

from core.analysis.word_contexts import mix_contributions
from core.explorer.head.records import HeadRecord


@dataclass(frozen=True, eq=False)
class Drawn:
    """z = Σ_j w_j v_j of one token, over K tokens: their labels, the weights w_j, the sizes ‖w_j v_j‖ and the shares
    along z, which sum to 1 (all (K,)). token: the label of the one that is looked at."""

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
    """What a head mixed for the token of a row."""
    sizes, shares = mix_contributions(record.pattern[row], record.v)
    return Drawn(record.queries.labels[row], record.keys.labels, record.pattern[row], sizes, shares)
