"""What the views of stacks share: their controls, a measurement for each seed, and the curves that come of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from core.charts.depth import depth_data, depth_spec
from core.explorer.depth.curves import WAYS, Curve
from core.explorer.depth.stacks import StackShape, StackText
from core.readings.depth import note_cut, read_limits
from pages.transformer.depth.settings import GAIN, LAYERS, SEED, SEEDS, WIDTH
from pages.widgets import Chart, Control, Values, control, spec

Measured = TypeVar("Measured")
DEEP = 12  # layers, from which on it is told how far the seeds are


def stack_controls() -> Iterator[Control]:
    yield control(LAYERS, width=260)
    yield control(SEEDS, "more")
    yield control(SEED, "more")
    yield control(WIDTH, "more")
    yield control(GAIN, "more")


def for_each_seed(values: Values, measure: Callable[[StackShape], Measured]) -> list[Measured]:
    """What is measured in a stack of each seed."""
    layers, count = values[LAYERS], values[SEEDS]
    found = []
    for number in range(count):
        if layers > DEEP:
            values.progress(number / count, f"Stack {number + 1} of {count}")
        found.append(measure(StackShape(int(values[WIDTH]), layers, values[SEED] + number, float(values[GAIN]))))
    return found


def depth_chart(
    key: str,
    name: str,
    curves: Sequence[Curve],
    words: tuple[str, str, str],
    log: bool,
    ways: tuple[str, ...] = WAYS,
    now: float | None = None,
) -> Chart:
    """words: the title, and what goes to the right and up. ways: those of the curves; now: where a rule stands."""
    groups = tuple(dict.fromkeys(curve.group for curve in curves))
    return Chart(depth_data(curves, now), spec(depth_spec, *words, groups, ways, log), key, name)


def cut_note(text: StackText) -> str | None:
    """That only the first tokens of the text are read."""
    return note_cut(text.ids.shape[1], text.cut)


def limits_note(curves: Sequence[Curve]) -> str | None:
    """Which of these norms float32 cannot hold."""
    over, under = ([curve.name for curve in curves if curve.leaves_float32[end]] for end in (0, 1))
    return read_limits(over, under, [curve.name for curve in curves if curve.is_undefined])
