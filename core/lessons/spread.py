"""How the answers of a class to one question are spread, and what its teacher can do next.

`answer_bars` is not given the right answer, so that what a class sees before cannot give it away. Answers are as
`core.lessons.grading.checked_answer` returns them.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from core.lessons.grading import Grade, grade
from core.lessons.lesson import GAP, Screen
from core.topics.shared.truth import Truth

# Shares of right answers: below the first, and below the second (Crouch & Mazur 2001).
SHOW_AGAIN_SHARE, TALK_SHARE = 0.35, 0.7
MOST_BARS = 10


@dataclass(frozen=True)
class Bar:
    """One answer, or one label, with the share of the class that chose it.

    label: the text shown.
    share: the length of the bar, from 0 to 1.
    words: the length in words: "12", "34%"; with the model's number, if that is to be seen.
    answer: the answer itself: an index, a name, or the two bounds of an interval.
    right: whether this is the right answer; None as long as that is not to be seen.
    model: the model's number, on the same scale; None if there is none, or it is not to be seen.
    """

    label: str
    share: float
    words: str
    answer: Hashable
    right: bool | None = None
    model: float | None = None


@dataclass(frozen=True)
class BarGroup:
    """Bars that belong together.

    title: "" if there is only one group.
    """

    title: str
    bars: tuple[Bar, ...]


def answer_bars(
    screen: Screen, labels: Sequence[str], rows: Sequence[str], answers: Sequence[Any]
) -> tuple[BarGroup, ...]:
    """Return a class's answers to a question as bars, without a mark on the right ones.

    labels, rows: as in `Truth`.
    """
    match screen.kind:
        case "choice":
            named = [(option.name, option.text) for option in screen.options]
            return (BarGroup("", _counted(named, answers)),)
        case "token":
            return (BarGroup("", _counted(list(enumerate(labels)), answers)),)
        case "cell":
            cells = [cell for cell, _ in Counter(answers).most_common(MOST_BARS)]
            named = [(cell, f"{rows[cell[0]]} → {labels[cell[1]]}") for cell in cells]
            return (BarGroup("", _counted(named, answers)),)
        case "row":
            return (BarGroup("", _mean_weights(labels, answers)),)
        case "order":
            return (BarGroup("", _mean_places(labels, answers)),)
        case "number":
            return (BarGroup("", _intervals(screen, answers)),)
    named = [(option.name, option.text) for option in screen.options]
    gaps = range(screen.formula.count(GAP))
    return tuple(
        BarGroup(f"gap {gap + 1}" if len(gaps) > 1 else "", _counted(named, [answer[gap] for answer in answers]))
        for gap in gaps
    )


def with_truth(screen: Screen, truth: Truth, groups: Sequence[BarGroup]) -> tuple[BarGroup, ...]:
    """Mark the right answers on bars of a class's answers, or add the model's numbers beside the class's."""
    return tuple(
        replace(group, bars=tuple(_with_truth(screen, truth, number, bar) for bar in group.bars))
        for number, group in enumerate(groups)
    )


def mean_row(answers: Sequence[Any]) -> tuple[float, ...]:
    """Return the mean (K,) of the attention rows that the learners of a class drew; () if nobody drew one."""
    return tuple(np.mean(np.asarray(answers, dtype=float), axis=0).tolist()) if answers else ()


def read_class_row(truth: Truth, row: Grade) -> str:
    """Return in words how much the class's mean row is like the model's, and which head it is most like.

    row: the grade of the mean row.
    """
    sentence = f"The class's row and the model's overlap by {100 * row.share:.0f}%."
    if row.alike:
        sentence += f" Of all heads, {row.alike[0]} is most like the class: {100 * row.alike[1]:.0f}% overlap."
    return sentence


def count_right(screen: Screen, truth: Truth, answers: Sequence[Any]) -> int:
    """Return how many answers are right."""
    return sum(grade(screen, truth, answer).right for answer in answers)


