"""Paths through layers, kept for all visitors; and measuring, which is done anew for everybody, in the one queue."""

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
    """Where layers can be measured on this machine."""
    return available()


def measured_on(
    tasks: Sequence[Task], device: str, seconds: float, done: Sequence[LayerTiming]
) -> tuple[tuple[LayerTiming, ...], bool]:
    """What is done and as much more as `AT_ONCE` allows, one at least, and whether that is all: if not, ask again.

    seconds: what all of it may take. Between two layers comes the heavy work of others.
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
