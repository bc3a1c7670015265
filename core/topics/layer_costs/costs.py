"""Table 1 of Vaswani et al. 2017 for any sizes: operations, sequential steps and longest path as n grows."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.model.layer_kinds import LAYER_KINDS, LayerSizes
from core.topics.layer_costs.analysis import layer_operations, longest_path, sequential_steps, table_operations
from core.topics.shared.labels import Labelled

__all__ = ["COUNTS", "LAYER_KINDS", "LENGTHS", "LayerSizes", "TableOne", "table_one"]

COUNTS = ("as in table 1", "every multiply-add")
LENGTHS = tuple(2**power for power in range(3, 14))
COLUMNS = ("operations", "sequential steps", "longest path")


@dataclass(frozen=True, eq=False)
class TableOne:
    """The three columns of table 1 for each of LAYER_KINDS: along LENGTHS (5, T), and at the chosen sizes (5,)."""

    sizes: LayerSizes
    along: dict[str, np.ndarray]
    here: dict[str, np.ndarray]

    @property
    def table(self) -> Labelled:
        """The three numbers of each kind of layer at the chosen sizes, (5, 3), with labels."""
        return Labelled(np.stack([self.here[name] for name in COLUMNS], axis=1), LAYER_KINDS, COLUMNS)


def table_one(sizes: LayerSizes, count: str) -> TableOne:
    """Return table 1 for these sizes.

    count: one of COUNTS, the way in which operations are counted.
    """
    columns: tuple[Callable[[str, LayerSizes], int], ...] = (
        table_operations if count == COUNTS[0] else _all_operations,
        sequential_steps,
        longest_path,
    )
    along, at_sizes = {}, {}
    for name, counted in zip(COLUMNS, columns, strict=True):
        values = [[counted(kind, replace(sizes, n=n)) for n in LENGTHS] for kind in LAYER_KINDS]
        along[name] = np.array(values, np.float64)
        at_sizes[name] = np.array([counted(kind, sizes) for kind in LAYER_KINDS], np.float64)
    return TableOne(sizes, along, at_sizes)


def _all_operations(kind: str, sizes: LayerSizes) -> int:
    return sum(layer_operations(kind, sizes).values())
