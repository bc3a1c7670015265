"""The settings that a visitor can change on the page KV cache."""

from pages.widgets import Setting

COUNT = Setting("kv-cache-tokens", "Tokens written", "int", 4, "Play and Step add to it, Back takes away.", high=511)
ATTENTION = Setting(
    "kv-cache-attention", "Attention", "pills", "self", "Over the text itself, or over the source.", ("self", "cross")
)
BATCH = Setting(
    "kv-cache-batch", "Texts at once", "slider", 1, "Each text has keys and values of its own.", low=1, high=64
)
SETTINGS = (COUNT, ATTENTION, BATCH)
