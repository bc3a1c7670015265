"""How often a translator was wrong on held-out sentences, by how unsure it was of its own translation."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.checkpoints.measured import MEASURED_FOLDER, load_measured


@dataclass(frozen=True)
class Confidence:
    """threshold: bits a token from which the translator counts as unsure. poor, elsewhere: the shares of translations
    that were poor there, and of all others."""

    threshold: float
    poor: float
    elsewhere: float


@cache
def confidence(model: str, folder: Path = MEASURED_FOLDER) -> Confidence | None:
    """Return the numbers of ``confidence-<model>.json``; None where that is missing or damaged."""
    try:
        found = load_measured(f"confidence-{model}", folder)
        return Confidence(*(float(found[key]) for key in ("threshold_bits", "poor_where_unsure", "poor_elsewhere")))
    except (ValueError, KeyError, TypeError):
        return None
