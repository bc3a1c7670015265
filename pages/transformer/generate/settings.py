"""The settings that a visitor can change on the page Generate."""

from core.limits import DRAWN_TEXTS, FILE_SIZES, WRITTEN_TOKENS
from pages.widgets import Setting

COUNT = Setting(
    "generate-tokens", "Tokens written", "int", 12, "Play and Step add to it, Back takes away.", high=WRITTEN_TOKENS
)
LOOKED_AT_TOKEN = Setting(
    "generate-looked", "Token looked at", "int", None, "Counted from 0; empty: the last.", high=WRITTEN_TOKENS - 1
)
BRANCHES = Setting(
    "generate-branches", "Branches", "text", "", "Tokens written in the model's place, as place:id, place:id."
)
TEMPERATURE = Setting(
    "generate-temperature", "Temperature", "float", 0.7, "0: always the likeliest token.", low=0.0, high=5.0
)
TOP_K = Setting("generate-top-k", "Top-k", "int", 40, "Only the k likeliest; 0: all.", high=FILE_SIZES)
TOP_P = Setting(
    "generate-top-p", "Top-p", "float", 0.9, "The fewest likeliest whose chances reach p; 1: all.", low=0.01, high=1.0
)
MIN_P = Setting(
    "generate-min-p", "Min-p", "float", 0.0, "At least this share of the likeliest one's chance.", low=0.0, high=1.0
)
PENALTY = Setting(
    "generate-penalty",
    "Repetition penalty",
    "float",
    1.2,
    "Above 1: what was said gets less likely.",
    low=0.1,
    high=5.0,
)
SEED = Setting("generate-seed", "Seed of the draw", "int", 1, "Which random numbers.", high=999_999)
SAMPLING = (TEMPERATURE, TOP_K, TOP_P, MIN_P, PENALTY, SEED)
SAMPLES = Setting("generate-samples", "Samples", "slider", 4, "Texts drawn at once.", low=1, high=DRAWN_TEXTS)
SETTINGS = (COUNT, LOOKED_AT_TOKEN, BRANCHES, *SAMPLING, SAMPLES)
