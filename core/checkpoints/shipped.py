"""The trained models in ``assets/models``: lists them and reads one for a run.

A folder with a ``card.json`` is a model, and the folder's name is the model's. Its ``steps`` folder, if it has one,
holds weights saved during training. A checkpoint is named by its path below the folder of models: ``toy-copy``,
``toy-copy/steps/000100``.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from torch import nn

from core.checkpoints import weights
from core.checkpoints.card import CARD, Card, read_card, read_config
from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.source import ModelSource, Shipped
from core.device import Placement
from core.limits import SHIPPED_MB
from core.model.classifier import Classifier, ClassifierConfig
from core.model.config import TransformerConfig
from core.model.fast.optimize import optimize
from core.model.recurrent import Recurrent, RecurrentConfig
from core.model.tap import Check
from core.model.transformer import Transformer, parameter_count
from core.text.broken_file import BrokenFile
from core.text.masked import MaskTokenizer
from core.text.pieces import AnyTokenizer
from core.text.spaced import SpacedTokenizer
from core.text.special import MASK, TextFormat
from core.text.symbols import SymbolTokenizer
from core.text.tokenizer import TOKENIZERS_FOLDER, Tokenizer

MODELS_FOLDER = Path(__file__).parents[2] / "assets" / "models"
RUNNABLE = ("transformer", "classifier")
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
        return replace(read(self.name, self.folder), source=self), tokenizer(self.name, self.folder)

    def load(self, placement: Placement, check: Check | None = None) -> Transformer:
        return optimize(load(self.address, placement, self.folder))

    def class_layer(self) -> ClassLayer | None:
        return class_layer(self.name, self.folder)

    def steps(self) -> tuple[int, ...]:
        return read(self.name, self.folder).steps

    def at(self, step: int) -> Self:
        return replace(self, step=step)


def rebuild(name: str) -> str:
    """Return the command that trains a shipped model again; toys make their own data."""
    model = name.partition("/")[0]
    return f"python -m core.training {model}{'' if model.startswith('toy-') else ' --data DIR'}"


def names(folder: Path = MODELS_FOLDER) -> tuple[str, ...]:
    """Return the names of the models that a run can use, sorted; none if the folder does not exist.

    A model whose card cannot be read is listed too, so that opening it gives the reason.
    """
    return tuple(sorted(card.parent.name for card in folder.glob(f"*/{CARD}") if _usable(card.parent)))


def cards(folder: Path = MODELS_FOLDER) -> dict[str, Card]:
    """Return the cards that can be read, by the name of their model, including models that a run cannot use."""
    readable = {}
    for path in sorted(folder.glob(f"*/{CARD}")):
        with suppress(ValueError):
            card = read_card(path.parent)
            read_config(card, path.parent)
            readable[path.parent.name] = card
    return readable


def read(name: str, folder: Path = MODELS_FOLDER) -> Shipped:
    """Read a model's card, without its weights.

    Raises ValueError, without paths of this machine, if the model cannot be used.
    """
    with _named(name, folder):
        card = read_card(folder / name)
        config = read_config(card, folder / name)
        if isinstance(config, ClassifierConfig):
            config = config.encoder
        if not isinstance(config, TransformerConfig):
            raise ValueError(f"a model of the family {card.family} is not a transformer.")
        if (size := 4 * parameter_count(config)) > SHIPPED_MB * 10**6:
            raise ValueError(f"it needs {size / 1e6:,.0f} MB of memory, and {SHIPPED_MB:,} MB are the most.")
        generated = "symbols" in card.tokenizer
        return Shipped(
            ShippedModel(name, folder=folder),
            card,
            config,
            _steps(folder / name, card.steps),
            TextFormat(
                begin=generated and config.architecture == "decoder",
                end=config.architecture == "encoder-decoder",
                lower=bool(card.tokenizer.get("lower")),
            ),
            mask=_mask(card, config),
        )


def tokenizer(name: str, folder: Path = MODELS_FOLDER) -> AnyTokenizer:
    """Return the tokenizer that a model was trained with, with ``[MASK]`` for a model trained to predict hidden tokens.

    Raises ValueError if its vocabulary has another size than the model's, BrokenFile if it is missing or damaged.
    """
    with _named(name, folder):
        shipped = read(name, folder)
        described = shipped.card.tokenizer
        model_tokenizer: AnyTokenizer
        if "symbols" in described:
            model_tokenizer = SymbolTokenizer(tuple(described["symbols"]))
        elif "spaced" in described:
            model_tokenizer = SpacedTokenizer(tuple(described["spaced"]))
        elif "name" in described:
            plain = Tokenizer.load(described["name"], folder / name if described.get("own") else TOKENIZERS_FOLDER)
            model_tokenizer = plain if shipped.mask is None else MaskTokenizer.of(plain)
        else:
            raise ValueError("its card names no tokenizer for text.")
        if model_tokenizer.vocab_size != shipped.config.vocab_size:
            raise ValueError(
                f"it knows {shipped.config.vocab_size:,} pieces, its tokenizer {model_tokenizer.vocab_size:,}."
            )
        return model_tokenizer


def load(name: str, placement: Placement, folder: Path = MODELS_FOLDER) -> Transformer:
    """Return the weights of one checkpoint; for a classifier, those of its encoder.

    All callers share them, and none may write to them.

    Raises BrokenFile, without paths of this machine, if a file is missing or damaged.
    """
    with _named(name, folder):
        model, _ = weights.load(folder / name)
        body = model.encoder if isinstance(model, Classifier) else model
        if not isinstance(body, Transformer):
            raise ValueError(f"{name} is not a transformer.")
        return body.to(placement.device, placement.torch_dtype)


def recurrent_config(name: str, folder: Path = MODELS_FOLDER) -> RecurrentConfig:
    """Return the config of a recurrent translator, without its weights.

    Raises BrokenFile if its card is missing or damaged.
    """
    with _named(name, folder):
        config = read_config(read_card(folder / name), folder / name)
        if not isinstance(config, RecurrentConfig):
            raise ValueError(f"{name} is not a recurrent translator.")
        return config


def load_recurrent(name: str, folder: Path = MODELS_FOLDER) -> Recurrent:
    """Return the weights of a recurrent translator, float32 on the CPU.

    All callers share them, and none may write to them.

    Raises BrokenFile, without paths of this machine, if a file is missing or damaged.
    """
    with _named(name, folder):
        model, _ = weights.load(folder / name)
        if not isinstance(model, Recurrent):
            raise ValueError(f"{name} is not a recurrent translator.")
        return model


def class_layer(name: str, folder: Path = MODELS_FOLDER) -> ClassLayer | None:
    """Return the last layer of a classifier, float32 on the CPU; None for a model that is not a classifier.

    Raises BrokenFile, without paths of this machine, if a file is missing or damaged.
    """
    with _named(name, folder):
        card = read_card(folder / name)
        if card.family != "classifier":
            return None
        config = read_config(card, folder / name)
        head, _ = weights.load(folder / name, part="head")
        assert isinstance(config, ClassifierConfig) and isinstance(head, nn.Linear)
        return ClassLayer(config.labels, head)


def _mask(card: Card, config: TransformerConfig) -> int | None:
    piece = card.tokenizer.get("mask")
    if piece is None:
        return None
    if type(piece) is not int or piece != MASK:
        raise ValueError(f"its mask {str(piece)[:40]!r} is not piece {MASK}, which no text holds.")
    if config.architecture != "encoder" or not config.tied:
        raise ValueError("its card names a mask, which is for an encoder with tied embeddings.")
    return piece


def _usable(folder: Path) -> bool:
    try:
        return read_card(folder).family in RUNNABLE
    except ValueError:
        return True


def _steps(folder: Path, last: int) -> tuple[int, ...]:
    steps = (int(card.parent.name) for card in folder.glob(f"steps/{'[0-9]' * 6}/{CARD}"))
    return tuple(sorted(step for step in steps if step < last))


@contextmanager
def _named(name: str, folder: Path) -> Iterator[None]:
    """Make an error begin with the model's name and hold no path of this machine.

    For a broken file, the error also gives the command that makes it again.
    """
    opening = f"The model {name} cannot be used: "

    def named(what: str) -> str:
        return opening + what.removeprefix(opening).replace(f"{folder}/", "")

    try:
        yield
    except BrokenFile as broken:
        raise BrokenFile(named(broken.what), rebuild(name) if broken.again is None else broken.again) from broken
    except ValueError as mistake:
        raise ValueError(named(str(mistake))) from mistake
