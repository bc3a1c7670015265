"""A model as a whole: its parts for the texts of one run, and what each kind of part costs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.analysis.part_counts import PartCount, model_parts
from core.explorer.shared.labels import LabelledMatrix
from core.tracing.run import Run, TokenRow

INNER = ("scores", "z")  # the steps of attention whose work grows with the square of the text
WORK = ("share of the parameters", "share of the multiply-adds")


@dataclass(frozen=True)
class Cost:
    """What all parts of one kind cost together. name: as on screen; count: how many parts."""

    name: str
    count: int
    parameters: int
    multiply_adds: int


@dataclass(frozen=True, eq=False)
class WholeModel:
    """The model of a run. rows: what its stacks read; parts: in the order in which they run."""

    run: Run
    rows: Mapping[str, TokenRow]
    parts: tuple[PartCount, ...]

    @property
    def parameters(self) -> int:
        return sum(part.parameters for part in self.parts)

    @property
    def multiply_adds(self) -> int:
        """Of one pass over the texts."""
        return sum(part.multiply_adds for part in self.parts)

    @property
    def source(self) -> int:
        """How many tokens the encoder reads; 0 without one."""
        return len(self.rows.get("encoder", ()))

    @property
    def target(self) -> int:
        """How many tokens the decoder reads; 0 without one."""
        return len(self.rows.get("decoder", ()))

    @property
    def costs(self) -> tuple[Cost, ...]:
        """Kind by kind, in the order in which they first run. The scores and the mixing of values have a row of their
        own: no projection grows as they do."""
        found: dict[str, list[int]] = {}
        for part in self.parts:
            for name, parameters, multiply_adds in _costs_of(part):
                total = found.setdefault(name, [0, 0, 0])
                for at, more in enumerate((1, parameters, multiply_adds)):
                    total[at] += more
        return tuple(Cost(name, *numbers) for name, numbers in found.items())

    @property
    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """(R,) of the parameters and (R,) of the multiply-adds, by the rows of `costs`; each sums to 1, or is 0."""
        counts = np.array([[cost.parameters, cost.multiply_adds] for cost in self.costs], dtype=float)
        parameters, multiply_adds = (counts / np.maximum(counts.sum(0), 1)).T
        return parameters, multiply_adds

    @property
    def table(self) -> LabelledMatrix:
        """(R, 5) the costs kind by kind."""
        numbers = [
            [cost.count, cost.parameters, mine, cost.multiply_adds, other]
            for cost, mine, other in zip(self.costs, *self.shares, strict=True)
        ]
        columns = ("how many", "parameters", WORK[0], "multiply-adds", WORK[1])
        return np.array(numbers), [cost.name for cost in self.costs], columns


def whole_model(run: Run, rows: Mapping[str, TokenRow]) -> WholeModel:
    """The parts of a run's model, for what its stacks read."""
    lengths = (len(rows.get(stack, ())) for stack in ("encoder", "decoder"))
    return WholeModel(run, rows, model_parts(run.config, *lengths))


def _costs_of(part: PartCount) -> Iterable[tuple[str, int, int]]:
    """A part's name on screen, parameters and multiply-adds; attention in two."""
    if not part.kind.endswith("attention"):
        yield {"norm": "norms"}.get(part.kind, part.kind), part.parameters, part.multiply_adds
        return
    for name, inner in (("projections", False), ("scores and mixing", True)):
        steps = [step for step in part.steps if (step.name in INNER) == inner]
        yield (
            f"{part.kind}: {name}",
            sum(step.parameters for step in steps),
            sum(step.multiply_adds for step in steps),
        )
