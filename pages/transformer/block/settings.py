"""The settings that a visitor can change on the page The block."""

from core.limits import FILE_LAYERS, FILE_SIZES, PATCHED_TOKENS
from core.topics.block.variants import VARIANTS
from pages.widgets import Setting

MAX_NUMBER = FILE_SIZES - 1  # the last number of a vector, or neuron, of any model
TOKEN = Setting("block-token", "Token", "int", None, "Counted from 0; empty: the last, or what is hidden.", high=511)
STACK = Setting("block-stack", "Blocks", "pills", "of the encoder", options=("of the encoder", "of the decoder"))
STEP = Setting(
    "block-step", "Step", "int", None, "Counted from 0; empty: the largest addition.", high=3 * FILE_LAYERS + 2
)
NORM = Setting(
    "block-norm", "Norm of", "pills", "last", options=("attention", "cross-attention", "feed-forward", "last")
)
NUMBER = Setting("block-number", "Number of the vector", "int", 0, "Counted from 0.", high=MAX_NUMBER)
NEURON = Setting(
    "block-neuron",
    "Neuron",
    "int",
    None,
    "Counted from 0; empty: the one that adds most at this token.",
    high=MAX_NUMBER,
)
ORDER_SEED = Setting("block-order", "Another order", "int", 0, "Which order of the tokens.", low=0, high=999_999)
VARIANT = Setting(
    "block-without", "Take away", "selectbox", VARIANTS[0], "A click on a row chooses it too.", options=VARIANTS
)
OTHER_TEXT = Setting(
    "block-other", "The other text", "text", "", "Left empty: your text with another word in it, or in another order."
)
PATCHED_LAYER = Setting(
    "block-patch-layer",
    "After layer",
    "int",
    None,
    "0 is what goes in; empty: what turns most.",
    high=FILE_LAYERS,
)
PATCHED_TOKEN = Setting(
    "block-patch-token", "Token that is replaced", "int", None, "Counted from 0.", high=PATCHED_TOKENS - 1
)
COMPUTE_REST = Setting("block-rest", "Compute the rest", "toggle", True, "Off: what is not there yet stays empty.")
SETTINGS = (
    *(STACK, TOKEN, STEP, NORM, NUMBER, NEURON, ORDER_SEED, VARIANT, OTHER_TEXT, PATCHED_LAYER, PATCHED_TOKEN),
    COMPUTE_REST,
)
