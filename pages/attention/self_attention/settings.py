"""The settings that a visitor can change on the page Self-attention."""

from core.limits import FILE_SIZES
from core.topics.self_attention.grids import MAKERS
from core.topics.self_attention.steps import MAKERS as STEPS
from pages.widgets import Setting

STEP = Setting("self-attention-step", "Step", "pills", "1 project", options=tuple(STEPS))
PROJECTION = Setting("self-attention-of", "Projection", "pills", "queries", options=("queries", "keys", "values"))
RESULT = "the step's result"
MATRICES = (RESULT, *MAKERS)
MATRIX = Setting(
    "self-attention-matrix", "Matrix", "selectbox", RESULT, "The matrix whose cell is worked out.", MATRICES
)
OPENED_CELL = "counted from 0; empty: the one that tells most."
ROW = Setting("self-attention-row", "Row", "int", None, f"Row of the cell, {OPENED_CELL}", high=FILE_SIZES - 1)
COL = Setting("self-attention-col", "Column", "int", None, f"Column of the cell, {OPENED_CELL}", high=FILE_SIZES - 1)
TEMPERATURE = Setting(
    "self-attention-temperature", "Temperature T", "float", 1.0, "1: what the model used.", low=0.01, high=100.0
)
SETTINGS = (STEP, PROJECTION, MATRIX, ROW, COL, TEMPERATURE)
