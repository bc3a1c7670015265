"""Random directions: their cosines at every size, and in bins beside theory, with their tables."""

import numpy as np

from core.topics.positions.analysis.orthogonality import SIZES, Cosines, Histogram, histogram, random_cosines
from core.topics.shared.labels import Labelled

__all__ = ["SIZES", "Cosines", "bins_table", "cosine_table", "degrees", "histogram", "random_cosines"]
STATISTICS = ("mean", "standard error", "variance", "standard error of it", "theory 1/n", "5% below", "5% above")


def degrees(cosines: np.ndarray) -> np.ndarray:
    """Return the angles, in degrees, that have these cosines."""
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))


def cosine_table(cosines: Cosines) -> Labelled:
    """Return the cosines as a table (7, S): a row for each of `STATISTICS`, a column for each size."""
    spread = (
        cosines.mean,
        cosines.mean_error,
        cosines.variance,
        cosines.variance_error,
        1 / cosines.sizes,
        cosines.low,
        cosines.high,
    )
    return Labelled(np.stack(spread), STATISTICS, [f"n = {n}" for n in cosines.sizes])


def bins_table(bins: Histogram) -> Labelled:
    """Return the histogram as a table (2, B): the measured and the expected share, a column for each bin."""
    rows = "share per unit of cosine", "theory for random directions"
    return Labelled(np.stack([bins.density, bins.theory]), rows, [f"{centre:.4f}" for centre in bins.centres])
