"""A shipped model, or one of the steps of its training that are kept, as a source of models."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from core.checkpoints import shipped
from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.shipped import MODELS_FOLDER, Shipped
from core.checkpoints.source import ModelSource
from core.device import Placement
from core.model.fast.optimize import optimize
from core.model.tap import Check
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer

STEPS = "/steps/"


@dataclass(frozen=True)
class ShippedModel(ModelSource):
    """A model in ``assets/models``.

    name: its folder.
    step: the step of its training; None for the finished model.
    folder: the folder of all shipped models.
    """

    name: str
    step: int | None = None
    folder: Path = MODELS_FOLDER

    @property
    def address(self) -> str:
        return self.name if self.step is None else f"{self.name}{STEPS}{self.step:06d}"

    @property
    def model(self) -> str:
        return self.name

    def open(self) -> tuple[Shipped, AnyTokenizer]:
        return shipped.read(self.name, self.folder), shipped.tokenizer(self.name, self.folder)

    def load(self, placement: Placement, check: Check | None = None) -> Transformer:
        return optimize(shipped.load(self.address, placement, self.folder))

    def class_layer(self) -> ClassLayer | None:
        return shipped.class_layer(self.name, self.folder)

    def steps(self) -> tuple[int, ...]:
        return shipped.read(self.name, self.folder).steps

    def at(self, step: int) -> Self:
        return replace(self, step=step)
