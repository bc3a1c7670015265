"""What a visitor can set on the page Positions."""

from core.analysis.orthogonality import SIZES
from core.model.config import POSITIONS as KINDS
from pages.ui.settings import Setting

PVIEW = Setting(
    "pview",
    "Look at",
    "pick",
    "heatmap",
    options=("heatmap", "waves", "dot product", "shift", "beyond", "adding", "random vectors", "shuffle"),
)
KIND = Setting("penc", "Encoding", "pick", "sinusoidal", options=KINDS)
LENGTH = Setting("plen", "Positions", "slide", 64, "How many positions.", low=2, high=512)
WIDTH = Setting("pwide", "Width", "whole", 64, "Numbers in a position's vector.", low=2, high=1024)
BASE = Setting(
    "pbase", "Base α", "number", 10000.0, "The larger, the slower the last waves.", low=1.01, high=1_000_000_000.0
)
AT_ROW = Setting("prow", "Row", "whole", 5, "Of the number that is worked out.", low=0, high=511)
AT_COLUMN = Setting("pcol", "Column", "whole", 8, "Of the number that is worked out.", low=0, high=1023)
DIMENSIONS = Setting(
    "pdims",
    "Dimensions",
    "set",
    ("0", "1", "16", "17"),
    "Columns of the heatmap; up to eight.",
    tuple(str(number) for number in range(1024)),
)
SHIFT = Setting("pk", "Shift k", "whole", 5, "How many positions further on.", low=1, high=511)
QUERY = Setting("pq", "Query token", "whole", 3, "Its number in your text.", low=0, high=511)
KEY = Setting("pkey", "Key token", "whole", 1, "Its number in your text.", low=0, high=511)
FAR = Setting("pfar", "Measure", "pick", "one pair", options=("one pair", "whole text", "surprise"))
RANDOM = Setting("pvec", "Vectors", "pick", "random", options=("random", "this model's"))
SIZE = Setting("pn", "n", "along", "64", "How many numbers a vector has.", options=tuple(map(str, SIZES)))
DRAWS = Setting("pdraws", "Pairs drawn", "slide", 4000, "At every size.", low=1000, high=10_000)
DRAW_SEED = Setting("pseed", "Seed of the draw", "whole", 0, "Which random vectors.", low=0, high=999_999)
ORDER = Setting("pshuf", "Seed of the shuffle", "whole", 0, "Which order of the words.", low=0, high=999_999)
POSITIONS: tuple[Setting, ...] = (
    *(PVIEW, KIND, LENGTH, WIDTH, BASE, AT_ROW, AT_COLUMN, DIMENSIONS, SHIFT),
    *(QUERY, KEY, FAR, RANDOM, SIZE, DRAWS, DRAW_SEED, ORDER),
)
