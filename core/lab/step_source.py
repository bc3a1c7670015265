"""Open steps of runs in the lab as models: of a run that visitors train, and of a recorded one.

The address of a step is ``lab:induction,seed=3@400``, or ``recorded:modular@4800`` for a kept step of a recorded run.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar, Self

from torch import Tensor

from core.checkpoints.source import ModelSource, Shipped
from core.device import Placement
from core.lab.kept import kept_schedule
from core.lab.live import LiveRun, LiveRuns
from core.lab.opened import card_of, examples, lab_tokenizer, open_step
from core.lab.recipe import Recipe, read_recipe, write_recipe
from core.lab.recorded import recorded_run
from core.lab.run import batch_of
from core.lab.tasks import task_named
from core.model.fast.optimize import optimize
from core.model.tap import Check
from core.model.transformer import Transformer
from core.text.spaced import SpacedTokenizer
from core.text.special import TextFormat

LAB, RECORDED = "lab:", "recorded:"
_ADDRESS = re.compile(r"(lab:|recorded:)([^/@]+)@(\d{1,6})", re.ASCII)


@dataclass(frozen=True)
class StepSource(ModelSource):
    """A step of a run in the lab.

    recipe: the recipe of the run.
    step: the number of updates.
    """

    listed: ClassVar[bool] = False

    recipe: Recipe
    step: int

    @property
    def model(self) -> str:
        return self.address.partition("@")[0]

    def at(self, step: int) -> Self:
        return replace(self, step=step)

    def open(self) -> tuple[Shipped, SpacedTokenizer]:
        return replace(_described(self), source=self), lab_tokenizer(self.recipe.of)

    def described(self) -> Shipped:
        """Return the model without its weights."""
        recipe = self.recipe
        card = card_of(recipe, self.step)
        return Shipped(self, card, recipe.config, (), TextFormat(end=recipe.config.has_two_stacks))

    def probe_batch(self) -> Mapping[str, Tensor]:
        return batch_of(self.recipe.of.held_out_rows(), self.recipe.config.has_two_stacks)

    def task_texts(self) -> Mapping[str, str]:
        return task_texts(self.recipe.task, self.recipe.config.has_two_stacks)


@lru_cache(maxsize=64)
def task_texts(task: str, two_stacks: bool) -> Mapping[str, str]:
    """Return the texts of `core.lab.opened.examples` for a task by its name."""
    return MappingProxyType(dict(examples(task_named(task), two_stacks)))


@lru_cache(maxsize=64)
def _described(source: StepSource) -> Shipped:
    return source.described()


@dataclass(frozen=True)
class LabStep(StepSource):
    """A step of a run that visitors train. A step that the run does not keep is trained again when it is opened.

    runs: returns the runs that visitors train; None to train each step from the start. A function, because a source is
        stored with cached results, and the runs are not.
    """

    runs: Callable[[], LiveRuns] | None = field(default=None, compare=False, repr=False)

    @property
    def address(self) -> str:
        return f"{LAB}{write_recipe(self.recipe)}@{self.step}"

    def load(self, placement: Placement, check: Check | None = None) -> Transformer:
        """Return the model with the weights that the run has at that step.

        Raises ValueError if the run does not come to the step because it diverges.
        """
        weights = (self._live() or LiveRun(self.recipe)).weights(self.step, check)
        return optimize(open_step(self.recipe, weights).to(placement.device, placement.torch_dtype))

    def steps(self) -> tuple[int, ...]:
        """Return the steps that the run keeps, and this one."""
        return tuple(sorted({*kept_schedule(self.recipe), self.step}))

    def untrained(self) -> LiveRun | None:
        """Return the run that has to be trained to this step before it is opened; None if it has come so far."""
        live = self._live()
        return None if live is None or self.step <= live.reached else live

    def is_ready(self) -> bool:
        return self.untrained() is None

    def making_seconds(self) -> float:
        live = self._live()
        return 0.0 if live is None else live.seconds_to(self.step)

    def _live(self) -> LiveRun | None:
        return None if self.runs is None else self.runs().run(self.recipe)


@dataclass(frozen=True)
class RecordedStep(StepSource):
    """A kept step of a recorded run.

    run: the name of the run.
    """

    run: str

    @property
    def address(self) -> str:
        return f"{RECORDED}{self.run}@{self.step}"

    def load(self, placement: Placement, check: Check | None = None) -> Transformer:
        model = recorded_run(self.run).model(self.step)
        return optimize(model.to(placement.device, placement.torch_dtype))

    def steps(self) -> tuple[int, ...]:
        return recorded_run(self.run).steps

    def described(self) -> Shipped:
        plain, recorded = super().described(), recorded_run(self.run).card
        minutes = recorded.minutes if self.step == self.recipe.steps else 0.0  # earlier steps were not timed
        title = f"{recorded.title}, step {self.step:,}"
        card = replace(
            recorded, title=title, what=plain.card.what, steps=self.step, minutes=minutes, scores=plain.card.scores
        )
        return replace(plain, card=card)


def recorded_step(run: str, step: int) -> RecordedStep:
    """Return a kept step of a recorded run.

    Raises ValueError, with a sentence, if there is no such run, or it has not kept this step.
    """
    recorded = recorded_run(run)
    recorded.check_kept(step)
    return RecordedStep(recorded.recipe, step, run)


def is_step(address: str) -> bool:
    """Return whether an address has the form of a step of the lab; the step may not exist."""
    return address.startswith((LAB, RECORDED))


def read_step(address: str, runs: Callable[[], LiveRuns] | None = None) -> StepSource:
    """Return the step with an address.

    Raises ValueError, with a sentence, for an address that is no step of the lab, for a recipe that cannot be used, and
    for a step that its run does not have, or a recorded run has not kept.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise ValueError(f"“{address[:60]}” is no step of a run in the lab.")
    prefix, name, step = match[1], match[2], int(match[3])
    if prefix == RECORDED:
        return recorded_step(name, step)
    recipe = read_recipe(name)
    recipe.check_step(step)
    return LabStep(recipe, step, runs)
