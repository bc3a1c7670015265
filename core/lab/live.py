"""Share one run among all who look at its recipe: it trains forward, and keeps some of its steps."""

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import RLock

import numpy as np
from torch import Tensor

from core.lab.kept import RESUMABLE, kept_schedule
from core.lab.measured import Measured, measure
from core.lab.recipe import Recipe
from core.lab.run import Diverged, LabRun, RunState
from core.lab.update import NextUpdate, WeightUpdate
from core.model.tap import Check

ALL_BYTES = 120_000_000  # of all runs that visitors look at
SMOOTHING = 0.9  # the weight of the estimate so far in the running mean of a step's seconds
STEP_SECONDS = 0.01  # the estimate for a run that has taken no step yet


class LiveRun:
    """A run that everybody who looks at its recipe shares. It only trains forward.

    It keeps its weights and its measurements at the steps of its schedule. Any other step is trained again, in a run of
    its own, from the last state kept before it.

    schedule: the steps that are kept when the run has come to them, ascending.
    diverged: why the run cannot continue; None as long as it can. Its last good step is kept too.
    seconds: the running mean of a step's seconds; 0 before the first step.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.schedule = kept_schedule(recipe)
        self.diverged: Diverged | None = None
        self.seconds = 0.0
        self._lock = RLock()
        self._states: dict[int, RunState] = {}
        self._measured: dict[int, Measured] = {}
        self._kept_bytes = 0
        self._run = LabRun(recipe)
        self._update: NextUpdate | None = None  # the one that was looked at last
        self._keep()

    @property
    def nbytes(self) -> int:
        """The bytes of the run: its weights, gradients and moments, its kept steps, and the update shown last."""
        training = 4 * sum(value.nbytes for value in self._run.model.parameters())  # with gradients and two moments
        update = self._update
        return training + self._kept_bytes + (0 if update is None else training + update.nbytes)

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps that are kept so far, ascending."""
        return tuple(self._measured)

    @property
    def stops(self) -> tuple[int, ...]:
        """The steps that are kept once the run has come to them, ascending."""
        return (*(step for step in self.schedule if step < self.last), self.last)

    @property
    def last(self) -> int:
        """The last step that the run can have: that of its recipe, or the last good one if it diverged."""
        return self.recipe.steps if self.diverged is None else self.diverged.last

    @property
    def reached(self) -> int:
        """The number of steps that the run has taken."""
        return min(self._run.steps, self.last)

    def stop_before(self, step: int) -> int:
        """Return the last stop at or before a step."""
        return max(stop for stop in self.stops if stop <= step)

    def nearest(self, step: int) -> Measured:
        """Return the measurements at the last kept step at or before a step."""
        return self.history(step)[-1]

    def history(self, step: int) -> tuple[Measured, ...]:
        """Return the measurements at all kept steps up to a step, ascending."""
        return tuple(measured for kept, measured in self._measured.items() if kept <= step)

    def advance(self, target: int) -> bool:
        """Take one step if the run has not come to a step yet; return whether it still has not."""
        with self._lock:
            if self._run.steps < min(target, self.last):
                self._step()
            return self._run.steps < min(target, self.last)

    def weights(self, step: int, check: Check | None = None) -> Mapping[str, Tensor]:
        """Return the weights at a step, which nobody may write to; a step that is not kept is trained again.

        check: called before each step of a training; it may cancel by raising an exception.

        Raises ValueError if the run does not come to that step because it diverges.
        """
        kept = self._states.get(step)
        return self.copy_at(step, check).weights() if kept is None else kept.weights

    def copy_at(self, step: int, check: Check | None = None) -> LabRun:
        """Return a run of its own at a step, which is trained from the last state kept before it.

        check and errors: as in `weights`.
        """
        if step > self.last:
            raise ValueError(str(self.diverged))
        run = LabRun(self.recipe)
        with self._lock:
            run.restore(self._run.state() if self._run.steps <= step else self._resumable(step))
        try:
            run.train_to(step, check)
        except Diverged as diverged:
            raise ValueError(str(diverged)) from diverged
        return run

    def seconds_to(self, step: int) -> float:
        """Estimate the seconds until the weights at a step are there: 0 if they are kept, or cannot be."""
        if step in self._states or step > self.last:
            return 0.0
        start = self._resumable(step).step if step < self.reached else self.reached
        return (step - start) * (self.seconds or STEP_SECONDS)

    def next_update(self, step: int, name: str, index: Sequence[int]) -> WeightUpdate:
        """Return the update of one weight that follows a step.

        Raises ValueError if there is no such weight, or if the run does not come to that step.
        """
        update = self._update
        if update is None or update.step != step + 1:
            update = self._update = NextUpdate(self.copy_at(step))
        return update.weight(name, tuple(index))

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a parameter.

        Raises ValueError if there is no such parameter.
        """
        shapes = {known: tuple(value.shape) for known, value in self._run.model.named_parameters()}
        if name not in shapes:
            raise ValueError(f"There is no weight “{name}” in this model.")
        return shapes[name]

    def _resumable(self, step: int) -> RunState:
        """Return the last kept state at or before a step from which training can continue."""
        return next(state for kept, state in reversed(self._states.items()) if kept <= step and state.resumable)

    def _step(self) -> None:
        """Take one step, and keep it if the schedule says so, or if the run ends here because the step fails."""
        began = time.perf_counter()
        try:
            self._run.step()
        except Diverged as diverged:
            self.diverged = diverged.with_traceback(None)  # a traceback would hold the tensors of the step
            self._keep()
            return
        seconds = time.perf_counter() - began
        self.seconds = SMOOTHING * self.seconds + (1 - SMOOTHING) * seconds if self.seconds else seconds
        if self._run.steps in self.schedule:
            self._keep()

    def _keep(self) -> None:
        """Measure the run, and keep its state; if it cannot be measured, it ends at the last kept step."""
        step = self._run.steps
        if step in self._measured:
            return
        try:
            measured = measure(self._run)
        except ValueError:  # a pattern that is no number
            if not step:
                raise
            self.diverged = Diverged(step, "the pattern of a head", self.steps[-1])
            return
        state = self._run.state()
        if step not in self.schedule[::RESUMABLE]:
            state = replace(state, moments={})
        self._kept_bytes += state.nbytes + measured.patterns.nbytes
        self._states, self._measured = {**self._states, step: state}, {**self._measured, step: measured}


class LiveRuns:
    """The runs that visitors look at, one for each recipe, bounded by the bytes that they take together.

    If they take too many bytes, the least recently used run is dropped; its recipe trains it again.

    most: the bytes that the runs may take; the last one stays even if it takes more.
    """

    def __init__(self, most: int = ALL_BYTES) -> None:
        self.most = most
        self._runs: OrderedDict[Recipe, LiveRun] = OrderedDict()
        self._lock = RLock()

    def run(self, recipe: Recipe) -> LiveRun:
        """Return the run of a recipe: one object for everybody who looks at it."""
        with self._lock:
            if recipe not in self._runs:
                self._runs[recipe] = LiveRun(recipe)
            self._runs.move_to_end(recipe)
            while len(self._runs) > 1 and sum(run.nbytes for run in self._runs.values()) > self.most:
                self._runs.popitem(last=False)
            return self._runs[recipe]


def measured_at(recipe: Recipe, *steps: int) -> tuple[Measured, ...]:
    """Train a run from the start, and return its measurements at some steps, ascending.

    Raises `core.lab.run.Diverged`.
    """
    run, measurements = LabRun(recipe), []
    for step in sorted(set(steps)):
        run.train_to(step)
        measurements.append(measure(run))
    return tuple(measurements)


def update_after(recipe: Recipe, step: int, name: str, *index: int) -> WeightUpdate:
    """Return the update of one weight that follows a step of a run, which is trained from the start.

    Raises ValueError if there is no such weight, and `core.lab.run.Diverged`.
    """
    return NextUpdate(trained_to(recipe, step)).weight(name, index)


def trained_to(recipe: Recipe, step: int) -> LabRun:
    """Return a run that was trained from the start to a step.

    Raises `core.lab.run.Diverged`.
    """
    run = LabRun(recipe)
    run.train_to(step)
    return run


def shades(patterns: np.ndarray) -> np.ndarray:
    """Return patterns as bytes, 255 for a weight of 1; a weight that is no number is 0."""
    return np.round(255 * np.clip(np.nan_to_num(patterns), 0, 1)).astype(np.uint8)
