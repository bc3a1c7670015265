"""The settings that a visitor can change on the page Architecture."""

from core.topics.architecture.known import TITLES
from pages.widgets import Setting

STEP = Setting("architecture-step", "Step", "int", 0, "Which box the tokens have reached, counted from 0.", high=199)
ONE_PASS, TRAINING, WRITING = "one pass", "training", "writing"
COSTS_OF = Setting(
    "architecture-way",
    "Costs of",
    "pills",
    ONE_PASS,
    "One pass over your text; training on such texts; or writing, with keys and values kept from token to token.",
    (ONE_PASS, TRAINING, WRITING),
)
BATCH = Setting(
    "architecture-batch",
    "Texts at once",
    "int",
    16,
    "How many texts of this length there are.",
    low=1,
    high=4096,
    pins=True,
)
THIS_MODEL = "this page's model"
KNOWN_MODEL = Setting(
    "architecture-known",
    "Taken apart",
    "selectbox",
    "GPT-2 small",
    "Which model is taken apart.",
    (THIS_MODEL, *TITLES),
    pins=True,
)
TOKENS = Setting(
    "architecture-tokens",
    "Tokens",
    "selectbox",
    "512",
    "How long a text is read; in an encoder-decoder, each of the two.",
    tuple(str(2**power) for power in range(3, 14)),
    pins=True,
)
SETTINGS = (STEP, COSTS_OF, BATCH, KNOWN_MODEL, TOKENS)
