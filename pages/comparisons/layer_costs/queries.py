"""Paths through layers, kept for all visitors; and measuring, which is done anew for everybody, in the one queue."""

from collections.abc import Callable, Sequence

from core.device import available, choose
from core.explorer.layer_costs import paths
from core.explorer.layer_costs.paths import Reach
from core.explorer.layer_costs.timing import LayerTiming, Task, in_reach, measure_layer
from pages.queries.models import queued, small_record, turn

PATIENCE = 8.0  # seconds


@small_record
def reach_of_layers(n: int, kernel: int, window: int, seed: int) -> tuple[Reach, ...]:
    return queued(paths.reach_of_layers, n, kernel, window, seed)


def devices() -> tuple[str, ...]:
    """Where layers can be measured on this machine."""
    return available()


def measured_layers(
    tasks: Sequence[Task], device: str, seconds: float, report: Callable[[LayerTiming], None]
) -> tuple[LayerTiming, ...]:
    """As many of the tasks as fit in so many seconds. Between two of them comes the heavy work of others.

    ValueError where others keep the machine for longer than `PATIENCE`.
    """
    placement, found = choose(device), list[LayerTiming]()
    for task, part in in_reach(tasks, seconds, found):
        with turn(PATIENCE) as came:
            if not came:
                raise ValueError("Others are using this machine: try again in a few seconds.")
            found.append(measure_layer(task, placement, part))
        report(found[-1])
    return tuple(found)
