"""Measurements of how often a translator was wrong on held-out sentences, by how unsure it was of its translation."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.checkpoints.measured import MEASURED_FOLDER, load_measured


@dataclass(frozen=True)
class Confidence:
    """The measured shares of poor translations, with a threshold between unsure and sure ones.

    threshold: the bits per token from which the translator counts as unsure.
    poor: the share of its unsure translations that were poor.
    elsewhere: the share of all its other translations that were poor.
    """

    threshold: float
    poor: float
    elsewhere: float


@cache
def confidence(model: str, folder: Path = MEASURED_FOLDER) -> Confidence | None:
    """Return the numbers of ``confidence-<model>.json``, or None if that file is missing or damaged."""
    try:
        values = load_measured(f"confidence-{model}", folder)
        return Confidence(*(float(values[key]) for key in ("threshold_bits", "poor_where_unsure", "poor_elsewhere")))
    except (ValueError, KeyError, TypeError):
        return None
