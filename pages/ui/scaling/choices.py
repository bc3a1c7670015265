"""What a visitor can set on this page."""

from core.analysis.scaling import SOURCES, WIDTHS
from pages.ui.settings import Setting

FITS = ("dot", "scaled dot", "general", "additive")
VIEW = Setting(
    "sview",
    "Look at",
    "pick",
    "four scores",
    options=("four scores", "variance", "weights", "entropy", "gradient"),
)
FIT = Setting("sfit", "Arithmetic of", "pick", "scaled dot", options=FITS)
SHOWN = Setting("sshow", "Show", "pick", "weights", options=("weights", "scores"))
SOURCE = Setting(
    "sdraw",
    "Drawn from",
    "list",
    "normal",
    "Each number has mean 0 and variance 1. Signs: it is −1 or 1.",
    tuple(SOURCES),
)
EACH = Setting("seach", "Draws per repetition", "whole", 100, "There are 20 repetitions at each d_k.", low=2, high=500)
KEYS = Setting("skeys", "Keys", "whole", 16, "How many keys each query meets.", low=1, high=512)
DRAW_SEED = Setting("sseed", "Seed", "whole", 0, "Which random numbers.", low=0, high=999_999)
WIDTH = Setting("sdk", "d_k", "along", "64", options=tuple(map(str, WIDTHS)))
SCALING = (VIEW, SHOWN, FIT, SOURCE, EACH, KEYS, DRAW_SEED, WIDTH)
