"""A short way into the core, for a notebook or a terminal: one text, one model, and what its heads look at."""

from core.explore.explored import Explored, explore
from core.explore.matrix import Matrix

__all__ = ["Explored", "Matrix", "explore"]
