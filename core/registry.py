"""All trained models that a run can use: shipped ones, models made elsewhere, and steps of runs in the lab.

The name of a model made elsewhere begins with ``real:``; `core.lab.opened` says how a step of the lab is named.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from torch import Tensor

from core.checkpoints import shipped
from core.checkpoints.card import Card
from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real import places
from core.checkpoints.real.places import RealModel
from core.checkpoints.shipped import MODELS_FOLDER, Shipped
from core.device import Placement
from core.lab import opened
from core.lab.opened import is_lab
from core.lab.run import batch_of
from core.model.fast.optimize import optimize
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import TextFormat

REAL = "real:"
REAL_FAMILY = "real"  # the family on the card of a model made elsewhere


def is_real(name: str) -> bool:
    """Return whether the model of this name was made elsewhere."""
    return name.startswith(REAL)


def task_batch(name: str) -> Mapping[str, Tensor] | None:
    """Return the rows on which the lab measures a step of a run; None for any other model.

    They are tensors (B, L): "given" is read, "gold" is asked for, and an encoder reads "source".

    Raises ValueError for a name that `core.lab.opened.read_address` refuses.
    """
    if not is_lab(name):
        return None
    recipe, _ = opened.read_address(name)
    return batch_of(recipe.of.held_out_rows(), recipe.config.has_two_stacks)


@dataclass(frozen=True)
class ModelRegistry:
    """The trained models of two folders.

    folder: holds the shipped models.
    place: holds the models made elsewhere; None if there are none.
    most: the most bytes that the weights of a model made elsewhere may take; None for no limit.
    """

    folder: Path = MODELS_FOLDER
    place: Path | None = None
    most: int | None = None

    def names(self) -> tuple[str, ...]:
        """Return the names of shipped models, then of models made elsewhere; steps of the lab have no list."""
        return (*shipped.names(self.folder), *(REAL + name for name in places.real_names(self.place)))

    def has(self, name: str) -> bool:
        """Return whether a name is that of a model, which may still be one that cannot be used."""
        return is_lab(name) or name in self.names()

    def open(self, name: str) -> tuple[Shipped, AnyTokenizer]:
        """Return a model without its weights, and the tokenizer that it was trained with.

        Raises ValueError, without paths of this machine, if the model cannot be used.
        """
        if is_lab(name):
            return opened.describe(name), opened.tokenizer_of(name)
        if not is_real(name):
            return shipped.read(name, self.folder), shipped.tokenizer(name, self.folder)
        model, tokenizer = places.open_model(*self._own(name), self.most)
        special = tokenizer.special
        return Shipped(name, _card(model), model.config, (), TextFormat(special=special), special.mask), tokenizer

    def load(self, name: str, placement: Placement) -> Transformer:
        """Return a model with its weights, on the fast path; a step of the lab is trained for it.

        All callers share it, and none may write to it.

        Raises ValueError if it cannot be used, and `core.lab.run.Diverged`.
        """
        if is_lab(name):
            return optimize(opened.load_step(name, placement))
        if not is_real(name):
            return optimize(shipped.load(name, placement, self.folder))
        folder_name, models_folder = self._own(name)
        return optimize(places.load(folder_name, placement, models_folder, self.most))

    def class_layer(self, name: str) -> ClassLayer | None:
        """Return the last layer of a classifier, float32 on the CPU; None for a model that is not a classifier."""
        if is_lab(name):
            return None
        if not is_real(name):
            return shipped.class_layer(name, self.folder)
        return places.class_layer(*self._own(name), self.most)

    def cards(self) -> dict[str, Card]:
        """Return the cards that can be read, by the name of their model, including models that a run cannot use."""
        readable = shipped.cards(self.folder)
        for name in places.real_names(self.place):
            with suppress(ValueError):
                readable[REAL + name] = _card(places.read(*self._own(REAL + name)))
        return readable

    def _own(self, name: str) -> tuple[str, Path]:
        if self.place is None:
            raise ValueError(
                "There is no folder of models made elsewhere; the environment variable "
                f"{places.PLACE_VARIABLE} names it."
            )
        return name.removeprefix(REAL), self.place


def _card(model: RealModel) -> Card:
    origin = model.origin
    return Card(
        name=REAL + model.name,
        title=origin.title,
        what=f"{model.family}, made elsewhere",
        limits="Nothing about it was trained or measured here.",
        family=REAL_FAMILY,
        config=asdict(model.config),
        tokenizer={},
        data=({"text": f"from {origin.source}", "licence": origin.licence},),
        split="not known here",
        seed=0,
        steps=0,
        minutes=0.0,
        parameters=model.parameters,
        commands={},
    )
