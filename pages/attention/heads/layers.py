"""The view of attention through the layers: the average over heads, or rollout."""

from collections.abc import Iterator

from core.readings.heads import read_rollout, read_rollout_limits
from core.readings.patterns import find_link, read_link
from core.readings.words import small
from core.topics.heads.readings.formulas import write_average, write_rollout
from core.topics.shared.places import require_no_sink
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import COMBINED_BY
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control, place_controls, place_of


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run, head=False)
    yield control(COMBINED_BY)


def _show(run: Run, values: Values) -> Shown:
    """Show one matrix per layer, side by side; for a long text only that of the chosen layer."""
    link, place, rolled, config = None, place_of(run, values), values[COMBINED_BY] == "rollout", run.config
    record, chosen_layer = queries.mixing(run, place.of_stack, rolled), place.layer
    mixed, rows, columns, about = record.layers[chosen_layer], record.rows, record.keys.labels, ""
    if rolled:
        require_no_sink(run)  # the rows would be divided by what the tokens get
        layer_words, combination, axes = "Up to layer", "rollout", ("tokens now", "tokens at the start")
        lead = "**Rollout** follows attention from layer to layer, back to the tokens at the start."
        (headline, *more), formula = read_rollout(mixed, rows), write_rollout(config.residual)
        headline = f"{layer_words} {chosen_layer + 1}: {headline}"
        about = read_rollout_limits(config.residual, place.stack == "decoder" and config.has_two_stacks)
    else:
        layer_words, axes = "Layer", ("queries", "keys")
        combination = "average over heads" if config.heads > 1 else "its one head"
        lead = "Each picture is one **layer**: the mean of its heads' **patterns**. The chosen layer comes first."
        headline, *more = read_link(mixed, rows, columns if place.cross else None)
        mean = "on average over its heads, " if config.heads > 1 else ""
        headline = f"In layer {chosen_layer + 1}, {mean}{small(headline)}"
        link = find_link(mixed, rows, columns if place.cross else None)
        formula = write_average(config.heads)
    shown, (count, query_count, key_count) = record.layers_at_once(chosen_layer), record.layers.shape
    cut = (
        f"{count} layers of {query_count} × {key_count} weights are too many at once: this is layer {chosen_layer + 1}."
    )
    panels = [
        Panel(
            f"layer{layer}",
            f"{layer_words} {layer + 1}",
            record.drawn(layer),
            rows,
            columns,
            *axes,
            scale="weight",
            outlines=[link] if link and layer == chosen_layer else [],
        )
        for layer in sorted(shown, key=lambda layer: (layer != chosen_layer, layer))
    ]
    height = 240 if len(panels) > 1 else 520
    return Shown(
        lead=lead,
        pictures=[Matrices(panels, key="heads-layers", name=f"Every layer: {combination}", height=height)],
        takeaway=[headline, *more],
        notes=[cut if len(shown) < count else None],
        formula=formula,
        about=about,
        table=Table(f"{combination}-layer-{chosen_layer + 1}", mixed, rows, columns),
        pattern=panels[0],
        source=(f"core.analysis.aggregate.{'rollout' if rolled else 'average_heads'}",),
    )


VIEW = View("layers combined", _show, _controls)
