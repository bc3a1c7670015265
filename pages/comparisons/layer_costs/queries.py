"""Cached paths through layers, shared by all visitors, and measurements, made anew for each in the one queue."""

from collections.abc import Iterator, Sequence

from core.device import available, choose
from core.topics.layer_costs import paths
from core.topics.layer_costs.paths import Reach
from core.topics.layer_costs.timing import LayerTiming, TimingTask, in_reach, measure_layer
from pages.compute.cache import small_record
from pages.compute.calls import noted
from pages.compute.heavy_queue import queued


@small_record
def reach_of_layers(n: int, kernel: int, window: int, seed: int) -> tuple[Reach, ...]:
    return noted(queued(paths.reach_of_layers, n, kernel, window, seed), paths.reach_of_layers, n, kernel, window, seed)


def devices() -> tuple[str, ...]:
    """Return the devices on which layers can be measured on this machine."""
    return available()


def measured_layers(
    tasks: Sequence[TimingTask], device: str, seconds: float, before: tuple[LayerTiming, ...] | None
) -> Iterator[tuple[LayerTiming, ...]]:
    """Measure the layers that fit in `seconds`, and yield all results so far after each.

    before: the layers that were measured before.
    """
    placement, timings = choose(device), list(before or ())
    for task, part in in_reach(tasks, seconds, timings):
        timings.append(measure_layer(task, placement, part))
        yield tuple(timings)
