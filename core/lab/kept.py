"""The kept steps of a run, bounded by the bytes that they take."""

from collections.abc import Mapping
from dataclasses import replace
from threading import RLock
from types import MappingProxyType

from torch import Tensor

from core.lab.run import RunState

RESUMABLE = 4  # states that a run keeps with the optimizer's moments, which are twice the weights


class KeptSteps:
    """The states of one run by step, bounded by the bytes that they take together.

    Weights are kept in float32, bit for bit. A few states also keep the optimizer's moments, and training can go on
    from these. If there are too many bytes, the state whose neighbours are closest together goes first, and the first
    state as the last but one.

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
            self._thin()

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

    def _thin(self) -> None:
        while len(resumable := self.resumable) > RESUMABLE:
            step = closest(resumable)
            self._states[step] = replace(self._states[step], moments={})
        while self.nbytes > self.most and len(steps := self.steps) > 1:
            del self._states[closest(steps) if len(steps) > 2 else steps[0]]


def closest(steps: tuple[int, ...]) -> int:
    """Return the step, neither the first nor the last, whose two neighbours are closest together; the latest of equals.

    steps: three or more, ascending.
    """
    gaps = [(later - earlier, -step) for earlier, step, later in zip(steps, steps[1:], steps[2:], strict=False)]
    return -min(gaps)[1]
