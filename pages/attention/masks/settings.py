"""The settings that a visitor can change on the page Masks."""

from core.topics.masks.presets import PRESETS
from pages.widgets import Setting

PRESET = Setting("masks-preset", "Mask", "pills", "causal", options=PRESETS, pins=True)
PADS = Setting("masks-padding", "Padding tokens", "int", 3, "Added after the text.", low=1, high=64, pins=True)
WINDOW = Setting("masks-window", "Window", "int", 2, "Tokens seen on each side.", low=0, high=511, pins=True)
PREFIX = Setting(
    "masks-prefix", "Prefix", "int", 3, "Tokens that all see; the rest is causal.", low=0, high=512, pins=True
)
BLOCK = Setting("masks-block", "Block", "int", 4, "Tokens in a block.", low=1, high=512, pins=True)
SIZES = {"padding": PADS, "sliding window": WINDOW, "prefix": PREFIX, "block": BLOCK}
PAINTED = Setting("masks-painting", "The painting as letters", "text", "", "Empty: nothing is painted.", pins=True)
ROW = Setting("masks-row", "Query (row)", "int", None, "A token's number; empty: the middle one.", low=0, high=511)
OTHERS = tuple(preset for preset in PRESETS if preset != "padding")
OTHER_HELP = "Acts on both texts, with the padding mask and without it."
OTHER = Setting("masks-other", "Other mask", "pills", "none", OTHER_HELP, OTHERS)
CHANGED = Setting(
    "masks-token", "Token to change", "int", None, "Its number; empty: a word near the middle.", low=0, high=511
)
WORD_HELP = "Its first token is taken; empty: the word of the text that is most unlike, by its vector."
WORD = Setting("masks-word", "Word in its place", "text", "", WORD_HELP)
EVERY = Setting("masks-every", "Test every mask, though it takes a while", "toggle", False)
SECOND = Setting("masks-second", "Second text", "text", "", "Empty: the first half of your text.")
VIVID_HELP = "The darkest colour is its largest weight."
VIVID = Setting("masks-vivid", "Scale colours to this picture", "toggle", False, VIVID_HELP)
SETTINGS = (PRESET, *SIZES.values(), PAINTED, ROW, OTHER, CHANGED, WORD, EVERY, SECOND, VIVID)
