"""The models below a folder that the app's operator names: lists them, reads their origin, and loads them.

A visitor chooses among the names of these folders, and can name nothing else.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real import reading
from core.checkpoints.real.class_head import head_parameters, read_class_layer
from core.checkpoints.real.files import json_object, repository_of, shown_name
from core.checkpoints.real.options import CONFIG
from core.checkpoints.real.reading import Described, describe_folder
from core.checkpoints.real.vocabulary import read_tokenizer
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import Transformer
from core.text.hub import HubTokenizer

PLACE_VARIABLE = "ATTENTION_EXPLORER_MODELS"
CARD_FILE = "attention-explorer.json"
UNSTATED = "not stated"
NAME = re.compile(r"[A-Za-z0-9](?:[\w. -]{0,98}[\w.-])?", re.ASCII)


@dataclass(frozen=True)
class Origin:
    """The facts about a model that its files do not hold: its name at its source, that source, and its licence."""

    title: str
    source: str = UNSTATED
    licence: str = UNSTATED


@dataclass(frozen=True)
class RealModel:
    """A model made elsewhere that a run can use.

    name: its folder.
    family: the name of its architecture.
    parameters: the number of learned parameters.
    memory: the bytes of its weights, in the number format of its file.
    dtype: that number format.
    largest_tensor: the bytes of the largest tensor of its files.
    multiplied: whether its weights hold multipliers that its config keeps apart.
    """

    name: str
    origin: Origin
    family: str
    config: TransformerConfig
    parameters: int
    memory: int
    dtype: str
    largest_tensor: int
    multiplied: bool


def place_named(value: object) -> Path | None:
    """Return the folder of models that an environment variable or a secret names; None if it names none.

    If it names a model itself, such as a snapshot in the hub's cache, the folder around that model is returned.
    """
    if not isinstance(value, str) or not value:
        return None
    folder = Path(value)
    return folder.resolve().parent if (folder / CONFIG).is_file() else folder


def real_names(models_folder: Path | None) -> tuple[str, ...]:
    """Return the names of the models in a folder, sorted; none if the folder is None or does not exist.

    A model that cannot be read is listed too, so that opening it gives the reason.
    """
    if models_folder is None or not models_folder.is_dir():
        return ()
    return tuple(
        sorted(path.parent.name for path in models_folder.glob(f"*/{CONFIG}") if NAME.fullmatch(path.parent.name))
    )


def read(name: str, models_folder: Path) -> RealModel:
    """Return the description of a model, without its weights.

    Raises ValueError, without paths of this machine, if the model cannot be used.
    """
    with _refusing(name, models_folder) as folder:
        described = describe_folder(folder)
        return real_model(described, folder.name, read_origin(folder, folder.name))


def open_model(name: str, models_folder: Path) -> tuple[RealModel, HubTokenizer]:
    """Return the description of a model and the tokenizer that it was trained with.

    The folder is described once for both. Raises ValueError as `read` does, and if the tokenizer cannot be read.
    """
    with _refusing(name, models_folder) as folder:
        described = describe_folder(folder)
        model = real_model(described, folder.name, read_origin(folder, folder.name))
        return model, read_tokenizer(folder, described)


def load(name: str, placement: Placement, models_folder: Path) -> Transformer:
    """Return the weights of a model, on the requested device and in the requested number format.

    All callers share them, and none may write to them.
    """
    with _refusing(name, models_folder) as folder:
        return reading.load(folder, placement.torch_dtype, placement.device)


def class_layer(name: str, models_folder: Path) -> ClassLayer | None:
    """Return the class layer of a classifier, float32 on the CPU; None for a model that is not a classifier."""
    with _refusing(name, models_folder) as folder:
        return read_class_layer(folder, describe_folder(folder))


def real_model(described: Described, name: str, origin: Origin) -> RealModel:
    """Return the description of a model under a name, with its origin."""
    return RealModel(
        name,
        origin,
        described.family.title,
        described.config,
        described.parameters + head_parameters(described),
        described.bytes_needed(),
        str(described.dtype).removeprefix("torch."),
        described.largest_tensor,
        any(factor != 1.0 for factor in described.table.factors.values()),
    )


def write_origin(folder: Path, origin: Origin) -> None:
    """Write the origin of a model beside its files."""
    (folder / CARD_FILE).write_text(json.dumps(asdict(origin), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_origin(folder: Path, name: str) -> Origin:
    """Return the origin of a model; for a folder that was not imported, only its name.

    Raises ValueError if the file of the origin is damaged.
    """
    if not (folder / CARD_FILE).exists():
        return Origin(repository_of(folder) or name)
    values = json_object(folder, CARD_FILE)
    try:
        origin = Origin(**values)
    except TypeError:
        raise ValueError(f"{CARD_FILE} does not have the fields title, source and licence.") from None
    if not all(isinstance(text, str) and len(text) <= 200 for text in asdict(origin).values()):
        raise ValueError(f"{CARD_FILE} must hold texts of at most 200 characters.")
    return origin


@contextmanager
def _refusing(name: str, models_folder: Path) -> Iterator[Path]:
    """Yield the folder of a model, and make an error begin with the model's name and hold no path.

    Raises ValueError if there is no model of this name.
    """
    opening = f"The model {name} cannot be used: "
    if name not in real_names(models_folder):
        raise ValueError(f"There is no model “{shown_name(name)}” in the folder that {PLACE_VARIABLE} names.")
    try:
        yield models_folder / name
    except ValueError as mistake:
        raise ValueError(opening + str(mistake).replace(f"{models_folder}/", "")) from mistake
