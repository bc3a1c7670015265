"""The settings that a visitor can change on the page Circuits."""

from core.limits import D_MODEL, FILE_HEADS, FILE_LAYERS, TOKENS
from core.topics.circuits.edges import INPUTS
from pages.widgets import Setting

AVERAGE, NOTHING, STRONGEST = "average", "nothing", "strongest"
CANDIDATES = 7  # the likeliest pieces, and the one that the text has
MAX_PARTS = FILE_LAYERS * (2 * FILE_HEADS + 1) + 4

WORD = Setting(
    "circuits-word", "Token", "int", None, "Counted from 0; empty: the one that the model would write.", high=TOKENS
)
CANDIDATE = Setting(
    "circuits-for",
    "For",
    "int",
    None,
    "The row of a piece, counted from 0; empty: what stands there.",
    high=CANDIDATES - 1,
)
AGAINST = Setting(
    "circuits-against",
    "Compared with",
    "selectbox",
    AVERAGE,
    "What every word gets tells nothing about this one.",
    options=(AVERAGE, NOTHING, *map(str, range(CANDIDATES))),
)
PART = Setting("circuits-part", "Part", "int", None, "Counted from 0; empty: the head that adds most.", high=MAX_PARTS)
KEY = Setting(
    "circuits-key", "Looks at", "int", None, "The token's number; empty: the one that it looks at most.", high=TOKENS
)
LATER = Setting(
    "circuits-later",
    "Later head",
    "int",
    None,
    "Counted from 0, layer by layer; empty: that of the strongest path.",
    high=MAX_PARTS,
)
EARLIER = Setting(
    "circuits-earlier",
    "Earlier head",
    "int",
    None,
    "Counted from 0; empty: that of the strongest path.",
    high=MAX_PARTS,
)
INTO = Setting(
    "circuits-into",
    "Goes into",
    "selectbox",
    STRONGEST,
    "What the later head makes from it.",
    options=(STRONGEST, *INPUTS),
)
CIRCUIT = Setting(
    "circuits-map",
    "Map",
    "selectbox",
    "looks for (QK)",
    "From keys to queries, or from what the head looks at to what it writes.",
    options=("looks for (QK)", "writes (OV)"),
)
DIRECTION = Setting("circuits-direction", "Direction", "int", None, "1 is the strongest.", low=1, high=D_MODEL)
SETTINGS = (WORD, CANDIDATE, AGAINST, PART, KEY, LATER, EARLIER, INTO, CIRCUIT, DIRECTION)
