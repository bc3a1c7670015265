"""Time and memory of a real forward and backward pass of one layer, measured on this machine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.device import Placement
from core.memory import MIB, memory_limit
from core.model.layer_kinds import LAYER_KINDS, LayerSizes, layer_of_kind
from core.topics.layer_costs.analysis import PowerFit, crossing, fit_power, layer_operations
from core.topics.shared.labels import Labelled
from core.topics.shared.layer_timing import MIN_ROUNDS, time_layer
from core.topics.shared.timing import quartiles

GROWING_SIZES = ("n", "d")
SIZES = {"n": tuple(2**power for power in range(4, 12)), "d": tuple(2**power for power in range(4, 11))}
SLICE_SECONDS = 1.0  # seconds: the most that one layer at one size may take, because others wait meanwhile
FITTED = 4  # points: the largest sizes, at which fixed costs matter least
RIVALS = ("recurrent", "self-attention")  # the kinds with the same number of operations at n = d
QUARTILES = ("lower quartile", "median", "upper quartile")


@dataclass(frozen=True)
class TimingTask:
    """One kind of layer to be measured at one size.

    along: "n" or "d", the size that grows from task to task.
    """

    kind: str
    sizes: LayerSizes
    along: str

    @property
    def at(self) -> int:
        size: int = getattr(self.sizes, self.along)
        return size

    @property
    def operations(self) -> int:
        """The multiply-adds of one forward pass."""
        return sum(layer_operations(self.kind, self.sizes).values())


@dataclass(frozen=True)
class LayerTiming:
    """The measured cost of one layer at one size: seconds of each round and bytes of memory.

    at: the size, n or d.
    operations: multiply-adds of the forward half.
    spent: the seconds that the whole measurement took.
    """

    kind: str
    at: int
    operations: int
    rounds: tuple[float, ...]
    bytes: int
    spent: float

    @property
    def milliseconds(self) -> tuple[float, float, float]:
        """The lower quartile, median and upper quartile of the rounds in milliseconds."""
        return quartiles(self.rounds)


@dataclass(frozen=True, eq=False)
class MeasuredLayers:
    """All timings, in the order in which they were measured.

    along: whether n or d grew.
    """

    along: str
    timings: tuple[LayerTiming, ...]

    @property
    def of_kind(self) -> Mapping[str, list[LayerTiming]]:
        by_kind = {kind: [timing for timing in self.timings if timing.kind == kind] for kind in LAYER_KINDS}
        return {kind: timings for kind, timings in by_kind.items() if timings}

    @property
    def fits(self) -> Mapping[str, PowerFit | None]:
        """The power law by which the median time grows, over the FITTED largest sizes of each kind."""
        return self._fits(lambda timing: timing.milliseconds[1])

    @property
    def together(self) -> tuple[int, Mapping[str, list[float]]] | None:
        """The largest size at which all kinds were measured, and the quartiles of each; None if there is none."""
        kinds = self.of_kind
        shared = [
            timing.at for timing in self.timings if all(timing.at in _sizes(timings) for timings in kinds.values())
        ]
        if not shared:
            return None
        largest = max(shared)
        return largest, {timing.kind: list(timing.milliseconds) for timing in self.timings if timing.at == largest}

    @property
    def counted_fits(self) -> Mapping[str, PowerFit | None]:
        """The power law by which the operations grow, over the same sizes."""
        return self._fits(lambda timing: timing.operations)

    @property
    def largest(self) -> Mapping[str, tuple[int, int]]:
        """The largest size measured of each kind, and its bytes."""
        return {kind: (timings[-1].at, timings[-1].bytes) for kind, timings in self.of_kind.items()}

    @property
    def crossed(self) -> tuple[float | None, str] | None:
        """Where the median times of self-attention and of the recurrent layer cross.

        The first size at which they cross, None if they do not, and the kind that takes longer at the largest size of
        both. None if no size was measured for both.
        """
        medians = {
            kind: {timing.at: timing.milliseconds[1] for timing in timings} for kind, timings in self.of_kind.items()
        }
        recurrent_medians, attention_medians = (medians.get(kind, {}) for kind in RIVALS)
        if not (shared := sorted(recurrent_medians.keys() & attention_medians.keys())):
            return None
        first = crossing(
            shared, [recurrent_medians[size] for size in shared], [attention_medians[size] for size in shared]
        )
        return first, RIVALS[recurrent_medians[shared[-1]] < attention_medians[shared[-1]]]

    def _fits(self, number_of: Callable[[LayerTiming], float]) -> Mapping[str, PowerFit | None]:
        largest_of_kind = {kind: timings[-FITTED:] for kind, timings in self.of_kind.items()}
        return {
            kind: fit_power([timing.at for timing in largest], [number_of(timing) for timing in largest])
            for kind, largest in largest_of_kind.items()
        }

    @property
    def table(self) -> Labelled:
        """The T timings as a table (T, 5): three quartiles in milliseconds, the memory in MiB, the number of rounds."""
        timings = [timing for of_one_kind in self.of_kind.values() for timing in of_one_kind]
        numbers = [[*timing.milliseconds, timing.bytes / MIB, len(timing.rounds)] for timing in timings]
        rows = [f"{timing.kind}, {self.along} = {timing.at}" for timing in timings]
        columns = (*(f"milliseconds, {name}" for name in QUARTILES), "memory, MiB", "rounds")
        return Labelled(np.array(numbers).reshape(-1, 5), rows, columns)


def layer_tasks(kinds: Sequence[str], along: str, sizes: LayerSizes) -> tuple[TimingTask, ...]:
    """Return the measurements to make, the smallest size first.

    kinds: the kinds of layer to measure.
    along: "n" or "d", the size that varies.
    sizes: the values of the other sizes.
    """
    return tuple(
        TimingTask(kind, replace(sizes, **{along: size}), along)
        for size in SIZES[along]
        for kind in LAYER_KINDS
        if kind in kinds
    )


def in_reach(
    tasks: Sequence[TimingTask], seconds: float, timings: Sequence[LayerTiming]
) -> Iterator[tuple[TimingTask, float]]:
    """Yield the tasks that fit in `seconds` of measuring, each with its share of the seconds that are left.

    timings: the timings so far, which are not measured again; the caller adds to it between one task and the next.

    Each kind is measured at least once if its memory fits, because its time is not known before. After that its time
    is assumed to grow with the operations from its last measured size. A kind stops at the first task that would take
    longer than is left, or than SLICE_SECONDS, or more memory than a run may use.
    """
    ended, done = set[str](), {(timing.kind, timing.at) for timing in timings}
    for number, task in enumerate(tasks):
        if (task.kind, task.at) in done:
            continue
        left = max(0.0, seconds - sum(timing.spent for timing in timings))
        before = next((timing for timing in reversed(timings) if timing.kind == task.kind), None)
        if task.kind in ended or _expected(task, before) > min(left, SLICE_SECONDS) or _bytes(task) > memory_limit():
            ended.add(task.kind)
        else:
            yield task, min(SLICE_SECONDS, left / (len(tasks) - number))


def measure_layer(task: TimingTask, placement: Placement, seconds: float) -> LayerTiming:
    """Measure a forward and backward pass of one layer, within about `seconds`."""
    layer = layer_of_kind(task.kind, task.sizes)
    found = time_layer(layer, task.sizes.n, task.sizes.d, placement, seconds)
    return LayerTiming(task.kind, task.at, task.operations, found.rounds, found.bytes, found.spent)


def _sizes(timings: Sequence[LayerTiming]) -> set[int]:
    return {timing.at for timing in timings}


def _expected(task: TimingTask, before: LayerTiming | None) -> float:
    """Return the seconds that the least number of passes will take; 0 if this kind has not been measured."""
    if before is None:
        return 0.0
    return (MIN_ROUNDS + 1) * float(np.median(before.rounds)) * task.operations / before.operations


def _bytes(task: TimingTask) -> int:
    """Estimate the bytes of a pass in float32.

    They are some vectors for each token, some numbers for each pair, and the weights with their gradients.
    """
    n, d = task.sizes.n, task.sizes.d
    pairs = layer_operations(task.kind, task.sizes).get("scores", 0) // d
    weights = (task.operations - 2 * pairs * d) // n
    return 4 * (40 * n * d + 8 * pairs + 3 * weights)
