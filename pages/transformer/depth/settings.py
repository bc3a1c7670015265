"""The settings that a visitor can change on the page Depth."""

from core.limits import STACKED_LAYERS, STACKED_TOKENS
from pages.widgets import Setting

TOKEN = Setting("depth-token", "Token", "int", None, "Whose vector is followed.", low=0, high=STACKED_TOKENS - 1)
SHOWN_QUANTITY = Setting("depth-show", "Size of", "pills", "gradient", options=("gradient", "activations"))
LAYERS = Setting(
    "depth-layers",
    "Layers",
    "slider",
    12,
    "How many blocks stand on top of each other.",
    low=1,
    high=STACKED_LAYERS,
    pins=True,
)
SEEDS = Setting("depth-seeds", "Seeds", "slider", 3, "How many times all weights are drawn anew.", low=1, high=5)
SEED = Setting("depth-seed", "First seed", "int", 0, "Which random weights.", low=0, high=999_999, pins=True)
WIDTH = Setting(
    "depth-width", "d_model", "select_slider", "32", "Numbers in a row.", options=("16", "32", "64"), pins=True
)
GAINS = ("0.5", "0.7", "1", "1.4", "2")
GAIN = Setting(
    "depth-gain",
    "Weights times",
    "select_slider",
    "1",
    "Every matrix of the blocks is multiplied by it.",
    options=GAINS,
    pins=True,
)
NORM = Setting("depth-norm", "Norms", "pills", "post-norm", options=("pre-norm", "post-norm", "no norm"), pins=True)
OF_STACKS = (TOKEN, SHOWN_QUANTITY, LAYERS, SEEDS, SEED, WIDTH, GAIN, NORM)
TOPS = tuple(f"{number / 100:.2f}" for number in range(50, 151, 5))
TOP = Setting("depth-top", "|λ₁|", "select_slider", "0.95", "The size of the dominant eigenvalue.", TOPS, pins=True)
RATIOS = tuple(f"{number / 10:.1f}" for number in range(-10, 11))
RATIO = Setting(
    "depth-ratio", "λ₂ / λ₁", "select_slider", "0.6", "The second eigenvalue over the first.", RATIOS, pins=True
)
PAIR = Setting("depth-pair", "λ₁ and λ₂", "pills", "real", options=("real", "complex pair"), pins=True)
SIZE = Setting("depth-size", "Size of A", "int", 4, "Rows and columns.", low=2, high=12, pins=True)
MATRIX_SEED = Setting("depth-draw", "Seed of A", "int", 0, "Which random matrix.", low=0, high=999_999, pins=True)
POWER = Setting("depth-power", "Power k", "slider", 20, "A multiplied by itself so often.", low=0, high=60)
STEP = Setting("depth-step", "Step", "int", 5, "Of the power method.", low=0, high=40)
OF_MATRICES = (TOP, RATIO, PAIR, SIZE, MATRIX_SEED, POWER, STEP)

STEPS = Setting("depth-steps", "Steps", "slider", 40, "How far back in time.", low=1, high=100)
RADII = tuple(f"{number / 10:.1f}" for number in range(1, 21))
RADIUS = Setting(
    "depth-radius",
    "Spectral radius of W",
    "select_slider",
    "0.9",
    "The size of its largest eigenvalue.",
    RADII,
    pins=True,
)
BIASES = tuple(str(number) for number in range(-4, 9))
BIAS = Setting(
    "depth-bias", "Bias of the gate", "select_slider", "3", "Higher: more of the old state is kept.", BIASES, pins=True
)
INPUTS = ("0", "0.1", "0.3", "1", "3")
INPUT = Setting(
    "depth-input",
    "Size of the inputs",
    "select_slider",
    "0.3",
    "Large ones push tanh to its flat ends.",
    INPUTS,
    pins=True,
)
OF_TIME = (STEPS, RADIUS, BIAS, INPUT)
SETTINGS = (*OF_STACKS, *OF_MATRICES, *OF_TIME)
