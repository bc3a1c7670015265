"""Cached paths through layers, shared by all visitors, and measurements, made anew for each in the one queue."""

import time
from collections.abc import Sequence

from core.device import available, choose
from core.explorer.layer_costs import paths
from core.explorer.layer_costs.paths import Reach
from core.explorer.layer_costs.timing import LayerTiming, Task, in_reach, measure_layer
from pages.compute.cache import small_record
from pages.compute.calls import noted
from pages.compute.heavy_queue import exclusive, queued

AT_ONCE = 0.4  # seconds of measuring between two drawings


@small_record
def reach_of_layers(n: int, kernel: int, window: int, seed: int) -> tuple[Reach, ...]:
    return noted(queued(paths.reach_of_layers, n, kernel, window, seed), paths.reach_of_layers, n, kernel, window, seed)


def devices() -> tuple[str, ...]:
    """Return the devices on which layers can be measured on this machine."""
    return available()


def measured_on(
    tasks: Sequence[Task], device: str, seconds: float, done: Sequence[LayerTiming]
) -> tuple[tuple[LayerTiming, ...], bool]:
    """Measure more layers for about AT_ONCE seconds, and return all that are done and whether none is left.

    At least one layer is measured if its turn in the queue comes. If some are left, call again. Between two layers, the
    heavy work of others may run.

    seconds: the time that all layers together may take.
    done: the layers that were measured before.
    """
    placement, found, end = choose(device), list(done), time.monotonic() + AT_ONCE
    for task, part in in_reach(tasks, seconds, found):
        if (left := end - time.monotonic()) <= 0 and len(found) > len(done):
            return tuple(found), False
        with exclusive(max(0.0, left)) as came:
            if not came:
                return tuple(found), False
            found.append(measure_layer(task, placement, part))
    return tuple(found), True
