"""The four ways to compare a query with keys, as formulas."""

SCORE_FORMULAS = {  # one query row q with all keys, by the name in the config
    "scaled_dot": r"\frac{q K^\top}{\sqrt{d_k}}",
    "dot": r"q K^\top",
    "general": r"q W K^\top",
    "additive": r"v \cdot \tanh(W q + U K)",
}
