"""What a visitor can set on the page What a layer costs."""

from core.explorer.layer_costs.costs import COUNTS
from pages.widgets import Setting

N = Setting(
    "layer-costs-n",
    "n: positions",
    "along",
    "512",
    "How many tokens the layer reads.",
    tuple(str(2**power) for power in range(4, 13)),
)
D = Setting(
    "layer-costs-d",
    "d: width",
    "along",
    "128",
    "Numbers in the vector of a token.",
    tuple(str(2**power) for power in range(4, 11)),
)
K = Setting("layer-costs-k", "k: kernel", "slide", 3, "Positions that one convolution looks at.", low=2, high=9)
R = Setting(
    "layer-costs-r",
    "r: window",
    "along",
    "8",
    "Tokens that windowed attention looks at, its own among them.",
    tuple(str(2**power) for power in range(1, 9)),
)
COUNT = Setting("layer-costs-count", "Operations", "pick", COUNTS[0], options=COUNTS)
SETTINGS = (N, D, K, R, COUNT)
