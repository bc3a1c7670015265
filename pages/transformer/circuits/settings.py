"""The settings that a visitor can change on the page Circuits."""

from core.limits import FILE_HEADS, FILE_LAYERS, TOKENS
from pages.widgets import Setting

AVERAGE, NOTHING = "average", "nothing"
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
SETTINGS = (WORD, CANDIDATE, AGAINST, PART, KEY)
