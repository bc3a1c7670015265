"""What a visitor can set on the page The block."""

from core.explorer.block.variants import VARIANTS
from pages.widgets import Setting

TOKEN = Setting("block-token", "Token", "whole", None, "Counted from 0; empty: [MASK], else the last.", high=511)
STEP = Setting("block-step", "Step", "whole", None, "Counted from 0; empty: the largest addition.", high=63)
WITHOUT = Setting(
    "block-without", "Take away", "list", VARIANTS[0], "A click on a row chooses it too.", options=VARIANTS
)
SETTINGS = (TOKEN, STEP, WITHOUT)
