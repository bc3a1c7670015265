"""The settings of the page Words in context."""

from core.text.pronoun_pairs import pronoun_pairs
from core.text.senses import SENSES
from pages.widgets import HEAD as ANY_HEAD
from pages.widgets import LAYER as ANY_LAYER
from pages.widgets import Setting

EXAMPLES = {
    "spring": ("The flowers bloom in spring.", "It is warm here in spring.", "The spring in this clock is broken."),
    "light": (
        "Turn off the light before you go to bed.",
        "She left the light on in the kitchen.",
        "This bag is very light.",
    ),
    "watch": ("I bought a new watch yesterday.", "My watch is five minutes slow.", "I watch television every evening."),
    "play": ("The children play in the garden.", "The boys play in the street.", "We saw a play at the theatre."),
    "bank": ("He put his money in the bank.", "My brother works in a bank.", "She sat on the bank of the river."),
}
FIRST_SENTENCE, SECOND_SENTENCE, THIRD_SENTENCE = (
    Setting(f"words-in-context-{key}", f"Sentence {number}", "text", text)
    for number, (key, text) in enumerate(zip(("first", "second", "third"), EXAMPLES["spring"], strict=True), start=1)
)
SENTENCES = (FIRST_SENTENCE, SECOND_SENTENCE, THIRD_SENTENCE)
WORD = Setting("words-in-context-word", "Word", "text", "", "Left empty: the first word that all sentences share.")
AFTER_LAYER = Setting("words-in-context-after", "After layer", "pills", "1", options=ANY_LAYER.options)
LAYER = Setting("words-in-context-layer", "Layer", "pills", "1", options=ANY_LAYER.options)
HEAD = Setting("words-in-context-head", "Head", "pills", "1", options=ANY_HEAD.options)
PAIRS = tuple(pair.name for pair in pronoun_pairs())
PAIR = Setting(
    "words-in-context-pair", "Pair", "selectbox", PAIRS[0], "One word is another in the second sentence.", PAIRS
)
ALL_WORDS = "all words"
WORDS = (ALL_WORDS, *SENSES)
SENSE_WORD = Setting("words-in-context-sense", "Word", "selectbox", ALL_WORDS, "A word of two meanings.", WORDS)
SETTINGS = (*SENTENCES, WORD, AFTER_LAYER, LAYER, HEAD, PAIR, SENSE_WORD)
