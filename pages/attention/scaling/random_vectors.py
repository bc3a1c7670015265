"""The views of random queries and keys: scores and softmax as d_k grows, with and without scaling."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.charts.bars import bars_data
from core.topics.scaling import experiment
from core.topics.scaling import readings as say
from core.topics.scaling.charts.weights import weights_data, weights_spec
from core.topics.scaling.charts.widths import SERIES, scaled_bars_spec, widths_data, widths_spec
from core.topics.scaling.comparison import OwnScores
from core.topics.scaling.experiment import WIDTHS, ScalingCurves, Softmaxes
from core.topics.shared.places import require_no_sink
from core.tracing.run import Run
from pages.attention.scaling import queries
from pages.attention.scaling.settings import DRAWN_FROM, DRAWS, KEYS, SEED, WIDTH
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Table, Values, control, place_controls, place_of, spec

TIES_NOTE = "Dashed: theory for wide vectors without scaling, where only near ties of two keys leave anything."
MEASURE_SOURCE = ("core.topics.scaling.analysis.measure_softmax", "core.topics.scaling.analysis.softmax_rows")
THEORY_SOURCE = "core.topics.scaling.analysis.theory_of_ties"


def _variance_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(DRAWN_FROM, "more", width=150)
    yield control(DRAWS, "more", width=170)
    yield control(SEED, "more", width=150)


def _softmax_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from _variance_controls(run, values)
    yield control(KEYS, width=130)


def _weights_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from _softmax_controls(run, values)
    yield control(WIDTH, width=480)


def _show_variance(run: Run, values: Values) -> Shown:
    """Show the variance of q·k at each d_k, beside the line d_k."""
    variances = queries.variances(values[DRAWN_FROM], values[DRAWS], values[SEED])
    own_scores = queries.own_scores(run, place_of(run, values))
    own_sentence = say.read_own_variance(
        own_scores.width, own_scores.pairs, own_scores.variance, own_scores.expected, own_scores.sizes
    )
    return _against_width(
        "variance",
        experiment.variance_curves(variances, own_scores),
        spec(widths_spec, "Does the variance of q·k grow with d_k?", "variance", log=True),
        "of the repetitions' variances. Dashed: theory, d_k and 1.",
        lead="Draw the d_k numbers of a **query** q and of a **key** k at random, each with mean 0 and variance 1, and "
        "take their **dot product** q·k: a sum of d_k products. Its **variance**, the mean squared distance from its "
        "mean, should be d_k. Divided by √d_k it should stay 1, however wide the vectors.",
        takeaway=[*say.read_variances(variances), own_sentence],
        formula=say.write_variance(own_scores.width),
        own=Table("this head", *own_scores.table, "head"),
        source=("core.topics.scaling.analysis.measure_variance", "core.topics.scaling.comparison.own_scores"),
    )


def _show_weights(run: Run, values: Values) -> Shown:
    """Show the sorted weights of the softmax at one d_k."""
    softmaxes, own_scores = _softmaxes(run, values)
    width_index = WIDTHS.index(int(values[WIDTH]))
    data, drawn = (
        weights_data(softmaxes.raw.weights, softmaxes.scaled.weights, width_index),
        say.read_drawn(values[DRAWS]),
    )
    return Shown(
        lead="Each query scores the same keys, and the **softmax** turns its scores into **weights** that sum to 1. "
        "Large scores lie far apart, and the softmax then gives nearly everything to one key. Move d_k and compare.",
        pictures=[Chart(data, spec(weights_spec), "scaling-weights", "weights from the largest to the smallest")],
        takeaway=[
            *say.read_weights(softmaxes, width_index),
            *say.read_own_softmax(own_scores.width, "largest", own_scores.raw, own_scores.scaled),
        ],
        formula=say.write_weights(softmaxes.keys, WIDTHS[width_index]),
        about=f"Bars: the mean over {drawn}. Lines: from the 5% to the 95% quantile of the queries.",
        table=[
            Table("weights", *experiment.weights_table(softmaxes, width_index, SERIES), "scores"),
            *([Table("this head", *own_largest, "head")] if (own_largest := own_scores.largest_table(SERIES)) else []),
        ],
        source=MEASURE_SOURCE,
    )


def _show_entropy(run: Run, values: Values) -> Shown:
    """Show how spread out the weights are at each d_k."""
    softmaxes, own_scores = _softmaxes(run, values)
    spread = [2 ** float(each.entropy.mean[-1]) for each in (softmaxes.raw, softmaxes.scaled)]
    return _against_width(
        "entropy",
        experiment.entropy_curves(softmaxes, own_scores),
        spec(widths_spec, "Does a query still look at more than one key?", "entropy, bits"),
        f"of {say.read_drawn(values[DRAWS])}. Dotted: all keys alike. {TIES_NOTE}",
        lead="**Entropy** says how far a query spreads its weights over the keys, in bits: 0 where one key gets all, "
        "and log₂ of the number of keys where all get the same.",
        takeaway=[
            *say.read_entropies(softmaxes),
            *say.read_own_softmax(own_scores.width, "entropy", own_scores.raw, own_scores.scaled),
        ],
        first=_two_bars(
            "entropy", f"At d_k = {WIDTHS[-1]:,}: keys looked at", "keys: 2 to the power of the entropy", spread
        ),
        formula=say.write_entropy(values[KEYS]),
        source=(*MEASURE_SOURCE, THEORY_SOURCE),
    )


def _show_gradient(run: Run, values: Values) -> Shown:
    """Show how much of the gradient gets through the softmax at each d_k."""
    softmaxes, own_scores = _softmaxes(run, values)
    middle = [float(each.gradient.middle[-1]) for each in (softmaxes.raw, softmaxes.scaled)]
    title = f"At d_k = {WIDTHS[-1]:,}: the gradient that passes"
    return _against_width(
        "gradient",
        experiment.gradient_curves(softmaxes, own_scores),
        spec(widths_spec, "How much of the gradient is left?", "norm of the Jacobian", top=experiment.MOST_GRADIENT),
        f"of {say.read_drawn(values[DRAWS])}. {TIES_NOTE}",
        lead="Training sends a **gradient** back through the softmax. Where one weight is 1 and the others are 0, a "
        "small change of a score moves no weight any more: no gradient comes back, and nothing is learned.",
        takeaway=[
            *say.read_gradients(softmaxes),
            *say.read_own_softmax(own_scores.width, "gradient", own_scores.raw, own_scores.scaled),
        ],
        first=_two_bars("gradient", title, "norm of the Jacobian, median", middle),
        more="The gradient is multiplied by the **Jacobian**, the table of how much each weight moves when a score "
        "moves. Its size is measured by its **Frobenius norm**, the root of the sum of its squared numbers; that is at "
        "most 0.5. ",
        formula=say.write_jacobian(values[KEYS]),
        source=(*MEASURE_SOURCE, THEORY_SOURCE),
    )


def _against_width(
    name: str,
    curves: ScalingCurves,
    chart: dict[str, Any],
    of_what: str,
    own: Table | None = None,
    first: Chart | None = None,
    more: str = "",
    **words: Any,
) -> Shown:
    """Show one number at every d_k: its chart, how to read the chart, and its table.

    of_what: the end of the sentence that explains the chart's bands.
    own: a table of the head's own numbers.
    first: a chart above it, if there is one.
    more: sentences before those on how to read the chart.
    words: the other parts of the view.
    """
    data = widths_data(WIDTHS, curves.raw, curves.scaled, curves.theory, curves.limit, curves.own, curves.log)
    return Shown(
        pictures=[*([first] if first else []), Chart(data, chart, f"scaling-{name}", f"{name} against d_k")],
        about=f"{more}{say.read_bands(of_what, bool(data['own'].notna().any()))}",
        table=[Table(name, *curves.table(SERIES), "scores"), *([own] if own else [])],
        **words,
    )


def _two_bars(name: str, title: str, axis: str, numbers: Sequence[float]) -> Chart:
    """Return a bar for the scores as they are and one for the scaled ones, at the largest width."""
    drawn = spec(scaled_bars_spec, title, axis)
    return Chart(bars_data(np.array(numbers), SERIES), drawn, f"scaling-{name}-bars", f"{name} at the largest d_k")


def _softmaxes(run: Run, values: Values) -> tuple[Softmaxes, OwnScores]:
    require_no_sink(run)
    softmaxes = queries.softmaxes(values[DRAWN_FROM], values[DRAWS], values[KEYS], values[SEED])
    return softmaxes, queries.own_scores(run, place_of(run, values))


VARIANCE_VIEW = View("variance", _show_variance, _variance_controls)
WEIGHTS_VIEW = View("weights", _show_weights, _weights_controls)
ENTROPY_VIEW = View("entropy", _show_entropy, _softmax_controls)
GRADIENT_VIEW = View("gradient", _show_gradient, _softmax_controls)