def advise(right: int, answered: int, again: bool, is_guess: bool = False) -> str:
    """Return what a teacher can do next, in a sentence; "" if nobody answered.

    again: whether this was the second vote.
    is_guess: whether nobody could know the answer, so that talking about it does not help.
    """
    if not answered:
        return ""
    share = right / answered
    share_right = f"{100 * share:.0f}% are right."
    if is_guess:
        return f"{share_right} It could only be guessed: show what is right."
    if again:
        return f"{share_right} Show what is right, and explain it."
    if share < SHOW_AGAIN_SHARE:
        return f"{share_right} Few know it yet: show the matter again, then let them vote again."
    if share < TALK_SHARE:
        return f"{share_right} Let them talk in pairs, then vote again."
    return f"{share_right} Most know it: go on."


def _counted(named: Sequence[tuple[Hashable, str]], answers: Sequence[Hashable]) -> tuple[Bar, ...]:
    counts = Counter(answers)
    return tuple(Bar(label, counts[name] / max(1, len(answers)), str(counts[name]), name) for name, label in named)


def _mean_weights(labels: Sequence[str], answers: Sequence[Any]) -> tuple[Bar, ...]:
    means = mean_row(answers) or (0.0,) * len(labels)
    return tuple(
        Bar(label, mean, f"{100 * mean:.0f}%", index)
        for index, (label, mean) in enumerate(zip(labels, means, strict=True))
    )


def _mean_places(labels: Sequence[str], answers: Sequence[Sequence[int]]) -> tuple[Bar, ...]:
    """Return a bar for each label, the one that the class puts first on top, and longest."""
    if not answers:
        return tuple(Bar(label, 0.0, "", index) for index, label in enumerate(labels))
    places = np.argsort(np.asarray(answers), axis=1).mean(axis=0) + 1  # of each label, from 1
    return tuple(
        Bar(labels[index], 1 - (places[index] - 1) / len(labels), f"place {places[index]:.1f}", int(index))
        for index in np.argsort(places, kind="stable")
    )


def _intervals(screen: Screen, answers: Sequence[float]) -> tuple[Bar, ...]:
    """Return a bar for each number that was answered, or for intervals if there are many numbers."""
    numbers = sorted(set(answers))
    if len(numbers) <= MOST_BARS:
        bounds = [(number, number) for number in numbers]
    else:  # the ends hold whatever is far away
        low, high = np.quantile(answers, [0.05, 0.95])
        inner = np.unique(np.linspace(low, high, MOST_BARS - 1)).tolist()
        bounds = list(pairwise([float("-inf"), *inner, float("inf")]))
    held = [_holds(bounds, number) for number in answers]
    named = [(bound, f"{_interval(*bound)} {screen.unit}".rstrip()) for bound in bounds]
    return _counted(named, held)


def _holds(bounds: Sequence[tuple[float, float]], number: float) -> tuple[float, float]:
    return next(bound for bound in bounds if bound[0] == number == bound[1] or bound[0] <= number < bound[1])


def _interval(low: float, high: float) -> str:
    if low == high:
        return f"{low:g}"
    if low == float("-inf"):
        return f"below {high:.3g}"
    return f"{low:.3g} or more" if high == float("inf") else f"{low:.3g} to {high:.3g}"


def _with_truth(screen: Screen, truth: Truth, group: int, bar: Bar) -> Bar:
    match screen.kind, bar.answer:
        case "row", int(index):
            model = float(truth.answer[index])
            return replace(bar, model=model, words=f"{bar.words}, model {100 * model:.0f}%")
        case "order", int(index):
            rank = truth.answer.index(index)
            words = f"{bar.words}, model {rank + 1}".removeprefix(", ")
            return replace(bar, model=1 - rank / len(truth.labels), words=words)
        case "number", (low, high):
            nearest = min(max(truth.answer, low), high)
            return replace(bar, right=abs(nearest - truth.answer) <= screen.tolerance + 1e-9)
        case "formula", name:
            return replace(bar, right=name == truth.answer[group])
    return replace(bar, right=bar.answer == truth.answer)
