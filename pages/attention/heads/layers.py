"""Attention through the layers: the average over heads, and rollout."""

from collections.abc import Iterator

from core.explorer.heads.records import MOST_NUMBERS
from core.readings.heads import read_rollout
from core.readings.patterns import read_pattern
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import COMBINE
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control, place_controls, place_of


def layers_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run, head=False)
    yield control(COMBINE)


def show_layers(run: Run, values: Values) -> Shown:
    """One matrix per layer, side by side; of a long text only that of the chosen layer."""
    place, rolled = place_of(run, values), values[COMBINE] == "rollout"
    record, here = queries.mixing(run, place.of_stack, rolled), place.layer
    count, asked, told = record.layers.shape
    shown = range(count) if record.layers.size <= MOST_NUMBERS else [here]
    cut = f"{count} layers of {asked} × {told} weights are too many at once: this is layer {here + 1}."
    which, rows, columns = "Up to layer" if rolled else "Layer", record.queries.labels, record.keys.labels
    panels = [
        Panel(
            f"layer{layer}",
            f"{which} {layer + 1}",
            record.layers[layer],
            rows,
            columns,
            "tokens now" if rolled else "queries",
            "tokens at the start" if rolled else "keys",
            scale="weight",
        )
        for layer in shown
    ]
    what = "rollout" if rolled else "average over heads" if run.config.heads > 1 else "its one head"
    height = 240 if len(panels) > 1 else 520
    mixed = record.layers[here]
    said = read_rollout(mixed, rows) if rolled else read_pattern(mixed, rows, columns if place.cross else None)
    return Shown(
        pictures=[Matrices(panels, key="heads-layers", name=f"Every layer: {what}", height=height)],
        takeaway=f"{which} {here + 1}: {said}",
        notes=[cut if len(shown) < count else None],
        formula=_formula(run, rolled),
        about=_about_rollout(run, place.stack) if rolled else "",
        table=Table(f"{what}-layer-{here + 1}", mixed, rows, columns),
        source=(f"core.analysis.aggregate.{'rollout' if rolled else 'average_heads'}",),
    )


def _formula(run: Run, rolled: bool) -> str:
    if not rolled:
        return rf"\bar A = \frac{{1}}{{{run.config.heads}}} \sum_{{h=1}}^{{{run.config.heads}}} A^{{(h)}}"
    half = r"\tfrac12 \bar A_n + \tfrac12 I" if run.config.residual else r"\bar A_n"
    return rf"R_n = \left({half}\right) R_{{n-1}} \qquad R_0 = I"


def _about_rollout(run: Run, stack: str) -> str:
    own = (
        ": half of each layer is the token itself, for the residual connection. "
        if run.config.residual
        else "; there are no residual connections here. "
    )
    crossed = stack == "decoder" and len(run.config.stacks) == 2
    return (
        f"Rollout multiplies the layers' averages, as if attention only mixed tokens (Abnar and Zuidema, 2020){own}"
        "It leaves out values, W_O and the feed-forward layers: a rough map, not a cause."
        + (" What the decoder takes from the encoder through cross-attention is left out too." if crossed else "")
    )
