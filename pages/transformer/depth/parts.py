"""Parts shared by the views of stacks: their controls, a measurement for each seed, and charts of curves."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from core.topics.depth.charts.by_depth import depth_data, depth_spec
from core.topics.depth.curves import WAYS, Curve
from core.topics.depth.readings.signal import note_cut, read_limits
from core.topics.depth.stacks import StackShape, StackText
from pages.transformer.depth.settings import GAIN, LAYERS, SEED, SEEDS, WIDTH
from pages.widgets import Chart, Control, Values, control, spec

Measured = TypeVar("Measured")
DEEP_LAYERS = 12  # layers: deeper stacks report their progress, seed by seed


def stack_controls() -> Iterator[Control]:
    yield control(LAYERS, width=260)
    yield control(SEEDS, "more")
    yield control(SEED, "more")
    yield control(WIDTH, "more")
    yield control(GAIN, "more")


def for_each_seed(values: Values, measure: Callable[[StackShape], Measured]) -> list[Measured]:
    """Return the measurement of a stack for each seed."""
    layers, count = values[LAYERS], values[SEEDS]
    measurements = []
    for number in range(count):
        if layers > DEEP_LAYERS:
            values.progress(number / count, f"Stack {number + 1} of {count}")
        measurements.append(measure(StackShape(int(values[WIDTH]), layers, values[SEED] + number, float(values[GAIN]))))
    return measurements


def depth_chart(
    key: str,
    name: str,
    curves: Sequence[Curve],
    words: tuple[str, str, str],
    log: bool,
    ways: tuple[str, ...] = WAYS,
    rule: float | None = None,
) -> Chart:
    """Return a chart of curves.

    words: the title, and the names of the horizontal and the vertical axis.
    log: whether the vertical axis is logarithmic.
    ways: the ways that a curve can have.
    rule: the place on the horizontal axis where a rule is drawn; None for no rule.
    """
    groups = tuple(dict.fromkeys(curve.group for curve in curves))
    return Chart(depth_data(curves, rule), spec(depth_spec, *words, groups, ways, log), key, name)


def cut_note(text: StackText) -> str | None:
    """Return a note that only the first tokens of the text are read; None if all are."""
    return note_cut(text.ids.shape[1], text.cut)


def limits_note(curves: Sequence[Curve]) -> str | None:
    """Return a note on the curves whose norms float32 cannot hold, or None."""
    over, under = ([curve.name for curve in curves if curve.leaves_float32[end]] for end in (0, 1))
    return read_limits(over, under, [curve.name for curve in curves if curve.is_undefined])
