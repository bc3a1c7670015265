"""Compares a learner's answer with the right one, and says how right it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from core.lessons.lesson import GAP, Screen
from core.topics.shared.truth import Truth

GOOD_OVERLAP = 0.6  # of a drawn row with the model's
MIN_ALIKE_OVERLAP = 0.005  # of a drawn row with the head that it is most like: less is 0% on screen, so of any head
MOST_LABELS = 512


@dataclass(frozen=True)
class Grade:
    """How right an answer is.

    share: from 0 to 1: of pairs in the right order, of gaps filled rightly, or the overlap of a drawn row with the
        model's; 0 or 1 for other kinds.
    alike: the name of the head whose row is most like a drawn row, and their overlap; None if none is like it.
    """

    right: bool
    share: float
    alike: tuple[str, float] | None = None


def checked_answer(screen: Screen, truth: Truth, answer: Any) -> Any:
    """Return an answer in the form that `Truth.answer` has.

    A drawn row may have any sum above 0; it is returned with the sum 1.

    Raises ValueError, with a sentence for the learner, if this is no answer to the question.
    """
    count = len(truth.labels)
    match screen.kind:
        case "choice" if isinstance(answer, str) and screen.option(answer):
            return answer
        case "token" if _is_index(answer, count):
            return answer
        case "cell" if _are_indices(answer, 2) and answer[0] < len(truth.rows) and answer[1] < count:
            return tuple(answer)
        case "row" if isinstance(answer, list | tuple) and len(answer) == count and all(map(_is_weight, answer)):
            if (total := math.fsum(answer)) > 0:
                return tuple(weight / total for weight in answer)
            raise ValueError("Give at least one token some weight.")
        case "order" if _are_indices(answer, count) and sorted(answer) == list(range(count)):
            return tuple(answer)
        case "number" if isinstance(answer, int | float) and not isinstance(answer, bool) and math.isfinite(answer):
            return float(answer)
        case "formula" if isinstance(answer, list | tuple) and len(answer) == screen.formula.count(GAP):
            if all(isinstance(name, str) and screen.option(name) for name in answer):
                return tuple(answer)
    raise ValueError("This is no answer to the question.")


def grade(screen: Screen, truth: Truth, answer: Any) -> Grade:
    """Return how right an answer is.

    answer: as `checked_answer` returns it.
    """
    match screen.kind:
        case "row":
            return _grade_row(truth, answer)
        case "number":
            right = abs(answer - truth.answer) <= screen.tolerance + 1e-9
            return Grade(right, float(right))
        case "order":
            ranks = {index: rank for rank, index in enumerate(truth.answer)}
            pairs = [ranks[first] < ranks[second] for first, second in combinations(answer, 2)]
            share = sum(pairs) / len(pairs) if pairs else 1.0
            return Grade(share == 1, share)
        case "formula":
            filled = [given == right for given, right in zip(answer, truth.answer, strict=True)]
            return Grade(all(filled), sum(filled) / len(filled))
    right = answer == truth.answer
    return Grade(right, float(right))


def overlap(first: Sequence[float] | np.ndarray, second: Sequence[float] | np.ndarray) -> float:
    """Return the weight that two rows (K,) have in common: 1 if they are the same, 0 if they share no key."""
    return float(np.minimum(np.asarray(first), np.asarray(second)).sum())


def _grade_row(truth: Truth, answer: Sequence[float]) -> Grade:
    share = overlap(answer, truth.answer)
    shares = {name: overlap(answer, row) for name, row in truth.alternatives.items()}
    best = max(shares, key=shares.__getitem__, default=None)
    alike = None if best is None or shares[best] < MIN_ALIKE_OVERLAP else (best, shares[best])
    return Grade(share >= GOOD_OVERLAP, share, alike)


def _is_index(value: Any, count: int) -> bool:
    return type(value) is int and 0 <= value < count


def _are_indices(values: Any, count: int) -> bool:
    fits = isinstance(values, list | tuple) and len(values) == count
    return fits and all(_is_index(value, MOST_LABELS) for value in values)


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6
