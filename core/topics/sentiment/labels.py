"""Measured accuracy against the number of labelled sentences, with and without pre-training."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.proportions import difference_by_chance
from core.checkpoints.measured import rebuild_measured
from core.text.broken_file import BrokenFile
from core.topics.shared.labels import Labelled

ARMS = {"pretrained": "with pre-training", "fresh": "without"}
DEV_SENTENCES = 872


@dataclass(frozen=True, eq=False)
class LabelCurve:
    """A classifier's accuracy against the number of labelled sentences, with and without pre-training.

    sizes (S,): numbers of labelled sentences.
    accuracy (2, S, R): for each of `ARMS`, the percentage of dev sentences judged right, over R seeds.
    base: the model that was pre-trained.
    command: the command that measures it.
    """

    sizes: tuple[int, ...]
    accuracy: np.ndarray
    base: str
    command: str

    @property
    def gain(self) -> np.ndarray:
        """The percentage points that pre-training adds, averaged over the seeds, (S,)."""
        with_it, without = self.accuracy.mean(-1)
        return with_it - without

    @property
    def chance(self) -> np.ndarray:
        """The percentage points of the gain that may come from the choice of the dev sentences alone, (S,)."""
        means = self.accuracy.mean(-1).T.tolist()
        return np.array([100 * difference_by_chance(a / 100, b / 100, DEV_SENTENCES) for a, b in means])

    @property
    def gain_table(self) -> Labelled:
        """The gain and the part of it that may be chance, (2, S)."""
        sizes = [str(size) for size in self.sizes]
        return Labelled(np.stack([self.gain, self.chance]), ("gained by pre-training", "may be chance"), sizes)


def label_curve(measured: Mapping[str, Any]) -> LabelCurve:
    """Return the curve in a file of ``python -m core.training labels``.

    Raises BrokenFile if the file is damaged.
    """
    try:
        sizes = tuple(int(size) for size in measured["sizes"])
        accuracy = np.array([measured["accuracy"][arm] for arm in ARMS], np.float64)
        base, command = str(measured["base"]), str(measured["command"])
    except (KeyError, TypeError, ValueError) as error:
        raise _broken("does not hold what it should") from error
    if accuracy.ndim != 3 or accuracy.shape[:2] != (len(ARMS), len(sizes)) or not accuracy.size:
        raise _broken("does not hold a number for each size and seed")
    if not ((accuracy >= 0) & (accuracy <= 100)).all():
        raise _broken("holds numbers that are no percentages")
    return LabelCurve(sizes, accuracy, base, command)


def _broken(why: str) -> BrokenFile:
    return BrokenFile(f"The file labels.json {why}.", rebuild_measured("labels"))
