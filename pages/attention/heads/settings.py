"""The settings that a visitor can change on the page Heads."""

from core.checkpoints.head_records import DECILES, STRONGEST
from core.limits import FILE_HEADS, FILE_LAYERS
from core.readings.descriptors import DESCRIPTORS
from core.topics.heads.readings.over_texts import SCORE_NAMES
from core.topics.heads.switches import short_names
from core.topics.heads.treatment import HIDEABLE
from pages.widgets import Setting

STEP = Setting(
    "heads-step-of-training",
    "Step of training",
    "select_slider",
    "end",
    "The weights as they were on the way.",
    ("end",),
    pins=True,
)
VIVID = Setting(
    "heads-vivid", "Scale colours to this picture", "toggle", False, "The darkest colour is its largest weight."
)
UNIT = Setting("heads-unit", "Rows and columns", "pills", "pieces", options=("pieces", "words"))
HIDDEN_KEYS = Setting(
    "heads-hide", "Hide as keys", "multi_pills", (), "Rows are then divided by what is left.", HIDEABLE
)
MIN_WEIGHT = Setting(
    "heads-least", "Hide weights below, %", "float", 0.0, "Smaller ones are not drawn.", low=0.0, high=100.0
)
ROW_HELP = "A token's number: its row is read out. A click on the picture chooses it too."
QUERY_ROW = Setting("heads-pin", "Query (row)", "int", None, ROW_HELP, low=0, high=511)
SHOWN_HEADS = Setting("heads-whose", "Show", "pills", "this head", options=("this head", "all heads"))
TASK = Setting("heads-task", "Show", "pills", "one score", options=("one score", "all scores", "which are alike"))
NAMES = tuple(descriptor.name for descriptor in DESCRIPTORS)
SCORE = Setting("heads-score", "What is measured", "selectbox", NAMES[0], options=NAMES)
SCORES_OVER_TEXTS = tuple(SCORE_NAMES.values())
ACROSS = Setting(
    "heads-across", "Across", "selectbox", SCORES_OVER_TEXTS[0], "The score from left to right.", SCORES_OVER_TEXTS
)
UP = Setting("heads-up", "Up", "selectbox", SCORE_NAMES["entropy"], "The score from below.", SCORES_OVER_TEXTS)
CONTEXTS = Setting("heads-texts", "Texts", "pills", "strongest", options=("strongest", "one of each tenth"))
CONTEXT = Setting("heads-text", "Opened text", "int", 1, "Counted from 1, from above.", low=1, high=STRONGEST + DECILES)
COMBINED_BY = Setting("heads-combine", "Combine heads by", "pills", "average", options=("average", "rollout"))
OFF_HELP = "Their output z becomes zero, so they add nothing."
HEADS_OFF = Setting(
    "heads-off", "Heads switched off", "multiselect", (), OFF_HELP, short_names(FILE_LAYERS, FILE_HEADS)
)
EFFECTS = ("this pattern", "every pattern", "layers", "tokens", "next token")
EFFECT = Setting("heads-effect", "What changes", "pills", "every pattern", options=EFFECTS)
SETTINGS = (
    *(STEP, VIVID, UNIT, HIDDEN_KEYS, MIN_WEIGHT, QUERY_ROW, SHOWN_HEADS, TASK, SCORE, COMBINED_BY, HEADS_OFF),
    *(EFFECT, ACROSS, UP, CONTEXTS, CONTEXT),
)
