"""Why keys and values may be kept: they stand still, and without the mask they would move."""

import numpy as np

from core.charts.kv_lines import PLAIN
from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.readings.kv_cache import read_movement
from pages.shell import Shown
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.moment import Moment
from pages.widgets import Chart, Message, Table, Values, spec

MOVES = ("under the causal mask", "without it")


def show_why(moment: Moment, values: Values) -> Shown:
    """Old keys and values before and after one more token."""
    found = queries.unchanged(moment.run, moment.ids)
    if not found.rows:
        nothing = "Only one token has been read: there is nothing before it that could change. Press Step."
        return Shown(pictures=[Message(nothing)])
    layers = [f"{n + 1}" for n in range(len(found.masked))]
    masked, unmasked = found.masked.max(1), found.unmasked.max(1)
    texts = [(f"{a:.2g}", f"{b:.2g}") for a, b in zip(masked, unmasked, strict=True)]
    return Shown(
        pictures=[
            Chart(
                kv_pairs_data(layers, MOVES, masked, unmasked, texts),
                spec(
                    kv_pairs_spec, "How far do old keys and values move?", "largest difference", "layer", MOVES, PLAIN
                ),
                key="kv-cache-moves",
                name="How far old keys and values move",
            )
        ],
        takeaway=read_movement(found.rows, float(masked.max()), float(unmasked.max()), found.size),
        formula=r"k_i = x_i W_K + b_K \qquad x_i \text{ depends on tokens } j \le i \text{ only}"
        rf"\qquad \max_{{i < {found.rows}}} |\Delta k_i|, |\Delta v_i| = \text{{{masked.max():.2g}}}",
        about="Both times the whole text is computed afresh, without and with its last token. In layer 1 a token's key "
        "and value come from the token alone, so they never move. From layer 2 on they come from what attention has "
        "mixed: the causal mask lets in only earlier tokens, which are the same as before. What is left is rounding.",
        table=Table(
            "moved",
            np.concatenate([found.masked, found.unmasked], axis=1),
            [f"layer {n}" for n in layers],
            [f"{what}, {how}" for how in ("masked", "no mask") for what in ("keys", "values")],
            corner="layer",
        ),
        source=("core.explorer.kv_cache.steps.unchanged",),
    )
