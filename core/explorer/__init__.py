"""The few verbs that pages call: plain values in, frozen records of numpy arrays out."""

from core.explorer.ablation import ablate
from core.explorer.attention import head
from core.explorer.heads import behaviours, contributions, mixing, overview, patterns, projections
from core.explorer.journey import journey
from core.explorer.loading import check, load

__all__ = [
    "ablate",
    "behaviours",
    "check",
    "contributions",
    "head",
    "journey",
    "load",
    "mixing",
    "overview",
    "patterns",
    "projections",
]
