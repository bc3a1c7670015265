"""Choose the steps at which a run keeps its weights and its measurements."""

from functools import lru_cache
from itertools import count

from core.lab.measured import probe_texts
from core.lab.recipe import MOST_STEPS, Recipe
from core.model.transformer import parameter_count

FIRST_STEPS = (0, 1, 2, 3)
SPACINGS = (  # up to a step, the number of steps from one kept step to the next
    *((60, 5), (240, 10), (600, 25), (1500, 50)),
    *((4000, 100), (10_000, 250), (MOST_STEPS, 500)),
)
RUN_BYTES = 16_000_000  # of all kept steps of a run
FEWEST_STEPS = 24  # that a run may keep even if they take more bytes
RESUMABLE = 6  # every sixth kept step has the optimizer's moments too, so that training can continue from it
FLOAT_BYTES = 4


@lru_cache(maxsize=64)
def kept_schedule(recipe: Recipe) -> tuple[int, ...]:
    """Return the steps that a run keeps, ascending: the first, the last, and others that lie closer at the start.

    A run of 1,000 steps keeps 57 of them. With a larger model they lie twice as far apart, or four times and so on,
    until together they take at most RUN_BYTES, or there are at most FEWEST_STEPS of them.
    """
    most = max(FEWEST_STEPS, RUN_BYTES // kept_bytes(recipe))
    spaced = (_spaced(recipe.steps, 2**doubled) for doubled in count())
    return next(steps for steps in spaced if len(steps) <= most)


def _spaced(last: int, factor: int) -> tuple[int, ...]:
    """Return steps from 0 to the last one at `factor` times the spacings."""
    steps, start = [step for step in FIRST_STEPS if step < last], FIRST_STEPS[-1] + 1
    for end, spacing in SPACINGS:
        steps += [step for step in range(start, min(end + 1, last)) if step % (factor * spacing) == 0]
        start = end + 1
    return (*steps, last)


def kept_bytes(recipe: Recipe) -> int:
    """Return the mean bytes of a kept step.

    Counted are its float32 weights, the patterns on the probe, and the optimizer's moments, which only every
    RESUMABLE-th step keeps.
    """
    source, given = probe_texts(recipe.of, recipe.config.has_two_stacks)
    cells = recipe.layers * recipe.heads * len(given) * len(given if source is None else source)
    return FLOAT_BYTES * (round(parameter_count(recipe.config) * (1 + 2 / RESUMABLE)) + cells)
