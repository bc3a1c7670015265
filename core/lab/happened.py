"""What a run should show, and whether it has: sentences with their numbers, from what was measured while it trained."""

from collections.abc import Callable, Sequence

import numpy as np

from core.lab.measured import Measured
from core.lab.task import Task

RIGHT, FORMED = 0.95, 0.5  # the share of right answers, and the score of a head, that count as learned
HEADS = {"induction": ("induction", "an induction head", "looks at the token after the earlier copy")}
SHORTEST_AXIS = 50


def happened(task: Task, history: Sequence[Measured]) -> str:
    """Return whether what a task expects has been seen so far, when, and with which number.

    history: the measurements by rising step, one or more.
    """
    if task.name in HEADS:
        return _head(history, *HEADS[task.name])
    (step, share), now = _first(history, lambda measured: measured.held_out_exact), history[-1]
    if step is not None:
        return f"It has happened: at step {step:,}, {share:.0%} of the rows that it never saw are answered right."
    if now.step == 0:
        return "Nothing has been learned yet: press Play."
    return f"Not yet: at step {now.step:,}, {now.held_out_exact:.0%} of the rows that it never saw are answered right."


def _head(history: Sequence[Measured], score: str, name: str, does: str) -> str:
    (step, value), now = _first(history, lambda measured: best(measured, score)[2], FORMED), history[-1]
    if step is None:
        if now.step == 0:
            return "Nothing has been learned yet: press Play."
        layer, head, value = best(now, score)
        return (
            f"Not yet: at step {now.step:,} the highest score of a head as {name} is {value:.2f}, of head {head} in "
            f"layer {layer}; {FORMED:g} counts."
        )
    layer, head, value = best(next(measured for measured in history if measured.step == step), score)
    return (
        f"It has happened: from step {step:,} on, head {head} of layer {layer} {does}, with {value:.0%} of its weight: "
        f"it is {name}."
    )


def best(measured: Measured, score: str) -> tuple[int, int, float]:
    """Return the layer and the head, counted from 1, with the highest score, and the score."""
    values = np.nan_to_num(measured.scores.scores[score])
    layer, head = np.unravel_index(values.argmax(), values.shape)
    return int(layer) + 1, int(head) + 1, float(values.max())


def _first(
    history: Sequence[Measured], share: Callable[[Measured], float], least: float = RIGHT
) -> tuple[int | None, float]:
    """Return the first measured step at which a share is at least so high, and the share."""
    return next(((measured.step, share(measured)) for measured in history if share(measured) >= least), (None, 0.0))


def axis_end(step: int) -> int:
    """Return where an axis of steps ends: 50, 100, 200 and so on, so that the picture rarely changes its scale."""
    end = SHORTEST_AXIS
    while end < step:
        end *= 2
    return end
