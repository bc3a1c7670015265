"""What a visitor can set on the page Masks."""

from pages.ui.settings import Setting

PRESET = Setting(
    "mpre",
    "Mask",
    "pick",
    "causal",
    options=("none", "causal", "padding", "sliding window", "prefix", "block"),
)
SIZES = {
    "padding": Setting("mpads", "Padding tokens", "whole", 3, "Added behind the text.", low=1, high=64),
    "sliding window": Setting("mwin", "Window", "whole", 2, "Tokens seen on each side.", low=0, high=511),
    "prefix": Setting("mprefix", "Prefix", "whole", 3, "Tokens that all see; the rest is causal.", low=0, high=512),
    "block": Setting("mblock", "Block", "whole", 4, "Tokens in a block.", low=1, high=512),
}
PAINTED = Setting("mpaint", "The painting, as letters", "text", "", "Copy it to keep a painting; empty: none.")
MVIEW = Setting(
    "mview",
    "Look at",
    "pick",
    "before and after",
    options=("before and after", "wrong ways", "leak test", "empty rows", "padding in a batch"),
)
MROW = Setting("mrow", "Query (row)", "whole", None, "A token's number; empty: the middle one.", low=0, high=511)
OTHER = Setting(
    "mother",
    "Other mask",
    "pick",
    "none",
    "Acts on both texts, with the padding mask and without it.",
    options=("none", "causal", "sliding window", "prefix", "block"),
)
CHANGED = Setting("mtok", "Token to change", "whole", None, "Its number; empty: the middle one.", low=0, high=511)
WORD = Setting("mnew", "Word in its place", "text", "", "Its first token is taken; empty: another token of the text.")
PATIENT = Setting("mlong", "Run it, though it takes long", "switch", False)
EVERY = Setting("mevery", "Test every mask, though it takes long", "switch", False)
SECOND = Setting("msecond", "Second text", "text", "", "Empty: the first half of your text.")
MASKS: tuple[Setting, ...] = (
    PRESET,
    *SIZES.values(),
    PAINTED,
    MVIEW,
    MROW,
    CHANGED,
    WORD,
    PATIENT,
    EVERY,
    OTHER,
    SECOND,
)
