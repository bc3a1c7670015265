"""The view of how many layers it takes until the last output depends on the first input, by real backward passes."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, bars_spec
from core.charts.style import SIZE
from core.topics.layer_costs.charts import POWER, CostLine, cost_lines_data, cost_lines_spec
from core.topics.layer_costs.paths import PATH_WIDTH, Reach, reach_table
from core.topics.layer_costs.readings import read_paths
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.comparisons.layer_costs import queries
from pages.comparisons.layer_costs.settings import LENGTH, SEED, K, R
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Listing, Values, control, spec

LEAD = (
    "Layers of one kind are stacked, with random weights. How many steps does it take until what stands at the first "
    "position counts at the last?"
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(LENGTH, width=200)
    yield control(K, "more", width=130)
    yield control(R, "more", width=170)
    yield control(SEED, "more")


def _show(run: Run, values: Values) -> Shown:
    """Show the size of the gradient by depth, and which inputs count after each number of layers."""
    n = values[LENGTH]
    reaches = queries.reach_of_layers(n, values[K], int(values[R]), values[SEED])
    reached = {reach.kind: (reach.found or 0, reach.size) for reach in reaches}
    return Shown(
        lead=LEAD,
        takeaway=read_paths(n, reached),
        pictures=[_layers(reaches), _fields(reaches), _gradients(reaches)],
        about=(
            "A **gradient** is sent back from the last output to every input. Hatched: it is exactly 0, so the last "
            "output does not depend on that input at all.",
            "Heatmaps: each row is one number of layers, each column one input; a row is divided by its largest.",
            f"Each stack has vectors of {PATH_WIDTH} numbers, computed in float64, without residual connections, norms "
            "or activations between its layers. The size is the Frobenius norm of the derivative of the last output by "
            "one input, an 8 × 8 matrix. Layer m of the dilated stack, counted from 0, looks back in steps of k to the "
            "power of m.",
            "A recurrent layer needs one layer, but n steps inside it. A plain convolution needs (n − 1) ÷ (k − 1) "
            "layers, a dilated one the logarithm of n to the base k, windowed attention (n − 1) ÷ (r − 1), each "
            "rounded up; self-attention one.",
        ),
        table=Listing("paths", reach_table(reaches)),
        source=("core.topics.layer_costs.paths.reach_of_layers", "core.topics.layer_costs.analysis.layers_to_reach"),
    )


def _layers(reaches: tuple[Reach, ...]) -> Chart:
    """Return the steps that each kind needs as bars: one for each layer or, in a recurrent layer, for each position."""
    title = "Steps until the last hears of the first"
    labels = [f"{reach.kind}, 1 layer" if reach.kind == "recurrent" else reach.kind for reach in reaches]
    data = bars_data(np.array([reach.steps for reach in reaches]), labels, 0)
    return Chart(data, spec(bars_spec, "layer", title, "steps", False, SIZE), "layer-costs-needed", title)


def _gradients(reaches: tuple[Reach, ...]) -> Chart:
    """Chart the first input's gradient at every depth at which there is one."""
    lines = [CostLine(reach.kind, np.arange(1, len(reach.norms) + 1), reach.norms[:, 0]) for reach in reaches]
    title = "How much does the first input count?"
    picture = spec(cost_lines_spec, title, "layers", "gradient, norm", POWER, log_x=False, points=True, height=360)
    return Chart(cost_lines_data(lines), picture, key="layer-costs-gradients", name=title)


def _fields(reaches: tuple[Reach, ...]) -> Matrices:
    """Return a heatmap for each kind of layer: the rows are layers, the columns inputs."""
    panels = [
        Panel(
            reach.kind,
            reach.kind,
            reach.shares,
            [str(layer + 1) for layer in range(len(reach.shares))],
            [str(position) for position in range(reach.shares.shape[1])],
            "layers",
            "inputs",
            "size",
            limit=1.0,
            absent="out of reach",
            unit="gradient",
        )
        for reach in reaches
    ]
    return Matrices(panels, key="layer-costs-fields", name="Which inputs the last output depends on", height=250)


VIEW = View("path length", _show, _controls, reads_text=False)
