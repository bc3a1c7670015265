"""Say whether a run has shown what its task expects, in sentences with numbers from its measurements."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import floor
from types import MappingProxyType

import numpy as np

from core.analysis.sinks import MIN_SINK_RATIO
from core.lab.baselines import baselines
from core.lab.findings import MIN_FORMED_SCORE, MIN_RIGHT_SHARE
from core.lab.head_scores import highest_score
from core.lab.measured import Measured, probe
from core.lab.task import Task
from core.text.labels import head_label

CHANCE, GUESSING = 0.5, 0.65  # shares of right answers: the expected one of guessing between two, and the highest
FORMED_MEASUREMENTS = 3  # consecutive ones in which a head must have its score
RISEN_NATS = 0.1  # by which a loss is clearly above its lowest
SHORTEST_AXIS_STEPS = 50
ONLY_BEFORE = "a model that sees only the letter before"


def happened(task: Task, history: Sequence[Measured]) -> tuple[str, ...]:
    """Return sentences that say whether a run has shown what its task expects; the second has the other numbers.

    history: one or more measurements, ascending.

    Raises ValueError if the task is a pasted text that is no longer in memory.
    """
    if history[-1].step == 0:
        return ("Nothing has been learned yet: press Play.",)
    return SENTENCES[task.success](task, history)


def _rows(task: Task, history: Sequence[Measured]) -> tuple[str, ...]:
    """Return when nearly all held-out rows were answered right."""
    first, now = _first(history, lambda measured: measured.held_out_exact), history[-1]
    if first is None:
        return (
            f"Not yet: at step {now.step:,}, {percent(now.held_out_exact)} of the rows that it never saw are answered "
            "right.",
        )
    return (
        f"Learned: at step {first.step:,}, {percent(first.held_out_exact)} of the rows that it never saw are "
        "answered right.",
    )


def _one_distance(task: Task, history: Sequence[Measured]) -> tuple[str, str]:
    """Return when nearly all tokens were right, how far back the head looks, and how many longer rows are right."""
    first, now = _first(history, lambda measured: measured.held_out_right), history[-1]
    longer = now.longer_right or 0.0
    if first is None:
        return (
            f"Not yet: at step {now.step:,}, {percent(now.held_out_right)} of the letters asked for are right in rows "
            "that it never saw.",
            f"In longer rows {percent(longer)} are right.",
        )
    layer, head, weight = best(now, "diagonal")
    back = int(now.scores.back[layer - 1, head - 1])
    fails = f"but only {percent(longer)}" if longer < MIN_FORMED_SCORE else f"and {percent(longer)}"
    return (
        f"Learned: at step {first.step:,}, {percent(first.held_out_right)} of the letters asked for are right "
        "in rows that it never saw.",
        f"At step {now.step:,} these are {percent(now.held_out_right)}, {fails} in longer rows; head {head} of layer "
        f"{layer} looks {back} tokens back with {percent(weight)} of its weight.",
    )


def _guessing(task: Task, history: Sequence[Measured]) -> tuple[str, str]:
    """Return whether a run that is expected to guess still does."""
    now = history[-1]
    rows = "the rows that it never saw"
    right = f"{percent(now.held_out_exact)} are answered right, and guessing gets {CHANCE:.0%}"
    if now.held_out_exact < GUESSING:
        return f"As expected: at step {now.step:,} it still guesses.", f"Of {rows} {right}."
    return f"Better than expected: at step {now.step:,} it does more than guess.", f"Of {rows} {right}."


def _below_pairs(task: Task, history: Sequence[Measured]) -> tuple[str, str]:
    """Return when the held-out loss fell below that of counting pairs, and whether it has risen again."""
    pairs, now = baselines(task.name).pairs, history[-1]
    rows = "rows that it never saw" if task.holds_out else "rows of the text"
    lowest = min(history, key=lambda measured: measured.held_out_loss)
    is_risen = now.held_out_loss > lowest.held_out_loss + RISEN_NATS
    risen = (
        f"It was lowest at step {lowest.step:,}, {lowest.held_out_loss:.2f}. At step {now.step:,} it is "
        f"{now.held_out_loss:.2f}, and that of training is {now.loss:.2f}: the model learns the text by heart."
    )
    first = _first(history, lambda measured: -measured.held_out_loss, -pairs)
    if first is None and is_risen:
        return (
            f"It did not do better than {ONLY_BEFORE}.",
            f"The loss on {rows} did not fall below the {pairs:.2f} nats of such a model. {risen}",
        )
    if first is None:
        return (
            f"Not yet: at step {now.step:,} it does no better than {ONLY_BEFORE}.",
            f"The loss on {rows} is {now.held_out_loss:.2f} nats, and that of such a model {pairs:.2f}.",
        )
    shown = f"the loss is {now.held_out_loss:.2f}, and {percent(now.held_out_right)} of the characters are right."
    later = risen if is_risen else f"At step {now.step:,} {shown}"
    return (
        f"Learned: at step {first.step:,} it does better than {ONLY_BEFORE}.",
        f"The loss on {rows} is then below the {pairs:.2f} nats of such a model: this one uses more than one letter. "
        f"{later}",
    )


def _head(score: str, name: str, does: str, task: Task, history: Sequence[Measured]) -> tuple[str, str]:
    """Return when a head with a score of at least one half has formed, and which head it is."""
    first, now = _formed(history, score), history[-1]
    if first is None:
        layer, head, value = best(now, score)
        return (
            f"Not yet: at step {now.step:,} no head {does} with half of its weight.",
            f"The highest score of a head as {name} is {_rounded_down(value)}, of {head_label(layer - 1, head - 1)}; "
            f"{MIN_FORMED_SCORE:g} counts.",
        )
    layer, head, value = best(first, score)
    return (
        f"Learned: from step {first.step:,} on, {head_label(layer - 1, head - 1)} {does}.",
        f"At that step it does so with {percent(value)} of its weight: it is {name}.",
    )


def _sink(task: Task, history: Sequence[Measured]) -> tuple[str, str]:
    """Return when a head gave the first token much more than an even share where it has nothing to look up."""
    first, now = _rested(task, history), history[-1]
    if first is None:
        return f"Not yet: at step {now.step:,} no head rests on the first token.", _rest_of(task, now)
    (layer, head), _, _ = first_weights(task, first)
    return (
        f"Learned: from step {first.step:,} on, {head_label(layer, head)} rests on the first token.",
        f"At step {first.step:,}: {_rest_of(task, first)} {_looks_back(task, first)}",
    )


def _no_sink(task: Task, history: Sequence[Measured]) -> tuple[str, str]:
    """Return whether no head rests on the first token, as is expected, and which head looks back."""
    first, now = _rested(task, history), history[-1]
    said = f"{_rest_of(task, now)} {_looks_back(task, now)}"
    if first is None:
        return f"As expected: at step {now.step:,} no head rests on the first token.", said
    return f"Other than expected: from step {first.step:,} on, a head rests on the first token.", said


def _rested(task: Task, history: Sequence[Measured]) -> Measured | None:
    """Return the first measurement from which a head rests on the first token, as `_formed` does."""
    rests = [first_weights(task, measured)[1] for measured in history]
    least = MIN_SINK_RATIO * first_weights(task, history[-1])[2]
    return _kept_up(history, [weight >= least for weight in rests])


def _rest_of(task: Task, measured: Measured) -> str:
    (layer, head), weight, even = first_weights(task, measured)
    return (
        f"Where nothing is to be looked up, {head_label(layer, head)} gives it {percent(weight)} of its weight; an "
        f"even share is {percent(even)}."
    )


def _looks_back(task: Task, measured: Measured) -> str:
    """Return which head looks most at the token before a trigger of the probe."""
    rows = np.flatnonzero(probe(task)[1])
    weights = measured.patterns[:, :, rows, rows - 1].mean(-1)
    layer, head = (int(axis) for axis in np.unravel_index(weights.argmax(), weights.shape))
    return f"After a digit, {head_label(layer, head)} gives the letter before it {percent(float(weights.max()))}."


def first_weights(task: Task, measured: Measured) -> tuple[tuple[int, int], float, float]:
    """Return the head that gives the first token most on the probe where it has nothing to look up.

    Returns the layer and the head, from 0; its weight; and the first token's share if all tokens got the same.
    """
    answering = probe(task)[1]
    rows = np.flatnonzero(~answering)[1:]  # the first token has nothing else to look at
    weights = measured.patterns[:, :, rows, 0].mean(-1)
    layer, head = (int(axis) for axis in np.unravel_index(weights.argmax(), weights.shape))
    return (layer, head), float(weights[layer, head]), float((1 / (rows + 1)).mean())


def _formed(history: Sequence[Measured], score: str) -> Measured | None:
    """Return the first measurement from which a head keeps its score, in FORMED_MEASUREMENTS of them or to the end."""
    return _kept_up(history, [best(measured, score)[2] >= MIN_FORMED_SCORE for measured in history])


def _kept_up(history: Sequence[Measured], holds: Sequence[bool]) -> Measured | None:
    """Return the first measurement from which something holds in FORMED_MEASUREMENTS of them, or to the end."""
    places = (place for place in range(len(history)) if all(holds[place : place + FORMED_MEASUREMENTS]))
    return next((history[place] for place in places), None)


SENTENCES: Mapping[str, Callable[[Task, Sequence[Measured]], tuple[str, ...]]] = MappingProxyType(
    {
        "rows": _rows,
        "one distance": _one_distance,
        "guessing": _guessing,
        "below pairs": _below_pairs,
        "sink": _sink,
        "no sink": _no_sink,
        "induction": partial(_head, "induction", "an induction head", "looks at the token after the earlier copy"),
    }
)


def best(measured: Measured, score: str) -> tuple[int, int, float]:
    """Return the layer and the head, counted from 1, with the highest value of a named score, and the value."""
    return highest_score(measured.scores.scores[score])


def percent(share: float) -> str:
    """Return a share as a whole percentage, rounded down: 94.9% is not yet 95%."""
    return f"{floor(round(100 * share, 6))}%"


def _rounded_down(value: float) -> str:
    return f"{floor(round(100 * value, 6)) / 100:.2f}"


def _first(
    history: Sequence[Measured], number: Callable[[Measured], float], least: float = MIN_RIGHT_SHARE
) -> Measured | None:
    """Return the first measurements in which a number is at least `least`; None if there are none."""
    return next((measured for measured in history if number(measured) >= least), None)


def axis_end(step: int, last: int) -> int:
    """Return where an axis of steps ends: 50, 100, 200 and so on, so that it rarely changes, and at most the last."""
    end = SHORTEST_AXIS_STEPS
    while end < step:
        end *= 2
    return min(end, max(last, 1))
