"""What a visitor can set on the page The block."""

from pages.widgets import Setting

TOKEN = Setting("block-token", "Token", "whole", None, "Counted from 0; empty: [MASK], else the last.", high=511)
STEP = Setting("block-step", "Step", "whole", None, "Counted from 0; empty: the largest addition.", high=63)
NEURON = Setting(
    "block-neuron", "Neuron", "whole", None, "Counted from 0; empty: the one that adds most at this token.", high=4095
)
ORDER = Setting("block-order", "Seed of the order", "whole", 0, "Which order of the tokens.", low=0, high=999_999)
SETTINGS = (TOKEN, STEP, NEURON, ORDER)
