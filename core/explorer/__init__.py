"""The few verbs that pages call: plain values in, frozen records of numpy arrays out."""

from core.explorer.ablation import ablate
from core.explorer.attention import head
from core.explorer.generation import beam, generate, samples, score_text, step, write
from core.explorer.generation_views import attention_of, lens, look
from core.explorer.heads import behaviours, contributions, mixing, overview, patterns, projections
from core.explorer.journey import journey
from core.explorer.loading import check, load
from core.explorer.writing import start_ids

__all__ = [
    "ablate",
    "attention_of",
    "beam",
    "behaviours",
    "check",
    "contributions",
    "generate",
    "head",
    "journey",
    "lens",
    "load",
    "look",
    "mixing",
    "overview",
    "patterns",
    "projections",
    "samples",
    "score_text",
    "start_ids",
    "step",
    "write",
]
