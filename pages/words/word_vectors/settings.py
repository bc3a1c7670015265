"""The settings of the page Word vectors."""

from core.limits import COMPARED_WORDS, TRAINING_STEPS
from core.topics.word_vectors.maps import MAPS, SETS
from core.topics.word_vectors.table import METHODS
from pages.widgets import Setting

OWN_WORDS = "my own words"
ONE_WORD = "One word, in small letters."
METHOD = Setting(
    "word-vectors-method",
    "Trained by",
    "pills",
    "skip-gram",
    "How the vectors were trained.",
    tuple(METHODS),
    pins=True,
)
CHOICE = Setting("word-vectors-set", "Words", "selectbox", next(iter(SETS)), options=(*SETS, OWN_WORDS))
WORDS = Setting("word-vectors-words", "My own words", "text", "ship sail sea river bread cheese milk sword shield king")
MAP = Setting("word-vectors-map", "Map", "pills", "PCA", options=MAPS, pins=True)
WORD = Setting("word-vectors-word", "Word", "text", "queen", ONE_WORD)
COUNT = Setting("word-vectors-count", "Neighbours", "slider", 10, "How many are shown.", low=3, high=30)
A = Setting("word-vectors-a", "a", "text", "man", ONE_WORD)
B = Setting("word-vectors-b", "is to b", "text", "king", ONE_WORD)
C = Setting("word-vectors-c", "as c", "text", "woman", ONE_WORD)
WORDS_TO_COMPARE = Setting(
    "word-vectors-compared", "Words", "text", "king queen man woman dog horse wolf red blue green one two three"
)
ROW = Setting("word-vectors-row", "Row", "int", None, "Of the cosine that is worked out.", high=COMPARED_WORDS - 1)
COLUMN = Setting(
    "word-vectors-column", "Column", "int", None, "Of the cosine that is worked out.", high=COMPARED_WORDS - 1
)
START = Setting("word-vectors-from", "From", "text", "she", ONE_WORD)
END = Setting("word-vectors-to", "To", "text", "he", ONE_WORD)
WORDS_BETWEEN = Setting(
    "word-vectors-leaning",
    "Words between",
    "text",
    "captain carpenter farmer butcher merchant tailor physician philosopher clerk shepherd soldier servant poet lawyer "
    "doctor judge scholar singer painter writer dancer cook governess teacher housekeeper maid nurse washerwoman",
)
SOURCE = Setting("word-vectors-source", "Text", "pills", "made here", options=("made here", "my own"))
TEXT = Setting(
    "word-vectors-text",
    "My own text",
    "text",
    "The sun rises in the morning. The moon rises in the evening. The sun is warm. The moon is cold. In the morning "
    "the birds sing. In the evening the stars shine.",
    "Some sentences, each with a full stop after it; the more, the better.",
)
WINDOW = Setting(
    "word-vectors-window",
    "Context window",
    "slider",
    2,
    "The most words to either side; how many is drawn each time.",
    low=1,
    high=8,
)
WIDTH = Setting("word-vectors-width", "Dimensions", "slider", 8, "Numbers in a vector.", low=2, high=32)
NOISE = Setting("word-vectors-noise", "Negatives", "slider", 5, "Noise words for each pair.", low=1, high=15)
RATE = Setting("word-vectors-rate", "Learning rate", "float", 0.1, "How far one step goes.", low=0.001, high=0.5)
SAMPLE = Setting(
    "word-vectors-sample",
    "Sub-sampling t",
    "float",
    0.0,
    "A word of frequency f stays with the chance √(t/f); 0: every word stays.",
    low=0.0,
    high=1.0,
)
SEED = Setting(
    "word-vectors-seed", "Seed of the training", "int", 0, "Another first table, and another order.", high=999_999
)
STEPS = Setting("word-vectors-steps", "Steps", "int", 500, "Each is one sentence.", high=TRAINING_STEPS)
PAIR = Setting("word-vectors-pair", "Pair", "int", 0, "Which is worked out, counted from 0.", high=1000)
OF_TRAINING = (SOURCE, TEXT, WINDOW, WIDTH, NOISE, RATE, SAMPLE, SEED, STEPS, PAIR)
SETTINGS = (
    *(METHOD, CHOICE, WORDS, MAP, WORD, COUNT, A, B, C, WORDS_TO_COMPARE, ROW, COLUMN, START, END, WORDS_BETWEEN),
    *OF_TRAINING,
)
