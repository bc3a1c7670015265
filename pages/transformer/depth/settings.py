"""What a visitor can set on the page Depth."""

from pages.widgets import Setting

SHOWN = Setting("depth-show", "Norm of", "pick", "gradient", options=("gradient", "activations"))
LAYERS = Setting("depth-layers", "Layers", "slide", 16, "How many blocks stand on top of each other.", low=1, high=64)
SEEDS = Setting("depth-seeds", "Seeds", "slide", 5, "How many times all weights are drawn anew.", low=1, high=8)
SEED = Setting("depth-seed", "First seed", "whole", 0, "Which random weights.", low=0, high=999_999)
WIDTH = Setting("depth-width", "d_model", "along", "32", "Numbers in a row.", options=("16", "32", "64", "128"))
GAINS = ("0.5", "0.7", "1", "1.4", "2")
GAIN = Setting(
    "depth-gain", "Weights times", "along", "1", "Every matrix of the blocks is multiplied by it.", options=GAINS
)
NORM = Setting("depth-norm", "Norms", "pick", "post-norm", options=("pre-norm", "post-norm", "no norm"))
OF_STACKS = (SHOWN, LAYERS, SEEDS, SEED, WIDTH, GAIN, NORM)
SETTINGS = OF_STACKS
