"""The settings of the page The journey."""

from pages.widgets import Setting

TENSOR = Setting(
    "journey-tensor",
    "Tensor",
    "selectbox",
    "pattern",
    "The tensor whose numbers are listed.",
    (
        *("embed", "pos", "types", "entered", "attn_in", "q", "k", "v"),
        *("q_normed", "k_normed", "q_rotated", "k_rotated", "raw_scores", "scores"),
        *("masked_scores", "pattern", "z", "attn_out", "resid_mid", "ffn_in", "ffn_hidden", "ffn_out", "resid_post"),
        "final",
    ),
)
SETTINGS = (TENSOR,)
