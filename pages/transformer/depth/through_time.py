"""The view of the gradient through time, in a plain recurrent network and in one with a gate."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, net_bars_spec
from core.readings.words import percent, plural
from core.topics.depth.charts.by_depth import RADIUS_POWER
from core.topics.depth.curves import Curve, curves_table
from core.topics.depth.matrices import MEASURED, THEORY
from core.topics.depth.readings.powers import note_repeated, read_gate, write_recurrent
from core.topics.depth.recurrent import UNITS, radius_curve, time_curves
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.depth import queries
from pages.transformer.depth.parts import depth_chart, limits_note
from pages.transformer.depth.settings import BIAS, INPUT, RADIUS, SEED, SEEDS, STEPS
from pages.widgets import Chart, Control, Message, Table, Values, control, plain, spec

NETS = ("without a gate", "with a gate")
LEAD = (
    "A **recurrent net** reads one token after another, and multiplies its state by the same matrix W each time: depth "
    "in time. How much does the last state still depend on the earlier ones? A **gate** adds a way past W: it keeps a "
    "share of the old state as it is."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(STEPS, width=200)
    yield control(RADIUS, width=220)
    yield control(BIAS, width=200)
    yield control(INPUT, "more")
    yield control(SEEDS, "more")
    yield control(SEED, "more")


def _show(run: Run, values: Values) -> Shown:
    """Show the gradient of the last state with respect to each earlier one, in both networks."""
    try:
        text = queries.stack_text(run)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    steps, radius, seeds = values[STEPS], float(values[RADIUS]), range(values[SEEDS])
    chosen = (steps, radius, float(values[BIAS]), float(values[INPUT]))
    measurements = [queries.through_time(run, *chosen, values[SEED] + seed) for seed in seeds]
    curves = [*core_call(time_curves, measurements), core_call(radius_curve, RADIUS_POWER, radius, steps)]
    words = ("Does the gradient reach the first step?", "step t", "norm of ∂(g·h_T) / ∂h_t")
    ends = _first(curves[0]), _first(curves[1])
    left = bars_data(100 * np.array(ends), NETS).assign(text=[percent(end) for end in ends])
    bars = spec(net_bars_spec, "How much gradient comes back to step 0?", "percent of its size at the last step")
    tokens, kept = text.ids.shape[1], float(np.mean([measurement.keeps for measurement in measurements]))
    return Shown(
        lead=LEAD,
        pictures=[
            *([Chart(left, bars, "depth-time-left", "gradient that comes back")] if np.isfinite(ends).all() else []),
            depth_chart("depth-time", "Gradient through time", curves, words, True, (MEASURED, THEORY)),
        ],
        takeaway=read_gate(steps, *ends, kept),
        notes=[note_repeated(tokens, steps), limits_note(curves[:2])],
        formula=write_recurrent(UNITS),
        about=[
            f"Both nets have {UNITS} units, the same W, and the same random row for each piece of your text; g is a "
            f"random direction. Lines: the geometric mean of {plural(values[SEEDS], 'seed')}; bands: from the least to "
            "the greatest.",
            "Without tanh and inputs the gradient would be a power of W, and go as its spectral radius. tanh only "
            "shrinks it further. (Bengio et al. 1994; Pascanu et al. 2013; Cho et al. 2014.)",
        ],
        table=Table("through-time", *curves_table(curves, "t ="), corner="net"),
        source=("core.topics.depth.recurrent.through_time", "core.model.recurrent.GRUCell"),
    )


def _first(curve: Curve) -> float:
    return np.inf if curve.over[0] else 0.0 if curve.under[0] else float(curve.middle[0])


VIEW = View("recurrent net", _show, _controls, reads_mask=False)
