"""The settings that a visitor can change on the page Positions."""

from core.topics.positions.directions import SIZES
from core.topics.positions.encodings import KINDS
from core.topics.positions.far import MEASURES
from pages.widgets import Setting

KIND = Setting("positions-encoding", "Encoding", "pills", "sinusoidal", options=KINDS)
LENGTH = Setting("positions-length", "Positions", "slider", 64, "How many positions.", low=2, high=512)
WIDTH = Setting("positions-width", "Width", "int", 64, "Numbers in a position's vector.", low=2, high=1024)
BASE = Setting("positions-base", "Base α", "float", 1e4, "The larger, the slower the last waves.", low=1.01, high=1e9)
AT_ROW = Setting("positions-row", "Row", "int", 5, "Of the number that is worked out.", low=0, high=511)
AT_COLUMN = Setting("positions-column", "Column", "int", 8, "Of the number that is worked out.", low=0, high=1023)
FIRST_DIMENSIONS, ALL_DIMENSIONS = ("0", "1", "16", "17"), tuple(map(str, range(1024)))
DIMENSIONS = Setting(
    "positions-dimensions",
    "Dimensions",
    "multiselect",
    FIRST_DIMENSIONS,
    "Columns of the heatmap; up to eight.",
    ALL_DIMENSIONS,
)
SHIFT = Setting("positions-shift", "Shift k", "int", 5, "How many positions further on.", low=1, high=511)
QUERY = Setting("positions-query", "Query token", "int", 3, "Its number in your text.", low=0, high=511)
KEY = Setting("positions-key", "Key token", "int", 1, "Its number in your text.", low=0, high=511)
DISTANCE_MEASURE = Setting("positions-far", "Measure", "pills", MEASURES[0], options=MEASURES)
VECTORS = Setting("positions-vectors", "Vectors", "pills", "random", options=("random", "this model's"))
SIZE = Setting(
    "positions-size", "n", "select_slider", "64", "How many numbers a vector has.", options=tuple(map(str, SIZES))
)
DRAWS = Setting("positions-draws", "Pairs drawn", "slider", 4000, "At every size.", low=1000, high=10_000)
DRAW_SEED = Setting("positions-draw-seed", "Seed of the draw", "int", 0, "Which random vectors.", low=0, high=999_999)
SHUFFLE_SEED = Setting(
    "positions-shuffle-seed", "Seed of the shuffle", "int", 0, "Which order of the words.", low=0, high=999_999
)
OF_ENCODINGS = (KIND, LENGTH, WIDTH, BASE, AT_ROW, AT_COLUMN, DIMENSIONS, SHIFT)
SETTINGS = (*OF_ENCODINGS, QUERY, KEY, DISTANCE_MEASURE, VECTORS, SIZE, DRAWS, DRAW_SEED, SHUFFLE_SEED)
