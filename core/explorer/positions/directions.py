"""Random directions: their cosines at every size, and in bins beside theory."""

from core.analysis.orthogonality import SIZES, Cosines, histogram, random_cosines

__all__ = ["SIZES", "Cosines", "histogram", "random_cosines"]
