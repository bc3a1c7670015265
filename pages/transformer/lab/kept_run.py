"""A run that the visitor keeps, to show it beside another that differs in a setting."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from core.charts.positions_lines import Line
from core.lab.happened import percent
from core.lab.measured import Measured
from core.lab.recipe import Recipe, differences, read_recipe, write_recipe
from core.lab.task import Task
from core.readings.words import capital
from pages.transformer.lab import queries
from pages.transformer.lab.parts import unseen_of
from pages.transformer.lab.settings import IN_SIGHT, KEPT_RUN, MORE, SEED, TASK
from pages.widgets import Button, Caption, Listing, Message, Numbers, Part, Row, Values, plain


def kept_recipe(values: Values, recipe: Recipe) -> Recipe | None:
    """Return the recipe of the kept run; None if none is kept, or if it is the run on the screen.

    Raises ValueError, with a sentence, if the address names a recipe that cannot be used.
    """
    if not values[KEPT_RUN]:
        return None
    kept = read_recipe(values[KEPT_RUN])
    return None if kept == recipe else kept


def kept_history(kept: Recipe | None, step: int) -> tuple[Measured, ...]:
    """Return the measurements of the kept run up to a step, to which it is trained in the background."""
    if kept is None:
        return ()
    now = queries.trained(kept, min(step, kept.steps), job=queries.KEPT_JOB)
    return queries.history(kept, now.step)


def kept_line(history: Sequence[Measured], name: str) -> list[Line]:
    """Return the line of one measurement of the kept run; none if no run is kept.

    name: a field of `Measured`.
    """
    if not history:
        return []
    steps = np.array([measured.step for measured in history])
    return [Line("the kept run", steps, np.array([getattr(measured, name) for measured in history], dtype=float))]


def kept_row(
    recipe: Recipe, values: Values, history: Sequence[Measured], kept_so_far: Sequence[Measured], *beside: Part
) -> Sequence[Part]:
    """Return the button that keeps this run; or what differs between it and the kept one, and a button to drop that.

    history, kept_so_far: the measurements of both runs.
    beside: parts that stand in the same row as the button.
    """
    if not values[KEPT_RUN]:
        keep = Button(
            "Keep this run to compare", "lab-keep", partial(_sets, write_recipe(recipe)), ":material/push_pin:"
        )
        return [Row([keep, Caption("Then change a setting below: both are drawn in one chart."), *beside])]
    drop = Button("Drop the kept run", "lab-drop", partial(_sets, ""), ":material/close:")
    try:
        kept = kept_recipe(values, recipe)
    except ValueError as mistake:
        return [Row([Message(plain(f"The kept run cannot be shown: {mistake}")), drop, *beside])]
    if kept is None:
        return [Row([drop, Caption("This run is kept. Change one setting below, and compare."), *beside])]
    unlike = differences(recipe, kept)
    cells = {
        "what differs": [_label(name) for name in unlike],
        "this run": [mine for mine, _ in unlike.values()],
        "the kept run": [other for _, other in unlike.values()],
    }
    return [
        Numbers(Listing("differences", cells, unfolded=True), "lab-differences"),
        Row([drop, Caption(_compared(recipe.of, history, kept_so_far)), *beside]),
    ]


def _label(name: str) -> str:
    """Return the label of the setting of a recipe's field."""
    settings = {**IN_SIGHT, **MORE, "task": TASK, "seed": SEED}
    return settings[name].label


def _compared(task: Task, history: Sequence[Measured], kept: Sequence[Measured]) -> str:
    """Return how many of the measured rows both runs answer right."""
    if not kept:
        return ""
    now, then = history[-1], kept[-1]
    what = f"Tokens right in {unseen_of(task)}" if task.counts_tokens else f"{capital(unseen_of(task))} answered right"
    counted = "held_out_right" if task.counts_tokens else "held_out_exact"
    own, other = (percent(getattr(measured, counted)) for measured in (now, then))
    return f"{what}: {own} at step {now.step:,}; by the kept run {other} at step {then.step:,}."


def _sets(recipe: str) -> Mapping[str, Any]:
    return {KEPT_RUN.key: recipe}
