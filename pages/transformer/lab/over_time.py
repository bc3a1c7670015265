"""How the heads of a run get their names, and how large the gradient is, step by step.

Before the run has made a step there is nothing to see of it, so the view opens with the same lines of a recorded run.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.lab.comparisons import ScoresAlong
from core.lab.happened import axis_end
from core.lab.head_scores import SCORES, ScoreCells
from core.lab.live import shades
from core.lab.measured import Measured
from core.lab.recipe import Recipe
from core.readings.words import capital, number, percent
from core.text.labels import head_label
from core.tracing.run import Run
from pages.canvas import HeadGrid, Matrices, Panel
from pages.shell import Shown, View
from pages.transformer.lab import queries
from pages.transformer.lab.parts import (
    PLAYER,
    on_a_run,
    own_text_box,
    player_of,
    probe_words,
    run_controls,
    shown_step,
    which_run,
)
from pages.transformer.lab.settings import NORMS_BY, OF_HEAD, OF_LAYER, SCORE, SCORE_NAMES
from pages.widgets import Chart, Columns, Control, Table, Values, control, spec

MOST_HEADS, MOST_TERMS = 12, 12  # heads that are drawn; terms of a sum that are written
RECORDED_RUN = "induction-2-layers"  # it has heads for two of the scores: the token before, and induction
LEARNED = 0.2  # of a head's weight: a score that grew by less was not learned
LEAD = (
    "Nobody tells a head what to look at. Its **score** says how much of its weight lies on one kind of place, on the "
    "same row at each step; a line above one half is a head that has learned to look there."
)
FORMULA = (
    r"\text{score} = \frac{1}{|R|} \sum_{i \in R} A_{i,\,k(i)} \qquad "
    r"\lVert g \rVert = \sqrt{\textstyle\sum_j g_j^2}"
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from run_controls(run, values)
    yield control(SCORE, width=200)
    yield control(OF_LAYER, width=130)
    yield control(OF_HEAD, width=130)
    yield control(NORMS_BY)


def _show(recipe: Recipe, values: Values) -> Shown:
    """Show one named score of the heads, and the norm of the gradient, over the measured steps of the run."""
    now = shown_step(recipe, values)
    history, name = queries.history(recipe, now.step), SCORE_NAMES[values[SCORE]]
    steps = np.array([measured.step for measured in history])
    scores = np.stack([measured.scores.scores[name] for measured in history])  # (S, N, H)
    flat = np.nan_to_num(scores).reshape(len(history), -1)
    heads, order = scores.shape[2], _drawn(flat)
    names = [head_label(*divmod(index, heads)) for index in range(flat.shape[1])]
    end = np.array([0, axis_end(now.step, recipe.steps)])
    lines = [Line(names[index], steps, flat[:, index]) for index in order]
    half = Line("half of its weight", end, np.full(2, 0.5), theory=True)
    drawn = spec(
        lines_spec, f"Which head looks at {SCORES[name]}?", "step", "score", most=1.05, whole=True, end=float(end[1])
    )
    chart = Chart(lines_data([*lines, half]), drawn, "lab-scores", "a score of the heads by step")
    layer, head = min(int(values[OF_LAYER]), recipe.layers) - 1, min(int(values[OF_HEAD]), recipe.heads) - 1
    cells = queries.cells_of(recipe, now, name, layer, head)
    looked_at = Columns(
        [
            [_grid(now, layer, head)],
            [_counted(recipe, now, cells, layer, head)],
            [_norms(history, values[NORMS_BY], float(end[1]))],
        ]
    )
    sentences = _said(now.step, values[SCORE], SCORES[name], names, flat[-1], bool(np.isnan(scores).all()))
    opening = queries.recorded_scores(RECORDED_RUN, name) if len(history) == 1 else None
    return Shown(
        pictures=[
            player_of(queries.live_run(recipe), values, now.step),
            *own_text_box(values),
            *([] if opening is None else [_recorded(opening, SCORES[name])]),
            chart,
            looked_at,
            which_run(recipe, now.step),
        ],
        lead=LEAD,
        arithmetic=_computed(values[SCORE], cells, layer, head, now.step),
        takeaway=[*([] if opening is None else [_recorded_said(opening, SCORES[name])]), *sentences],
        notes=[
            f"Of {len(names)} heads the {MOST_HEADS} with the highest scores are drawn."
            if len(names) > len(order)
            else None,
            None if opening is None else "Press Play: the heads of your own run take the place of the recorded ones.",
        ],
        formula=FORMULA,
        table=Table("scores", flat, [f"{step:,}" for step in steps], names, "step"),
        source=("core.lab.head_scores.head_scores", "core.lab.measured.gradient_norms"),
    )


def _drawn(scores: np.ndarray) -> list[int]:
    """Return the numbers of the heads to draw, from scores (steps, heads): the highest ever, and the highest at last.

    Among them is always the head that the sentence names.
    """
    highest = np.argsort(-scores.max(0), kind="stable")
    named = int(scores[-1].argmax())
    return sorted([named, *(int(head) for head in highest if head != named)][:MOST_HEADS])


def _recorded(opening: ScoresAlong, meaning: str) -> Chart:
    """Return the lines of all heads of a recorded run, with one half of the weight dashed."""
    steps, scores = opening.steps, opening.scores
    lines = [
        Line(head_label(layer, head), steps, np.nan_to_num(scores[:, layer, head]))
        for layer, head in np.ndindex(scores.shape[1:])
    ]
    half = Line("half of its weight", steps[[0, -1]], np.full(2, 0.5), theory=True)
    title = f"Recorded: {opening.title}. Which head looks at {meaning}?"
    drawn = spec(lines_spec, title, "step", "score", most=1.05, whole=True, end=float(steps[-1]))
    return Chart(lines_data([*lines, half]), drawn, "lab-recorded-scores", "a score of the recorded heads by step")


def _recorded_said(opening: ScoresAlong, meaning: str) -> str:
    """Return how far one head of the recorded run came in learning to look at such tokens."""
    scores = opening.scores
    if np.isnan(scores[-1]).all():
        return f"In the recorded run there is no place for a head to look at {meaning}."
    layer, head = opening.learned_most
    first, last = float(scores[0, layer, head]), float(scores[-1, layer, head])
    if last - first < LEARNED:
        return f"In the recorded run no head learned to look at {meaning}."
    return (
        f"In the recorded run {head_label(layer, head)} learned by itself to look at {meaning}: its weight there grew "
        f"from {percent(first)} to {percent(last)}."
    )


def _grid(now: Measured, layer: int, head: int) -> HeadGrid:
    return HeadGrid(
        shades(now.patterns),
        key="lab-scored-heads",
        name="all heads on the probe",
        selected=(layer, head),
        sets=lambda layer, head: {OF_LAYER.key: layer + 1, OF_HEAD.key: head + 1},
        click="Click a head to see how its score is computed.",
    )


def _counted(recipe: Recipe, now: Measured, cells: ScoreCells, layer: int, head: int) -> Matrices:
    """Return the pattern of a head, with the cells outlined whose weights count for its score."""
    rows, keys = probe_words(recipe)
    panel = Panel(
        "pattern",
        f"{head_label(layer, head)}: outlined cells count",
        now.patterns[layer, head],
        rows=rows,
        cols=keys,
        scale="weight",
        outlines=[(int(row), int(key)) for row, key in np.argwhere(cells.cells) if row in cells.rows],
    )
    return Matrices([panel], key="lab-counted", name="the cells that a score counts", height=300)


def _computed(title: str, cells: ScoreCells, layer: int, head: int, step: int) -> str:
    """Return the computation of a head's score, in lines."""
    if not len(cells.weights):
        return f"{title}: the row has no cell that counts"
    terms = " + ".join(number(weight, 2) for weight in cells.weights[:MOST_TERMS])
    more = f" + … ({len(cells.weights)} rows)" if len(cells.weights) > MOST_TERMS else ""
    return "\n".join(
        [
            f"{title}, {head_label(layer, head)}, step {step:,}",
            "weight on the outlined cells, row by row:",
            f"score = ({terms}{more}) / {len(cells.weights)} = {number(cells.score)}",
        ]
    )


