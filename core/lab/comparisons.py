"""Compare recorded runs: which of them are shown together, and which numbers are drawn for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.lab.findings import Finding, best_head, waves_of
from core.lab.fourier import Spectrum
from core.lab.measured import longer_rows, probe_patterns, share_right
from core.lab.recipe import read_recipe
from core.lab.recorded import kept_steps, recorded_run
from core.lab.recordings import RECORDINGS


@dataclass(frozen=True)
class Comparison:
    """One recorded run, or two that differ in one or two settings.

    runs: their names.
    labels: their names in charts and sentences.
    opens: the step that is shown first.
    """

    runs: tuple[str, ...]
    labels: tuple[str, ...]
    opens: int

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps at which at least one of the runs keeps its weights, ascending."""
        lengths = [read_recipe(RECORDINGS[name].recipe).steps for name in self.runs]
        return tuple(sorted({step for length in lengths for step in kept_steps(length)}))


LAYERS, SEGMENTS, MODULAR, DIGITS = (
    "1 layer or 2",
    "fixed or random segments",
    "memorise, then understand",
    "digit by digit",
)
COMPARISONS: Mapping[str, Comparison] = MappingProxyType(
    {
        LAYERS: Comparison(("induction-1-layer", "induction-2-layers"), ("1 layer", "2 layers"), 3000),
        SEGMENTS: Comparison(("induction-fixed", "induction-2-layers"), ("fixed segments", "random segments"), 3000),
        MODULAR: Comparison(("modular",), ("addition modulo 59",), 4800),
        DIGITS: Comparison(("add", "add-reversed"), ("first digit first", "last digit first"), 877),
    }
)


@dataclass(frozen=True, eq=False)
class Curves:
    """The measurements of a recorded run at S steps, ascending.

    exact, held_out_exact (S,): the share of right answers, on rows of training and on held-out rows.
    loss, held_out_loss (S,): the mean loss on the same rows, in nats.
    right, longer_right (S,): the share of right tokens, in held-out rows, and in rows longer than any of training; NaN
        if there are no longer ones.
    by_place (S, P): the share of right tokens at each place of an answer, in held-out rows.
    induction (S,): the highest score of a head as an induction head.
    """

    steps: np.ndarray
    loss: np.ndarray
    exact: np.ndarray
    held_out_loss: np.ndarray
    held_out_exact: np.ndarray
    right: np.ndarray
    longer_right: np.ndarray
    by_place: np.ndarray
    induction: np.ndarray

    def place(self, step: int) -> int:
        """Return the index of a measured step in the arrays.

        Raises ValueError if the step was not measured.
        """
        if step not in self.steps:
            raise ValueError(f"Step {step:,} was not measured.")
        return int(np.searchsorted(self.steps, step))


def recorded_curves(name: str) -> Curves:
    """Return the measurements of a recorded run as arrays."""
    run = recorded_run(name)
    task, longer = run.recipe.of, longer_rows(run.recipe.of)
    numbers = {
        key: np.array([entry[key] for entry in run.history], dtype=float)
        for key in ("loss", "exact", "held_out_loss", "held_out_exact", "by_place", "longer_by_place")
    }
    longer_by_place = numbers.pop("longer_by_place")
    return Curves(
        steps=np.array([entry["step"] for entry in run.history]),
        right=share_right(numbers["by_place"], task.held_out_rows()),
        longer_right=np.full(len(run.history), np.nan) if longer is None else share_right(longer_by_place, longer),
        induction=np.array([best_head(entry, "induction")[2] for entry in run.history]),
        **numbers,
    )


@dataclass(frozen=True, eq=False)
class ScoresAlong:
    """One named score of all heads of a recorded run at its S measured steps, ascending.

    title: the run's title.
    steps (S,): the steps.
    scores (S, layers, heads): from 0 to 1; NaN where the task has no row for the score.
    """

    title: str
    steps: np.ndarray
    scores: np.ndarray

    @property
    def learned_most(self) -> tuple[int, int]:
        """The layer and the head, counted from 0, whose score grew most from the first step to the last."""
        grown = np.nan_to_num(self.scores[-1] - self.scores[0], nan=-1.0)
        layer, head = np.unravel_index(grown.argmax(), grown.shape)
        return int(layer), int(head)


def recorded_scores(name: str, score: str) -> ScoresAlong:
    """Return a score of `core.lab.head_scores.SCORES` of all heads of a recorded run, over its steps."""
    run = recorded_run(name)
    scores = np.array([entry["scores"][score] for entry in run.history], dtype=float)
    return ScoresAlong(run.card.title, np.array([entry["step"] for entry in run.history]), scores)


def recorded_patterns(name: str, step: int) -> np.ndarray:
    """Return the patterns (layers, heads, Q, K) of all heads of a recorded run on its task's probe, at a kept step.

    Raises ValueError if the step is not kept.
    """
    run = recorded_run(name)
    return probe_patterns(run.model(step), run.recipe.of)


def recorded_waves(name: str, step: int) -> Spectrum:
    """Return how much of the numbers' embeddings each frequency explains, in a recorded run that adds modulo p.

    Raises ValueError if the step is not kept.
    """
    return waves_of(recorded_run(name).model(step))


def recorded_findings(name: str) -> tuple[Finding, ...]:
    """Return the findings in a recorded run, each with its step."""
    return recorded_run(name).seen
