"""The kept steps of a run, bounded by bytes; and how a run is trained to a step again."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from threading import RLock
from types import MappingProxyType

from torch import Tensor

from core.lab.recipe import Recipe, write_recipe
from core.lab.run import LabRun, RunState

RESUMABLE = 4  # states that a run keeps with the optimizer's moments, which are twice the weights


class KeptSteps:
    """The states of one run by step, bounded by the bytes that they take together.

    Weights are kept in float32, bit for bit. A few states also keep the optimizer's moments, and training can go on
    from these. If there are too many bytes, the state whose neighbours are closest together goes first; the first and
    the last state stay.

    most: the bytes that may be kept; the last state stays even if it has more.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._states: dict[int, RunState] = {}
        self._lock = RLock()

    def keep(self, state: RunState) -> None:
        """Keep a state, and let others go if there are too many bytes now."""
        with self._lock:
            self._states[state.step] = state
            self._thin(self.most)

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps whose weights are here, ascending."""
        with self._lock:
            return tuple(sorted(self._states))

    @property
    def resumable(self) -> tuple[int, ...]:
        """The steps from which training can go on, ascending."""
        with self._lock:
            return tuple(sorted(step for step, state in self._states.items() if state.resumable))

    @property
    def nbytes(self) -> int:
        """The bytes of all kept states."""
        with self._lock:
            return sum(state.nbytes for state in self._states.values())

    def weights(self, step: int) -> Mapping[str, Tensor] | None:
        """Return the weights at a step, which nobody may write to; None if they were let go."""
        with self._lock:
            state = self._states.get(step)
        return None if state is None else MappingProxyType(dict(state.weights))

    def before(self, step: int) -> RunState | None:
        """Return the last state at or before a step from which training can go on; None if there is none."""
        with self._lock:
            steps = [kept for kept in self.resumable if kept <= step]
            return self._states[steps[-1]] if steps else None

    def shrink(self, most: int) -> None:
        """Let states go until at most so many bytes are kept."""
        with self._lock:
            self._thin(most)

    def _thin(self, most: int) -> None:
        while len(resumable := self.resumable) > RESUMABLE:
            step = closest(resumable)
            self._states[step] = replace(self._states[step], moments={})
        while self.nbytes > most and len(steps := self.steps) > 1:
            if len(steps) == 2:
                del self._states[steps[0]]
            else:
                del self._states[closest(steps)]


class AllKeptSteps:
    """The kept steps of many runs, bounded by bytes for each and for all of them together.

    The run that was used least lately loses half of its bytes first, and is forgotten when one state is left.

    most: the bytes of all runs; most_each: those of one.
    """

    def __init__(self, most: int, most_each: int) -> None:
        self.most, self.most_each = most, most_each
        self._runs: OrderedDict[str, KeptSteps] = OrderedDict()
        self._lock = RLock()

    def of(self, owner: str, recipe: Recipe) -> KeptSteps:
        """Return the kept steps of a visitor's run, new ones if there are none.

        owner: the visitor, by a name that is unique for each.
        """
        key = f"{owner} {write_recipe(recipe)}"
        with self._lock:
            if key not in self._runs:
                self._runs[key] = KeptSteps(self.most_each)
            self._runs.move_to_end(key)
            return self._runs[key]

    def keep(self, owner: str, recipe: Recipe, state: RunState) -> None:
        """Keep a state of a visitor's run, and let others go if there are too many bytes now."""
        with self._lock:
            self.of(owner, recipe).keep(state)
            while self.nbytes > self.most and len(self._runs) > 1:
                key, oldest = next(iter(self._runs.items()))
                if len(oldest.steps) < 2:
                    del self._runs[key]
                else:
                    oldest.shrink(oldest.nbytes // 2)

    def forget(self, owner: str) -> None:
        """Let all runs of a visitor go."""
        with self._lock:
            for key in [key for key in self._runs if key.startswith(f"{owner} ")]:
                del self._runs[key]

    @property
    def nbytes(self) -> int:
        """The bytes of all runs."""
        with self._lock:
            return sum(kept.nbytes for kept in self._runs.values())


def retrain(recipe: Recipe, step: int, kept: KeptSteps | None = None) -> Iterator[LabRun]:
    """Train a run to a step again, and yield it at its start and after each step; the last time it is at the step.

    The weights are those of the first time, bit for bit on the same kind of processor.

    kept: states of this recipe to start from; None starts at step 0.

    Raises ValueError for a step that the recipe does not have, and `core.lab.run.Diverged`.
    """
    if not 0 <= step <= recipe.steps:
        raise ValueError(f"This run has steps 0 to {recipe.steps:,}; there is no step {step:,}.")
    run = LabRun(recipe)
    if kept is not None and (state := kept.before(step)) is not None:
        run.restore(state)
    yield run
    while run.steps < step:
        run.step()
        yield run


def closest(steps: tuple[int, ...]) -> int:
    """Return the step, neither the first nor the last, whose two neighbours are closest together; the latest of equals.

    steps: three or more, ascending.
    """
    gaps = [(later - earlier, -step) for earlier, step, later in zip(steps, steps[1:], steps[2:], strict=False)]
    return -min(gaps)[1]
