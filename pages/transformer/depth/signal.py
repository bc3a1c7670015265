"""The view of the norm of activations and of gradients by layer, with and without residuals and norms."""

from collections.abc import Iterator

import numpy as np

from core.readings.words import plural
from core.topics.depth.charts.by_depth import TRAINED
from core.topics.depth.curves import Curve, curves_table, norm_curve
from core.topics.depth.readings.signal import LOSS, read_depths, read_fates, read_own_depth, write_norms
from core.topics.depth.stacks import signal_curves
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.depth import queries
from pages.transformer.depth.parts import cut_note, depth_chart, for_each_seed, limits_note, stack_controls
from pages.transformer.depth.settings import LAYERS, SEEDS, SHOWN_QUANTITY, WIDTH
from pages.widgets import Control, Message, Table, Values, control, plain

LEAD = (
    "Your text goes through a stack of blocks with **random weights**, and the **gradient** comes back, by a real "
    "backward pass. Six ways to build the same stack: with and without a **residual connection**, with its norms "
    "before each part, after it, or nowhere."
)
WORDS = (
    "Does the size stay the same, layer by layer?",
    "layer",
    "size (Euclidean norm)",
)  # one chart for both, so that it stays drawn


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(SHOWN_QUANTITY)
    yield from stack_controls()


def _show(run: Run, values: Values) -> Shown:
    """Show all six wirings of a stack in one chart, and the trained model beside them."""
    try:
        text = queries.stack_text(run)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    gradient, layers = values[SHOWN_QUANTITY] == "gradient", values[LAYERS]
    measurements = for_each_seed(values, lambda shape: queries.norms(run, shape))
    curves = core_call(signal_curves, measurements, gradient)
    ends = [(curve.group, curve.way, *_ends(curve)) for curve in curves]
    sentences = [*read_fates(gradient, ends), read_depths(gradient, layers, ends)]
    own_curve = _own_curve(run, gradient)
    if own_curve is not None:
        sentences.append(read_own_depth(gradient, run.config.depth(run.config.stacks[-1]), *_ends(own_curve)))
    all_curves = [*curves, own_curve] if own_curve is not None else curves
    stack = run.config.stacks[-1]
    return Shown(
        lead=LEAD,
        pictures=[depth_chart("depth-signal", f"Size of {values[SHOWN_QUANTITY]}", all_curves, WORDS, log=True)],
        takeaway=sentences,
        notes=[cut_note(text), limits_note(curves), _no_gradient(run, gradient, own_curve)],
        formula=write_norms(text.ids.shape[1], int(values[WIDTH]), gradient),
        about=[
            f"The loss L is {LOSS[stack]}. Layer 0 is what enters the first block. Lines: the geometric mean of "
            f"{plural(values[SEEDS], 'stack')} with other weights; bands: from the least to the greatest of them.",
            "All six stacks of a seed have the same weights, so only the wiring differs. (Bengio et al. 1994; He et "
            "al. 2016; Xiong et al. 2020.) They are computed in float64: without norms the scores reach 10⁸, where "
            "float32 rounds by 8, and softmax makes a wrong gradient of that.",
        ],
        table=Table(f"norm-{values[SHOWN_QUANTITY]}", *curves_table(all_curves, "layer"), corner="stack"),
        source=(
            "core.topics.depth.analysis.signal.wired",
            "core.topics.depth.analysis.signal.backward",
            "core.topics.depth.stacks.stack_norms",
            "core.topics.depth.stacks.own_norms",
        ),
    )


def _own_curve(run: Run, gradient: bool) -> Curve | None:
    """Return the trained model's own norms as a curve; None if it has none."""
    own_norms = queries.trained_norms(run)
    if own_norms is None or (gradient and np.isnan(own_norms.losses).all()):
        return None
    return norm_curve(TRAINED, "", own_norms.gradient if gradient else own_norms.signal)


def _no_gradient(run: Run, gradient: bool, own_curve: Curve | None) -> str | None:
    missing = gradient and run.is_trained and own_curve is None
    return "This model did not learn to guess tokens, so it has no gradient of that loss to show." if missing else None


def _ends(curve: Curve) -> tuple[float, float]:
    """Return the first and the last value of a curve's mean over the seeds.

    If the value of a seed is ∞ there, it is ∞; otherwise, if one is 0, it is 0.
    """
    first, last = (
        np.inf if curve.over[index] else 0.0 if curve.under[index] else float(curve.middle[index]) for index in (0, -1)
    )
    return first, last


VIEW = View("signal and gradient", _show, _controls)
