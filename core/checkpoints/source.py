"""The interface of all trained models, whether shipped, made elsewhere, or a step of a run in the lab."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from torch import Tensor

from core.checkpoints.card import Card
from core.checkpoints.class_layer import ClassLayer
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.tap import Check
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import TextFormat


@dataclass(frozen=True)
class ModelSource(ABC):
    """A trained model, or a step of its training; `core.registry.ModelRegistry.source` finds it by its address.

    Each kind of model is a class of its own, with its own prefix in the registry.

    trained_here: whether this project trained it, so that its data and its weights before training are known.
    listed: whether the registry lists its name; otherwise only its address leads to it.
    """

    trained_here: ClassVar[bool] = True
    listed: ClassVar[bool] = True

    @property
    @abstractmethod
    def address(self) -> str:
        """Its name in URLs, lessons and on the command line."""

    @property
    def model(self) -> str:
        """The address without a step of training: the same for all steps of a run."""
        return self.address

    @abstractmethod
    def open(self) -> "tuple[Shipped, AnyTokenizer]":
        """Return the model without its weights, and the tokenizer that it was trained with.

        Raises ValueError, without paths of this machine, if the model cannot be used.
        """

    @abstractmethod
    def load(self, placement: Placement, check: Check | None = None) -> Transformer:
        """Return the model with its weights.

        All callers share it, and none may write to it.

        check: called before each step of a training; it may cancel by raising an exception.

        Raises ValueError if the model cannot be used.
        """

    def class_layer(self) -> ClassLayer | None:
        """Return the last layer of a classifier, float32 on the CPU; None for a model that is not a classifier."""
        return None

    def steps(self) -> tuple[int, ...]:
        """Return the training steps whose weights can be opened, ascending; () if there is only the finished model."""
        return ()

    def at(self, step: int) -> Self:
        """Return the same model after another training step, one of `steps`."""
        raise ValueError(f"{self.address} has no step {step:,}.")

    def is_ready(self) -> bool:
        """Return whether its weights are there, so that it can be loaded without a training."""
        return True

    def making_seconds(self) -> float:
        """Estimate the seconds of training before it can be loaded; 0 if its weights are there."""
        return 0.0

    def probe_batch(self) -> Mapping[str, Tensor] | None:
        """Return the rows on which the lab measures it; None for a model of no task.

        They are tensors (B, L): "given" is read, "gold" is to be predicted, and an encoder reads "source".
        """
        return None

    def task_texts(self) -> Mapping[str, str]:
        """Return texts of its task that it can read, by their names; empty for a model of no task."""
        return {}


@dataclass(frozen=True)
class Shipped:
    """A trained model that a run can use, without its weights.

    config: the config of the transformer; for a classifier, that of its encoder.
    steps: the steps before the last whose weights are kept.
    format: the form in which the model read its texts in training.
    mask: the piece that hid tokens from an encoder trained to predict them; None for other models.
    largest_tensor: the bytes of the largest tensor in the files of a model made elsewhere.
    """

    source: ModelSource
    card: Card
    config: TransformerConfig
    steps: tuple[int, ...]
    format: TextFormat
    mask: int | None = None
    largest_tensor: int = 0

    @property
    def name(self) -> str:
        """The address of the model."""
        return self.source.address
