"""What a visitor can set on this page."""

from pages.ui.settings import Setting

STEPS = Setting("kn", "Tokens written", "whole", 4, "Play and Step add to it, Back takes away.", low=0, high=511)
KVIEW = Setting(
    "kview",
    "Look at",
    "pick",
    "one step",
    options=("one step", "why it may be kept", "operations", "memory", "time", "same answer"),
)
WHICH = Setting(
    "kwhich", "Attention", "pick", "self", "Over the text itself, or over the source.", options=("self", "cross")
)
BATCH = Setting("kbatch", "Texts at once", "slide", 1, "Each text has keys and values of its own.", low=1, high=64)
KV_CACHE: tuple[Setting, ...] = (STEPS, KVIEW, WHICH, BATCH)
