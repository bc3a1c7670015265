"""The settings of the page Tokens."""

from core.limits import TEXT_CHARACTERS
from core.text.hub import THE_MODELS
from core.text.tokenizer import TOKENIZERS
from core.text.trainer import KINDS
from core.topics.tokens.cuts import BYTES, CHARACTERS
from core.topics.tokens.languages import SENTENCES
from core.topics.tokens.own import OWN_NAME
from pages.widgets import Setting

UNIGRAMS = tuple(name for name in TOKENIZERS if name.startswith("unigram"))
BPES = tuple(name for name in TOKENIZERS if name.startswith("bpe"))
ALPHAS = ("0", "0.1", "0.2", "0.5", "1", "2", "5")

PIECES_OF = Setting(
    "tokens-of",
    "Pieces of",
    "selectbox",
    TOKENIZERS[0],
    "Whose piece is looked at.",
    (*TOKENIZERS, CHARACTERS, BYTES, OWN_NAME, THE_MODELS),
)
TOKEN = Setting("tokens-token", "Token", "int", None, "Counted from 0; empty: of the word that is cut most.", high=511)
WORD = Setting(
    "tokens-word", "Word", "int", None, "Counted from 0; empty: the word that shows most.", high=TEXT_CHARACTERS - 1
)
BPE = Setting(
    "tokens-bpe", "BPE tokenizer", "selectbox", "bpe-1000", "Which BPE tokenizer.", (*BPES, OWN_NAME, THE_MODELS)
)
STEP = Setting("tokens-merges", "Merges", "int", 6, "Play and Step add to it, Back takes away.", high=64)
UNIGRAM = Setting(
    "tokens-unigram",
    "Unigram tokenizer",
    "selectbox",
    "unigram-1000",
    "Which unigram tokenizer.",
    (*UNIGRAMS, OWN_NAME, THE_MODELS),
)
WAYS = Setting("tokens-ways", "Best ways", "slider", 8, "How many are listed.", low=1, high=30)
ALPHA = Setting(
    "tokens-alpha",
    "α of the draw",
    "select_slider",
    "0.5",
    "0: all ways alike; 1: by probability; more: the best.",
    ALPHAS,
)
SEED = Setting("tokens-seed", "Seed of the draw", "int", 0, "Which random ways.", high=999_999)
KIND = Setting("tokens-kind", "Kind", "pills", KINDS[0], "How the pieces are chosen.", KINDS)
SIZE = Setting(
    "tokens-size",
    "Pieces",
    "slider",
    600,
    "Of them 260 are special or bytes, 101 what keyboards type.",
    low=400,
    high=4000,
)
PLACE = Setting("tokens-place", "Token", "int", 1, "Which token's id, counted from 0.", high=511)
LANGUAGE = Setting("tokens-language", "Language", "selectbox", "Hindi", "Whose pieces are shown.", tuple(SENTENCES))
SETTINGS = (PIECES_OF, TOKEN, WORD, BPE, STEP, UNIGRAM, WAYS, ALPHA, SEED, KIND, SIZE, PLACE, LANGUAGE)
