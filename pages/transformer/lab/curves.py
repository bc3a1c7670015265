"""The charts of a run that is trained: its losses, its share of right rows, and which part of an answer is right."""

from collections.abc import Sequence

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.lab.baselines import Baselines
from core.lab.happened import axis_end
from core.lab.measured import Measured
from core.lab.recipe import Recipe
from core.lab.task import Task
from pages.transformer.lab.kept_run import kept_line
from pages.transformer.lab.parts import unseen_of
from pages.widgets import Chart, spec

TRAINING, LONGER = "training rows", "longer rows"
ROWS_RIGHT = "Rows answered right"


def losses(recipe: Recipe, history: Sequence[Measured], guessing: Baselines, kept: Sequence[Measured]) -> Chart:
    """Return a chart of the losses at the measured steps, with the lines of guessing and of counting pairs."""
    steps, end = np.array([measured.step for measured in history]), axis_end(history[-1].step, recipe.steps)
    lines = [
        _line(TRAINING, steps, [measured.loss for measured in history]),
        _line(unseen_of(recipe.of), steps, [measured.held_out_loss for measured in history]),
        *kept_line(kept, "held_out_loss"),
        *(
            Line(f"{name}: {loss:.2f}", np.array([0, end]), np.full(2, loss), theory=True)
            for name, loss in (("guessing", guessing.guessing), (_only_before(recipe.of), guessing.pairs))
        ),
    ]
    picture = spec(lines_spec, "Does the loss fall?", "step", "loss, nats", whole=True, end=end)
    return Chart(lines_data(lines), picture, "lab-loss", "the loss by step")


def _only_before(task: Task) -> str:
    """Return the label of the line for counted pairs, a model that predicts from the one token before."""
    return f"only the {'token' if task.window is None else 'letter'} before"


def right_share(recipe: Recipe, history: Sequence[Measured], kept: Sequence[Measured]) -> Chart:
    """Return a chart of the share of rows answered right at the measured steps, or of right tokens."""
    task, end = recipe.of, axis_end(history[-1].step, recipe.steps)
    counted = "right" if task.counts_tokens else "exact"
    unseen, longer = f"held_out_{counted}", f"longer_{counted}"
    steps = np.array([measured.step for measured in history])
    lines = [
        _line(unseen_of(recipe.of), steps, [getattr(measured, unseen) for measured in history]),
        _line(LONGER, steps, [getattr(measured, longer) for measured in history]),
        *kept_line(kept, unseen),
        Line("all", np.array([0, end]), np.ones(2), theory=True),
    ]
    of = "characters" if task.window else "tokens"
    words = (f"Right {of}", f"share of {of}") if task.counts_tokens else (ROWS_RIGHT, "share of rows")
    picture = spec(lines_spec, words[0], "step", words[1], most=1.05, whole=True, end=end)
    return Chart(lines_data([line for line in lines if len(line.x)]), picture, "lab-exact", "right rows by step")


def _line(name: str, steps: np.ndarray, values: Sequence[float | None] | np.ndarray) -> Line:
    numbers = np.array(values, dtype=float)
    there = np.isfinite(numbers)
    return Line(name, steps[there], numbers[there])


def by_place(task: Task, now: Measured) -> Chart:
    """Return a chart of the share of right tokens by their place in the answer."""
    lines = [_line(unseen_of(task), np.arange(1, len(now.by_place) + 1), now.by_place)]
    if now.longer_by_place is not None:
        lines.append(_line(LONGER, np.arange(1, len(now.longer_by_place) + 1), now.longer_by_place))
    picture = spec(lines_spec, "Right by place", "place in the answer", "share right", most=1.05, whole=True)
    return Chart(lines_data(lines), picture, "lab-places", "right tokens by their place in the answer")
