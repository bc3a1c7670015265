"""What a visitor can set on the page Generate."""

from pages.ui.settings import Setting

COUNT = Setting("gn", "Tokens written", "whole", 12, "Play and Step add to it, Back takes away.", low=0, high=200)
LOOKED = Setting("gat", "Token looked at", "whole", None, "Counted from 0; empty: the last.", low=0, high=199)
FORCED = Setting("gforce", "Branches", "text", "", "Tokens written in the model's place, as place:id, place:id.")
GVIEW = Setting(
    "gview",
    "Look at",
    "pick",
    "stages",
    options=("stages", "along the text", "layers", "attention", "mask", "samples"),
)
HOT = Setting("gt", "Temperature", "number", 0.8, "0: always the likeliest token.", low=0.0, high=5.0)
TOP_K = Setting("gk", "Top-k", "whole", 40, "Only the k likeliest; 0: all.", low=0, high=100_000)
TOP_P = Setting(
    "gp", "Top-p", "number", 0.95, "The fewest likeliest whose chances reach p; 1: all.", low=0.01, high=1.0
)
MIN_P = Setting("gm", "Min-p", "number", 0.0, "At least this share of the likeliest one's chance.", low=0.0, high=1.0)
PENALTY = Setting(
    "gr", "Repetition penalty", "number", 1.0, "Above 1: what was said gets less likely.", low=0.1, high=5.0
)
DRAW_SEED = Setting("gseed", "Seed of the draw", "whole", 0, "Which random numbers.", low=0, high=999_999)
SAMPLES = Setting("gmany", "Samples", "slide", 4, "Texts drawn at once.", low=1, high=8)
GENERATE: tuple[Setting, ...] = (
    *(COUNT, LOOKED, FORCED, GVIEW, HOT, TOP_K, TOP_P, MIN_P, PENALTY, DRAW_SEED, SAMPLES),
)
