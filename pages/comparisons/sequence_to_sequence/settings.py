"""The settings that a visitor can change on the page Sequence to sequence."""

from core.topics.sequence_to_sequence.gates import SCANS
from core.topics.sequence_to_sequence.records import MAX_SOURCE_TOKENS
from pages.widgets import Setting

MAX_WRITTEN_TOKENS = MAX_SOURCE_TOKENS * 3 // 2 + 20  # the most tokens that a translation can have
TOKEN_COUNT = Setting(
    "sequence-to-sequence-tokens", "Tokens written", "int", None, "Of each model.", high=MAX_WRITTEN_TOKENS
)
STEP = Setting(
    "sequence-to-sequence-reached",
    "Steps",
    "int",
    None,
    "Of reading, then of writing.",
    high=MAX_SOURCE_TOKENS + MAX_WRITTEN_TOKENS,
)
OTHER_WORD = Setting(
    "sequence-to-sequence-other", "In place of a word", "text", "thing", "Empty: the word is left out."
)
WORD = Setting(
    "sequence-to-sequence-word", "Word", "int", 2, "The word that changes, from 0.", high=MAX_SOURCE_TOKENS - 1
)
ROW = Setting("sequence-to-sequence-row", "Written token", "int", 2, "Counted from 0.", high=MAX_WRITTEN_TOKENS - 1)
COLUMN = Setting("sequence-to-sequence-column", "Source token", "int", 2, "Counted from 0.", high=MAX_SOURCE_TOKENS - 1)
REDIRECTED_TOKEN = Setting(
    "sequence-to-sequence-redirected", "Token to redirect", "int", 8, "Counted from 0.", high=MAX_WRITTEN_TOKENS - 1
)
SOURCE_TOKEN = Setting(
    "sequence-to-sequence-towards", "Source token", "int", 18, "It gets all weight.", high=MAX_SOURCE_TOKENS - 1
)
SCAN = Setting("sequence-to-sequence-gru", "GRU", "selectbox", next(iter(SCANS)), options=tuple(SCANS))
SETTINGS = (TOKEN_COUNT, STEP, OTHER_WORD, WORD, ROW, COLUMN, REDIRECTED_TOKEN, SOURCE_TOKEN, SCAN)
