"""The settings that a visitor can change on the page Sentiment."""

from core.limits import JUDGED_TOKENS
from pages.widgets import Setting

NO_WORD = "none"
WORD = Setting(
    "sentiment-word",
    "Word to change",
    "selectbox",
    NO_WORD,
    "By its number. It is left out, or has another in its place. A click on a word does the same.",
    (NO_WORD, *(str(place) for place in range(JUDGED_TOKENS))),
)
REPLACEMENT = Setting("sentiment-put", "Put in its place", "text", "", "Left empty: the word is left out.")
MEAN_OF_HEADS, ONE_HEAD = "mean of the heads", "one head"
HEADS = Setting(
    "sentiment-heads",
    "Attention",
    "pills",
    MEAN_OF_HEADS,
    "The mean of the last layer's heads, or one head.",
    (MEAN_OF_HEADS, ONE_HEAD),
)
REMOVED, UNKNOWN = "removed", "<unk>"
LEFT_OUT = Setting(
    "sentiment-left-out",
    "Leaving out",
    "pills",
    REMOVED,
    "The word is taken away, or <unk> stands in its place.",
    (REMOVED, UNKNOWN),
)
BASELINE = Setting(
    "sentiment-start",
    "Integrated gradients begin at",
    "pills",
    UNKNOWN,
    "A text of <unk> only, or vectors of zeros.",
    (UNKNOWN, "zeros"),
)
SEED = Setting("sentiment-seed", "Seed of the draw", "int", 0, low=0, high=999)
SENTENCE = Setting(
    "sentiment-sentence", "Sentence", "int", 0, "0: none. A click on a dot chooses its sentence.", low=0, high=60
)
SETTINGS = (WORD, REPLACEMENT, HEADS, LEFT_OUT, BASELINE, SEED, SENTENCE)
