"""What a wrong answer comes near to: the slip that is recognised in it, said from the same truth."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from core.lessons.grading import GOOD_OVERLAP, overlap
from core.lessons.lesson import Screen
from core.text.labels import ORDINALS, bare
from core.topics.shared.truth import Truth

Quote = Callable[[str], str]
Fill = Callable[[str], str]

MIN_HIDDEN_SHARE = 0.05  # of a drawn row: less is no more than an inexact stroke
MAX_EVEN_RATIO = 1.5  # of the largest weight of a drawn row and the mean one: below, the row counts as even
MAX_ROUNDING = 0.5  # of a number that comes from a slip, however inexact the right answer may be
PERCENT = 100


def read_slip(screen: Screen, truth: Truth, answer: Any, fill: Fill, quoted: Quote = str) -> str:
    """Return a sentence about the slip behind a wrong answer; "" for a right one, and if no slip is recognised.

    Choices have none: their options say themselves why they are wrong.

    answer: as `core.lessons.grading.checked_answer` returns it.
    fill: puts the truth's facts into a sentence of the lesson.
    quoted: makes a word of the learner's text safe where the sentence is shown.
    """
    match screen.kind:
        case "cell" if answer != truth.answer:
            return _of_cell(truth, answer, quoted)
        case "token" if answer != truth.answer:
            return _of_token(truth, answer, quoted)
        case "order" if answer != truth.answer:
            return _of_order(truth, answer, quoted)
        case "row" if overlap(answer, truth.answer) < GOOD_OVERLAP:
            return _of_row(truth, answer, quoted)
        case "number" if abs(answer - truth.answer) > screen.tolerance + 1e-9:
            return _of_number(screen, truth, answer, fill)
        case "formula" if answer != truth.answer:
            return _of_formula(screen, truth, answer, fill)
    return ""


def _of_cell(truth: Truth, answer: tuple[int, int], quoted: Quote) -> str:
    (row, column), (right_row, right_column) = answer, truth.answer
    looking, looked_at = quoted(truth.rows[row]), quoted(truth.labels[column])
    if (row, column) == (right_column, right_row):
        return f"Row and column are swapped: your cell says how much “{looking}” looks at “{looked_at}”."
    if row == right_row:
        return f"The row is right. The column is the token that is looked at, and “{looked_at}” is another one."
    if column == right_column:
        return f"The column is right. The row is the token that looks, and “{looking}” is another one."
    if abs(row - right_row) == abs(column - right_column) == 1:
        return "That is one row and one column off. The numbers of the tokens begin at 0."
    return f"Your cell says how much “{looking}” looks at “{looked_at}”."


def _of_token(truth: Truth, answer: int, quoted: Quote) -> str:
    chosen = quoted(truth.labels[answer])
    same_word = ""
    if bare(truth.labels[answer]) == bare(truth.labels[truth.answer]):
        same_word = " It reads the same, but stands in another place."
    if not truth.sizes:
        return same_word.strip()
    if not truth.sizes[answer]:  # such as a token that comes after the one that looks: it has no rank
        return f"The model's number for “{chosen}” is exactly 0.{same_word}"
    rank = sum(size > truth.sizes[answer] for size in truth.sizes)
    place = ORDINALS[rank] if rank < len(ORDINALS) else f"number {rank + 1}"
    return f"By the model's numbers, “{chosen}” comes {place} of {len(truth.labels)}.{same_word}"


def _of_order(truth: Truth, answer: Sequence[int], quoted: Quote) -> str:
    right, count = tuple(truth.answer), len(answer)
    if tuple(answer) == right[::-1]:
        return "The order is turned round: what you put last comes first."
    off = [place for place in range(count) if answer[place] != right[place]]
    if len(off) == 2:
        one, other = (quoted(truth.labels[answer[place]]) for place in off)
        return f"Only “{one}” and “{other}” have changed places."
    for label in answer:
        if [each for each in answer if each != label] == [each for each in right if each != label]:
            place = right.index(label) + 1
            return f"Only “{quoted(truth.labels[label])}” is in a wrong place: it is number {place} of {count}."
    return ""


def _of_row(truth: Truth, answer: Sequence[float], quoted: Quote) -> str:
    drawn, right = np.asarray(answer), np.asarray(truth.answer)
    best, right_best = int(drawn.argmax()), int(right.argmax())
    hidden = float(drawn[right == 0].sum())
    if hidden > MIN_HIDDEN_SHARE:
        return f"{hidden:.0%} of what you drew is on tokens to which the model gives exactly 0."
    if best == right_best:
        return f"You found the token that gets the largest weight, “{quoted(truth.labels[best])}”."
    if drawn.max() < MAX_EVEN_RATIO / np.count_nonzero(right):
        return "You shared it out nearly evenly."
    if abs(best - right_best) == 1:
        return "Your largest weight is on the token beside the one that gets most."
    return ""


def _of_number(screen: Screen, truth: Truth, answer: float, fill: Fill) -> str:
    if screen.unit == "%" and math.isclose(PERCENT * answer, truth.answer, rel_tol=0.1):
        return "That is the share of 1. In percent it is a hundred times as much."
    far = {slip: abs(answer - _number(fill(slip.value))) for slip in screen.slips}
    nearest = min(far, key=far.__getitem__, default=None)
    if nearest and far[nearest] <= max(min(screen.tolerance, MAX_ROUNDING), 1e-9 + 0.005 * abs(answer)):
        return fill(nearest.because)
    if screen.unit and not screen.tolerance and abs(answer - truth.answer) == 1:
        return "That is one too many." if answer > truth.answer else "That is one too few."
    return ""


def _number(written: str) -> float:
    """Return a number that may be written with a sign of its own, in percent, and with commas between thousands."""
    return float(written.removesuffix("%").replace("−", "-").replace(",", ""))


def _of_formula(screen: Screen, truth: Truth, answer: Sequence[str], fill: Fill) -> str:
    wrong = [gap for gap, (given, right) in enumerate(zip(answer, truth.answer, strict=True)) if given != right]
    if len(wrong) == 2 and [answer[gap] for gap in wrong] == [truth.answer[gap] for gap in reversed(wrong)]:
        one, other = (option.text for gap in wrong if (option := screen.option(answer[gap])))
        return f"{one} and {other} have changed places."
    reasons = dict.fromkeys(option.because for gap in wrong if (option := screen.option(answer[gap])))
    return " ".join(fill(reason) for reason in reasons if reason)