def _norms(history: Sequence[Measured], by: str, end: float) -> Chart:
    gradient = history[-1].gradient
    names, axis = (gradient.layers, 2) if by == "layer" else (gradient.kinds, 1)
    norms = np.sqrt(np.nansum(np.stack([measured.gradient.norms for measured in history]) ** 2, axis))  # (S, names)
    steps = np.array([measured.step for measured in history])
    lines = []
    for name, values in zip(names, norms.T, strict=True):
        there = np.isfinite(values)
        lines.append(Line(name, steps[there], values[there]))
    drawn = spec(lines_spec, "How large is the gradient?", "step", "norm, before clipping", whole=True, end=end)
    return Chart(lines_data(lines), drawn, "lab-gradient", f"the norm of the gradient by {by}")


def _said(step: int, title: str, meaning: str, names: Sequence[str], last: np.ndarray, missing: bool) -> list[str]:
    """Return which head has the highest score, and at which step.

    title, meaning: the name of the score, and the tokens on which attention counts for it, in words.
    last: the scores of the heads at that step.
    missing: whether the task's rows have no position at which this score is defined.
    """
    if missing:
        return [f"The row of this task has no place for the score “{title}”."]
    most = int(last.argmax())
    return [
        f"{capital(names[most])} has {last[most]:.0%} of its weight on {meaning}; no other head has more.",
        f"That is its score “{title}” at step {step:,}.",
    ]


VIEW = View(
    "heads over time",
    on_a_run(LEAD, _show),
    _controls,
    player=PLAYER,
    reads_text=False,
    uses_model=False,
    reads_mask=False,
)
