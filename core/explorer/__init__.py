"""The few verbs that pages call: plain values in, frozen records of numpy arrays out."""

from core.explorer.ablation import ablate
from core.explorer.attention import head, layer, mixing, overview
from core.explorer.journey import journey
from core.explorer.loading import check, load

__all__ = ["ablate", "check", "head", "journey", "layer", "load", "mixing", "overview"]
