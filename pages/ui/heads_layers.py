"""Attention through the layers: the average over heads, and rollout."""

import streamlit as st

from core.analysis.aggregate import average_heads, rollout
from core.explorer.heads.records import MOST_NUMBERS
from core.explorer.shared.places import Place
from core.readings.heads import read_rollout
from core.readings.patterns import read_pattern
from core.tracing.run import Run
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui import cache
from pages.ui.choices import COMBINE
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import ask


def show_layers(run: Run, place: Place) -> None:
    """One matrix per layer, side by side; of a long text only that of the chosen layer."""
    rolled = ask(COMBINE) == "rollout"
    record = cache.mixing(run, Place(place.stack, cross=place.cross), rolled)
    count, queries, keys = record.layers.shape
    shown = range(count) if record.layers.size <= MOST_NUMBERS else [place.layer]
    if len(shown) < count:
        notes([f"{count} layers of {queries} × {keys} weights are too many at once: this is layer {place.layer + 1}."])
    panels = [
        Panel(
            f"layer{layer}",
            f"{'Up to layer' if rolled else 'Layer'} {layer + 1}",
            record.layers[layer],
            record.queries.labels,
            record.keys.labels,
            "tokens now" if rolled else "queries",
            "tokens at the start" if rolled else "keys",
            scale="weight",
        )
        for layer in shown
    ]
    average = "average over heads" if run.config.heads > 1 else "its one head"
    what = "rollout" if rolled else average
    Matrices(panels, key="heads-layers", name=f"Every layer: {what}", height=240 if len(panels) > 1 else 520).draw()
    here = record.layers[place.layer]
    labels = record.queries.labels
    said = (
        read_rollout(here, labels)
        if rolled
        else read_pattern(here, labels, record.keys.labels if place.cross else None)
    )
    reading(f"{'Up to layer' if rolled else 'Layer'} {place.layer + 1}: {said}")
    _explain(run, place, rolled)
    numbers(f"{what}-layer-{place.layer + 1}", here, record.queries.labels, record.keys.labels, "heads-mixing")
    code(rollout if rolled else average_heads, key="heads-code-mixing")


def _explain(run: Run, place: Place, rolled: bool) -> None:
    crossed = place.stack == "decoder" and len(run.config.stacks) == 2
    if not rolled:
        formula(rf"\bar A = \frac{{1}}{{{run.config.heads}}} \sum_{{h=1}}^{{{run.config.heads}}} A^{{(h)}}")
        return
    half = r"\tfrac12 \bar A_n + \tfrac12 I" if run.config.residual else r"\bar A_n"
    formula(rf"R_n = \left({half}\right) R_{{n-1}} \qquad R_0 = I")
    st.caption(
        "Rollout multiplies the layers' averages, as if attention only mixed tokens (Abnar and Zuidema, 2020)"
        + (
            ": half of each layer is the token itself, for the residual connection. "
            if run.config.residual
            else "; there are no residual connections here. "
        )
        + "It leaves out values, W_O and the feed-forward layers: a rough map, not a cause."
        + (" What the decoder takes from the encoder through cross-attention is left out too." if crossed else ""),
    )
