"""A run that is trained while somebody looks: what was measured of it, and the states from which it can go on."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import TypeVar

import numpy as np
from torch import Tensor

from core.lab.kept import KeptSteps, closest
from core.lab.measured import Measured, measure
from core.lab.recipe import Recipe
from core.lab.run import Diverged, LabRun
from core.lab.update import NextUpdate, WeightUpdate

MEASURED, FEWEST = 160, 20  # the most steps whose measurements are kept; fewer of a run with many or large patterns
PATTERN_BYTES = 4_000_000  # of all measurements of a run
KEPT_BYTES = 6_000_000  # of its states
ALL_BYTES = 120_000_000  # of all runs that visitors look at
SPACINGS = ((60, 5), (240, 10), (600, 25))  # up to so many steps, every so many are measured; later every WIDE
WIDE = 50
SMOOTH = 0.9  # how much of the last estimate of the speed stays after a step
PATIENCE = 10.0  # seconds after which a step that nobody has asked for again is no longer trained to
Examined = TypeVar("Examined")


def due(step: int) -> bool:
    """Return whether a step is one of those that are measured on the way: every 5 steps at first, later every 50."""
    return step % next((spacing for end, spacing in SPACINGS if step <= end), WIDE) == 0


class LiveRun:
    """One run for everybody who looks at its recipe. It trains in slices, and goes back to any step by training again.

    diverged: why the run cannot go on; None as long as it can.
    seconds: of one step, a running mean; 0 before the first.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.diverged: Diverged | None = None
        self.seconds = 0.0
        self._lock = RLock()
        self._kept = KeptSteps(KEPT_BYTES)
        self._measured: dict[int, Measured] = {}
        self._run = LabRun(recipe)
        self._coming: NextUpdate | None = None  # the update that was looked at last
        self._wanted: dict[int, float] = {}  # the steps that are trained to, and when each was last asked for
        self._look()

    @property
    def nbytes(self) -> int:
        """The bytes of the run: what it trains with, its kept states, its patterns, and the update looked at last."""
        weights = sum(value.nbytes for value in self._run.model.parameters())
        training = 7 * weights  # weights, gradients, two moments; and weights and moments before the last step
        patterns = sum(measured.patterns.nbytes for measured in self._measured.values())
        coming = self._coming
        return training + self._kept.nbytes + patterns + (0 if coming is None else training + coming.nbytes)

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps that were measured, ascending."""
        return tuple(sorted(self._measured))

    @property
    def last(self) -> int:
        """The last step that the run can have: that of its recipe, or the last good one if it diverged."""
        return self.recipe.steps if self.diverged is None else self.diverged.step - 1

    @property
    def reached(self) -> int:
        """The step at which the run is, which others may be training on or back."""
        return self._run.steps

    def nearest(self, step: int) -> Measured:
        """Return the measurements at the last measured step up to a step."""
        measured = self._measured
        return measured[max(known for known in measured if known <= step)]

    def history(self, step: int) -> tuple[Measured, ...]:
        """Return all measurements up to a step, by rising step."""
        return tuple(measured for number, measured in sorted(self._measured.items()) if number <= step)

    def weights(self, step: int) -> Mapping[str, Tensor] | None:
        """Return the weights at a step, which nobody may write to; None if the run is not there and has let them go."""
        with self._lock:
            return self._run.weights() if self._run.steps == step else self._kept.weights(step)

    def advance(self, target: int, keeps: bool = False) -> bool:
        """Take one step towards a step, measure if it is due, and return whether there is more to do.

        The run goes back to a kept state first if it is past the target. If others ask for an earlier step, the run is
        trained to that first: otherwise they would put it back for each other, and none would get there.

        keeps: whether the weights at the target are needed, and not its measurements alone.
        """
        with self._lock:
            target, now = min(target, self.last), time.monotonic()
            if target in self._measured and not (keeps and self.weights(target) is None):
                self._wanted.pop(target, None)
                return False
            self._wanted = {step: asked for step, asked in self._wanted.items() if now - asked < PATIENCE}
            self._wanted[target] = now
            self._approach(min(self._wanted))
            return True

    def _approach(self, target: int) -> None:
        """Take one step towards a step, and measure the run if this is due or the step is reached."""
        self._place(target)
        if self._run.steps < target:
            began = time.perf_counter()
            try:
                self._run.step()
            except Diverged as diverged:  # the run is at its last good step, which is measured next
                self.diverged = diverged.with_traceback(None)  # a traceback would hold the tensors of the step
                return
            self._time(time.perf_counter() - began)
        if self._run.steps == target or due(self._run.steps):
            self._look_or_end()
        if self._run.steps == target:
            self._wanted.pop(target, None)

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a parameter.

        Raises ValueError if there is no such parameter.
        """
        shapes = {known: tuple(value.shape) for known, value in self._run.model.named_parameters()}
        if name not in shapes:
            raise ValueError(f"There is no weight “{name}” in this model.")
        return shapes[name]

    def next_update(self, step: int, name: str, index: Sequence[int]) -> WeightUpdate:
        """Return the update of one weight that follows a step; the run is trained to it from the last kept state.

        Raises ValueError if there is no such weight, and `core.lab.run.Diverged`.
        """
        with self._lock:
            if self._coming is None or self._coming.step != step + 1:
                self._coming = NextUpdate(self._apart(step))
            return self._coming.weight(name, tuple(index))

    def examined(self, step: int, look: Callable[[LabRun], Examined]) -> Examined:
        """Return what a function finds in the run at a step; it may not change the run.

        Raises `core.lab.run.Diverged`.
        """
        with self._lock:
            if self._run.steps == step:
                return look(self._run)
            weights = self._kept.weights(step)
            run = self._apart(step) if weights is None else LabRun(self.recipe)
            if weights is not None:
                run.model.load_state_dict(dict(weights))
                run.steps = step
            return look(run)

    def _apart(self, step: int) -> LabRun:
        """Return another run at a step, trained from the last kept state before it."""
        run = LabRun(self.recipe)
        if (state := self._kept.before(step)) is not None:
            run.restore(state)
        run.train_to(step)
        return run

    def _place(self, target: int) -> None:
        """Put the run at the last kept state up to the target, if it is past the target or before that state."""
        state = self._kept.before(target)
        if self._run.steps > target or (state is not None and state.step > self._run.steps):
            self._run = LabRun(self.recipe)
            if state is not None:
                self._run.restore(state)

    def _look_or_end(self) -> None:
        """Measure the run where it is; if it cannot be measured, as with patterns of NaN, it ends before this step."""
        try:
            self._look()
        except ValueError:
            if not self._run.steps:
                raise
            self.diverged = Diverged(self._run.steps, "the pattern of a head")

    def _look(self) -> None:
        """Measure the run where it is, and keep its state; if there are too many measurements, let one go."""
        if self._run.steps not in self._measured:
            measured = dict(self._measured) | {self._run.steps: measure(self._run)}
            most = max(FEWEST, min(MEASURED, PATTERN_BYTES // measured[self._run.steps].patterns.nbytes))
            if len(measured) > most:
                del measured[_least_missed(sorted(measured), self._run.steps)]
            self._measured = measured
        self._kept.keep(self._run.state())

    def _time(self, seconds: float) -> None:
        self.seconds = SMOOTH * self.seconds + (1 - SMOOTH) * seconds if self.seconds else seconds


class LiveRuns:
    """The runs that visitors look at, one for each recipe, bounded by the bytes that they take together.

    If there are too many bytes, the run that was looked at longest ago is let go; its recipe trains it again.

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


def _least_missed(steps: Sequence[int], present: int) -> int:
    """Return the step whose measurements are let go: the one closest to its neighbours, before the present if possible.

    The first step, the present one and the one before it stay.
    """
    earlier = tuple(step for step in steps if step < present)
    return closest(earlier) if len(earlier) > 2 else closest(tuple(step for step in steps if step >= present))


def measured_at(recipe: Recipe, *steps: int) -> tuple[Measured, ...]:
    """Train a run from the start, and return what is measured of it at some steps, in rising order.

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
