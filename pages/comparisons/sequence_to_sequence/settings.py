"""The settings that a visitor can change on the page Sequence to sequence."""

from core.topics.sequence_to_sequence.gates import SCANS
from core.topics.sequence_to_sequence.records import LONGEST
from pages.widgets import Setting

WRITTEN = LONGEST * 3 // 2 + 20  # the most tokens that a translation can have
COUNT = Setting("sequence-to-sequence-tokens", "Tokens written", "int", None, "Of each model.", high=WRITTEN)
STEP = Setting(
    "sequence-to-sequence-reached", "Steps", "int", None, "Of reading, then of writing.", high=LONGEST + WRITTEN
)
OTHER = Setting("sequence-to-sequence-other", "In place of a word", "text", "thing", "Empty: the word is left out.")
WORD = Setting("sequence-to-sequence-word", "Word", "int", 2, "The word that changes, from 0.", high=LONGEST - 1)
ROW = Setting("sequence-to-sequence-row", "Written token", "int", 2, "Counted from 0.", high=WRITTEN - 1)
COLUMN = Setting("sequence-to-sequence-column", "Source token", "int", 2, "Counted from 0.", high=LONGEST - 1)
REDIRECTED = Setting(
    "sequence-to-sequence-redirected", "Token to redirect", "int", 6, "Counted from 0.", high=WRITTEN - 1
)
TOWARDS = Setting("sequence-to-sequence-towards", "Source token", "int", 18, "It gets all weight.", high=LONGEST - 1)
SCAN = Setting("sequence-to-sequence-gru", "GRU", "selectbox", next(iter(SCANS)), options=tuple(SCANS))
SETTINGS = (COUNT, STEP, OTHER, WORD, ROW, COLUMN, REDIRECTED, TOWARDS, SCAN)
