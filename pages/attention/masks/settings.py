"""The settings that a visitor can change on the page Masks."""

from core.topics.masks.presets import PRESETS
from core.topics.shared.named_masks import PADDING
from pages.shell import mask_sizes
from pages.widgets import Setting

PRESET = Setting("masks-preset", "Mask", "pills", "causal", options=PRESETS, pins=True)
PADS = Setting("masks-padding", "Padding tokens", "int", 3, "Added after the text.", low=1, high=64, pins=True)
SIZES = mask_sizes(PADS, "masks-", pins=True)
PAINTING = Setting("masks-painting", "The painting as letters", "text", "", "Empty: nothing is painted.", pins=True)
ROW = Setting("masks-row", "Query (row)", "int", None, "A token's number; empty: the middle one.", low=0, high=511)
OTHER_MASKS = tuple(preset for preset in PRESETS if preset != PADDING)
OTHER_HELP = "Acts on both texts, with the padding mask and without it."
OTHER_MASK = Setting("masks-other", "Other mask", "pills", "none", OTHER_HELP, OTHER_MASKS)
CHANGED_TOKEN = Setting(
    "masks-token", "Token to change", "int", None, "Its number; empty: a word near the middle.", low=0, high=511
)
WORD_HELP = "Its first token is taken; empty: the word of the text that is most unlike, by its vector."
NEW_WORD = Setting("masks-word", "Word in its place", "text", "", WORD_HELP)
EVERY_MASK = Setting("masks-every", "Test every mask, though it takes a while", "toggle", False)
SECOND_TEXT = Setting("masks-second", "Second text", "text", "", "Empty: the first half of your text.")
VIVID_HELP = "The darkest colour is its largest weight."
VIVID = Setting("masks-vivid", "Scale colours to this picture", "toggle", False, VIVID_HELP)
SETTINGS = (
    PRESET,
    *(size for _, size in SIZES),
    *(PAINTING, ROW, OTHER_MASK, CHANGED_TOKEN, NEW_WORD, EVERY_MASK, SECOND_TEXT, VIVID),
)
