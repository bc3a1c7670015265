"""The charts of recorded runs: the measurements over all their steps, with a line at the selected step.

Charts of other runs have other titles: with the same title the browser would keep the layout of the legend, which has
other names in it.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.charts.upright_bars import upright_bars_data, upright_bars_spec
from core.lab.comparisons import Curves
from core.lab.fourier import Spectrum
from pages.widgets import Chart, spec

SHARES = 1.05  # the end of an axis of shares
STRONG = ("the fewest that make up 90%", "all others")
MOST_SHARE = 0.25  # more than any frequency has at any kept step, so that the axis stays when the step changes

CHOSEN = "this step"  # the same words at every step, because a legend is laid out once

Measurement = Callable[[Curves], np.ndarray]


def right_chart(title: str, labels: Sequence[str], runs: Sequence[Curves], step: int) -> Chart:
    """Return a chart of the share of right tokens of each run, on rows as long as those of its training."""
    lines = _of_runs(labels, runs, lambda run: run.right)
    return _shares(title, lines, step, "lab-recorded-right", "right letters by step")


def longer_chart(labels: Sequence[str], runs: Sequence[Curves], step: int) -> Chart:
    """Return a chart of the share of right tokens of each run, on rows longer than any of its training."""
    lines = _of_runs(labels, runs, lambda run: run.longer_right)
    title = "How many letters are right in longer rows?"
    return _shares(title, lines, step, "lab-recorded-longer", "right letters in longer rows by step")


def induction_chart(labels: Sequence[str], runs: Sequence[Curves], step: int) -> Chart:
    """Return a chart of the highest score of a head of each run as an induction head."""
    lines = _of_runs(labels, runs, lambda run: run.induction)
    title = "Does an induction head form?"
    return _shares(title, lines, step, "lab-recorded-induction", "the induction score by step", "score")


def place_chart(label: str, run: Curves, step: int, last: int) -> Chart:
    """Return a chart of the share of right digits at each place of the answer.

    last: the step at which the axis ends, the same for runs that are compared.
    """
    lines = [_line(f"digit {place + 1}", run.steps, run.by_place[:, place]) for place in range(run.by_place.shape[1])]
    key = f"lab-recorded-places-{label.replace(' ', '-')}"
    return _shares(
        f"{label.capitalize()}: which digits are right?", lines, step, key, f"right digits, {label}", end=last
    )


def pairs_chart(run: Curves, step: int) -> Chart:
    """Return a chart of the share of right answers on pairs of training and on pairs that were never in training."""
    lines = [
        _line("pairs of training", run.steps, run.exact),
        _line("pairs it never saw", run.steps, run.held_out_exact),
    ]
    return _shares("How many sums are right?", lines, step, "lab-recorded-pairs", "right sums by step")


def loss_chart(title: str, losses: Mapping[str, tuple[np.ndarray, np.ndarray]], step: int) -> Chart:
    """Return a chart with a line for each name: its steps, and the losses there."""
    lines = [_line(name, *steps_and_losses) for name, steps_and_losses in losses.items()]
    highest = float(np.ceil(max(line.y.max() for line in lines)))
    drawn = spec(lines_spec, title, "step", "loss, nats", most=highest)
    return Chart(lines_data([*lines, _mark(step, highest)]), drawn, "lab-recorded-loss", "the loss by step")


def waves_chart(waves: Spectrum, step: int) -> Chart:
    """Return a chart of how much of the numbers' embeddings each frequency explains."""
    title = "Which waves are the embeddings made of?"
    drawn = spec(upright_bars_spec, title, "frequency", "share of the embeddings", STRONG, MOST_SHARE)
    data = upright_bars_data(waves.shares, waves.strongest, STRONG)
    return Chart(data, drawn, "lab-recorded-waves", f"the frequencies of the embeddings at step {step}")


def _shares(
    title: str, lines: Sequence[Line], step: int, key: str, name: str, axis: str = "share right", end: int = 0
) -> Chart:
    """Return a chart of lines of shares by step.

    end: the step at which the axis ends, 0 for the last that is drawn.
    """
    drawn = spec(lines_spec, title, "step", axis, most=SHARES, end=end)
    return Chart(lines_data([*lines, _mark(step, SHARES)]), drawn, key, name)


def _of_runs(names: Sequence[str], runs: Sequence[Curves], measurement: Measurement) -> list[Line]:
    return [_line(name, run.steps, measurement(run)) for name, run in zip(names, runs, strict=True)]


def _line(name: str, steps: np.ndarray, numbers: np.ndarray) -> Line:
    known = np.isfinite(numbers)
    return Line(name, steps[known], numbers[known])


def _mark(step: int, top: float) -> Line:
    """Return an upright dashed line at the selected step."""
    return Line(CHOSEN, np.full(2, step), np.array([0, top]), theory=True)
