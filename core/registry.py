"""All trained models that a run can use: shipped ones, models made elsewhere, and steps of runs in the lab."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.checkpoints import shipped
from core.checkpoints.card import Card
from core.checkpoints.real import elsewhere, places
from core.checkpoints.real.elsewhere import Elsewhere
from core.checkpoints.real.places import PLACE_VARIABLE, place_named
from core.checkpoints.shipped import MODELS_FOLDER, STEPS, ShippedModel
from core.checkpoints.source import ModelSource
from core.lab.live import LiveRuns
from core.lab.step_source import is_step, read_step


@dataclass(frozen=True)
class ModelRegistry:
    """The models that a run can use: shipped ones, ones made elsewhere, and steps of the lab's training runs.

    folder: holds the shipped models.
    place: holds the models made elsewhere; None if there are none.
    runs: returns the lab runs that visitors train; if None, a step is trained whenever it is loaded. Registries that
    differ in it alone are equal.
    """

    folder: Path = MODELS_FOLDER
    place: Path | None = None
    runs: Callable[[], LiveRuns] | None = field(default=None, compare=False, repr=False)

    def source(self, address: str) -> ModelSource:
        """Return the model at an address.

        The address of a shipped model is its name, or ``translator/steps/000100`` for a step of its training; of a
        model made elsewhere ``real:`` and its name; of a step of the lab as in `core.lab.step_source`.

        Raises ValueError, with a sentence, for a step of the lab that is not possible. Other models may not exist:
        `ModelSource.open` finds out.
        """
        if is_step(address):
            return read_step(address, self.runs)
        if address.startswith(elsewhere.PREFIX):
            return Elsewhere(address.removeprefix(elsewhere.PREFIX), self.place)
        name, _, step = address.partition(STEPS)
        return ShippedModel(name, int(step) if step.isdecimal() else None, self.folder)

    def names(self) -> tuple[str, ...]:
        """Return the addresses of shipped models, then of models made elsewhere; steps of the lab have no list."""
        return (*shipped.names(self.folder), *(each.address for each in self._elsewhere()))

    def cards(self) -> dict[str, Card]:
        """Return the cards that can be read, by the address of their model, including models that a run cannot use."""
        readable = shipped.cards(self.folder)
        for model in self._elsewhere():
            with suppress(ValueError):
                readable[model.address] = model.card()
        return readable

    def _elsewhere(self) -> tuple[Elsewhere, ...]:
        return tuple(Elsewhere(name, self.place) for name in places.real_names(self.place))


def registry() -> ModelRegistry:
    """Return the registry of the shipped models, and of those in the folder that the environment names."""
    return ModelRegistry(place=place_named(os.environ.get(PLACE_VARIABLE)))


def parse_source(address: str) -> ModelSource:
    """Return the model at an address, as `ModelRegistry.source` of `registry` does."""
    return registry().source(address)
