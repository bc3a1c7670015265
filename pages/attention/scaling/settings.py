"""The settings that a visitor can change on the page Scores and scaling."""

from core.topics.scaling.experiment import DISTRIBUTIONS, WIDTHS
from pages.widgets import Setting

SHOWN_QUANTITY = Setting("scaling-show", "Show", "pills", "weights", options=("weights", "scores"))
SCORE = Setting(
    "scaling-score", "Arithmetic of", "pills", "scaled dot", options=("dot", "scaled dot", "general", "additive")
)
OPENED_CELL = "counted from 0; empty: where scaling changes most."
ROW = Setting("scaling-row", "Row", "int", None, f"Row of the cell, {OPENED_CELL}", low=0, high=1023)
COL = Setting("scaling-col", "Column", "int", None, f"Column of the cell, {OPENED_CELL}", low=0, high=1023)
ONE_NUMBER = "Each number has mean 0 and variance 1. Signs: it is −1 or 1."
DRAWN_FROM = Setting("scaling-drawn-from", "Drawn from", "selectbox", "normal", ONE_NUMBER, DISTRIBUTIONS)
DRAWS = Setting(
    "scaling-draws", "Draws per repetition", "int", 100, "There are 20 repetitions at each d_k.", low=2, high=500
)
KEYS = Setting("scaling-keys", "Keys", "int", 16, "How many keys each query meets.", low=1, high=512)
SEED = Setting("scaling-seed", "Seed of the draw", "int", 0, "Which random numbers.", low=0, high=999_999)
WIDTH = Setting("scaling-width", "d_k of the vectors", "select_slider", "64", options=tuple(map(str, WIDTHS)))
SETTINGS = (SHOWN_QUANTITY, SCORE, ROW, COL, DRAWN_FROM, DRAWS, KEYS, SEED, WIDTH)
