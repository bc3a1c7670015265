"""The settings that a visitor can change on the page Translate."""

from core.limits import BEAMS
from core.topics.translate.interventions import FORCES, REACHES
from pages.widgets import Setting

COUNT = Setting(
    "translate-tokens", "Tokens written", "int", None, "Play and Step add to it, Back takes away.", high=511
)
LOOKED_AT_TOKEN = Setting(
    "translate-looked-at", "Token looked at", "int", None, "Counted from 0; empty: the last.", high=511
)
SHOWN_HEADS = Setting("translate-heads", "Which heads", "pills", "layer", options=REACHES)
ATTENTION = Setting("translate-attention", "Attention", "pills", "cross", options=("cross", "encoder", "decoder"))
DRAWN_AS = Setting("translate-drawn-as", "Drawn as", "pills", "matrix", options=("matrix", "lines"))
UNIT = Setting("translate-unit", "Rows and columns", "pills", "pieces", options=("pieces", "words"))
FORCED_CHANGE = Setting("translate-force", "Force", "pills", "attention", options=FORCES)
FORCED_HEADS = Setting("translate-reach", "Which heads", "pills", "all", options=REACHES)
AT_TARGET = Setting(
    "translate-target-token", "Token to redirect", "int", None, "The number of a French token.", high=511
)
AT_SOURCE = Setting("translate-source-token", "Source token", "int", None, "The number of an English token.", high=511)
WIDTH = Setting("translate-beam-width", "Beam width", "slider", 3, "Texts kept at each step.", low=1, high=BEAMS)
PENALTY = "0: the plain sum, which favours short texts."
ALPHA = Setting("translate-length-penalty", "Length penalty α", "float", 0.6, PENALTY, low=0.0, high=3.0)
TEMPERATURE = Setting(
    "translate-temperature", "Temperature of the samples", "float", 0.7, "0: greedy.", low=0.0, high=5.0
)
SEED = Setting("translate-seed", "Seed of the draw", "int", 0, "Which random numbers.", high=999_999)
LOOK_SETTINGS = (COUNT, LOOKED_AT_TOKEN, SHOWN_HEADS, ATTENTION, DRAWN_AS, UNIT)
SETTINGS = (*LOOK_SETTINGS, FORCED_CHANGE, FORCED_HEADS, AT_TARGET, AT_SOURCE, WIDTH, ALPHA, TEMPERATURE, SEED)
