"""The settings that a visitor can change on the page What a layer costs."""

from core.device import DEVICES
from core.topics.layer_costs.costs import COUNTS, LAYER_KINDS
from core.topics.layer_costs.timing import GROWING_SIZES
from pages.widgets import Setting

N = Setting(
    "layer-costs-n",
    "n: positions",
    "select_slider",
    "512",
    "How many tokens the layer reads.",
    tuple(str(2**power) for power in range(4, 13)),
    pins=True,
)
D = Setting(
    "layer-costs-d",
    "d: width",
    "select_slider",
    "128",
    "Numbers in the vector of a token.",
    tuple(str(2**power) for power in range(4, 11)),
    pins=True,
)
K = Setting("layer-costs-k", "k: kernel", "slider", 3, "Positions that a convolution sees.", low=2, high=9, pins=True)
R = Setting(
    "layer-costs-r",
    "r: window",
    "select_slider",
    "8",
    "Tokens that windowed attention looks at, its own among them.",
    tuple(str(2**power) for power in range(1, 9)),
    pins=True,
)
COUNT = Setting("layer-costs-count", "Operations", "pills", COUNTS[0], options=COUNTS)
GROWING_SIZE = Setting(
    "layer-costs-along",
    "What grows: length n, or width d",
    "pills",
    "n",
    "n: positions, the length of the text. d: numbers in a vector. The other stays as it is.",
    GROWING_SIZES,
)
KINDS = Setting("layer-costs-layers", "Kinds of layer", "multi_pills", LAYER_KINDS, options=LAYER_KINDS)
DEVICE = Setting("layer-costs-device", "Measure on", "selectbox", "auto", "A GPU, where this machine has one.", DEVICES)
LENGTH = Setting("layer-costs-length", "n: positions", "slider", 32, "Inputs of each stack.", low=2, high=48, pins=True)
SEED = Setting("layer-costs-seed", "Seed of the weights", "int", 0, "Which random weights.", high=999_999)
SETTINGS = (N, D, K, R, COUNT, GROWING_SIZE, KINDS, DEVICE, LENGTH, SEED)
