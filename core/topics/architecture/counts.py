"""The parts of a model added up by kind: how many, parameters, multiply-adds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.topics.architecture.analysis.parts import PartCount
from core.topics.shared.labels import Labelled

INNER = ("scores", "z")  # the steps of attention whose work grows with the square of the text's length
WORK = ("parameters", "multiply-adds")


@dataclass(frozen=True)
class Cost:
    """The total cost of all parts of one kind.

    name: as on screen.
    count: number of parts.
    """

    name: str
    count: int
    parameters: int
    multiply_adds: int


@dataclass(frozen=True, eq=False)
class PartTotals:
    """All parts of a model, in the order in which they run, for one pass over texts of some length."""

    parts: tuple[PartCount, ...]

    @property
    def parameters(self) -> int:
        return sum(part.parameters for part in self.parts)

    @property
    def multiply_adds(self) -> int:
        return sum(part.multiply_adds for part in self.parts)

    @cached_property
    def kinds(self) -> tuple[Cost, ...]:
        """The costs by kind, in the order in which the kinds first run.

        The scores and the mixing of values have a row of their own, because no projection grows as they do.
        """
        totals: dict[str, list[int]] = {}
        for part in self.parts:
            for name, parameters, multiply_adds in _costs_of(part):
                total = totals.setdefault(name, [0, 0, 0])
                for column, more in enumerate((1, parameters, multiply_adds)):
                    total[column] += more
        return tuple(Cost(name, *numbers) for name, numbers in totals.items())

    @property
    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """The shares of the parameters (R,) and of the multiply-adds (R,), by `kinds`; each sums to 1, or is 0."""
        counts = np.array([[cost.parameters, cost.multiply_adds] for cost in self.kinds], dtype=float)
        parameters, multiply_adds = (counts / np.maximum(counts.sum(0), 1)).T
        return parameters, multiply_adds

    @property
    def table(self) -> Labelled:
        """A table of the costs by kind, (R, 5)."""
        numbers = [
            [cost.count, cost.parameters, parameter_share, cost.multiply_adds, work_share]
            for cost, parameter_share, work_share in zip(self.kinds, *self.shares, strict=True)
        ]
        columns = ("how many", *(column for name in WORK for column in (name, f"share of {name}")))
        return Labelled(np.array(numbers), [cost.name for cost in self.kinds], columns)

    def by_kind(self, numbers: Mapping[str, int]) -> dict[str, int]:
        """Add up numbers by the kind of part on screen; all steps of an attention count as one kind.

        numbers: the numbers by the key of a part.
        """
        totals: dict[str, int] = {}
        for part in self.parts:
            name = kind_name(part)
            totals[name] = totals.get(name, 0) + numbers[part.key]
        return totals


def kind_name(part: PartCount) -> str:
    """Return the kind of a part as named on screen."""
    return {"norm": "norms"}.get(part.kind, part.kind)


def _costs_of(part: PartCount) -> Iterable[tuple[str, int, int]]:
    """Yield a part's name on screen, its parameters and its multiply-adds; an attention is split in two."""
    if not part.kind.endswith("attention"):
        yield kind_name(part), part.parameters, part.multiply_adds
        return
    for name, inner in (("projections", False), ("scores and mixing", True)):
        steps = [step for step in part.steps if (step.name in INNER) == inner]
        costs = [(step.parameters, step.multiply_adds) for step in steps]
        yield f"{part.kind}: {name}", sum(parameters for parameters, _ in costs), sum(work for _, work in costs)
