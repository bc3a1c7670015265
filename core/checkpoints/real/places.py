"""The folders below a place that whoever runs the app names: which there are, what their cards say, reading one.

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
from core.checkpoints.real.files import json_object, repository_of
from core.checkpoints.real.options import CONFIG
from core.checkpoints.real.reading import Described, check_size, describe_folder
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
    """What is known of a model beside its files: its name where it comes from, that place, and its licence."""

    title: str
    source: str = UNSTATED
    licence: str = UNSTATED


@dataclass(frozen=True)
class RealModel:
    """A model of other people's that a run can use.

    name: its folder. family: what the architecture is called. parameters: how many numbers it has learned. memory: the
    bytes of its weights, in the number format of its file, which is `dtype`.
    """

    name: str
    origin: Origin
    family: str
    config: TransformerConfig
    parameters: int
    memory: int
    dtype: str


def place_named(value: object) -> Path | None:
    """The place that an environment variable or a secret names; None where it names none.

    Where it names a model itself, such as a snapshot in the hub's cache, the place is the folder around that.
    """
    if not isinstance(value, str) or not value:
        return None
    place = Path(value)
    return place.resolve().parent if (place / CONFIG).is_file() else place


def real_names(place: Path | None) -> tuple[str, ...]:
    """The folders of a place that hold a model, sorted; one that cannot be read is listed, to be refused with a reason.

    None, and a place that is not there, hold none.
    """
    if place is None or not place.is_dir():
        return ()
    return tuple(sorted(each.parent.name for each in place.glob(f"*/{CONFIG}") if NAME.fullmatch(each.parent.name)))


def read(name: str, place: Path, most: int | None = None) -> RealModel:
    """What a model is, without its weights. ValueError, without paths of this machine, where it cannot be used.

    most: the bytes that its weights may take, in the number format of its file.
    """
    with _refusing(name, place) as folder:
        return _real_model(folder, describe_folder(folder), most)


def open_model(name: str, place: Path, most: int | None = None) -> tuple[RealModel, HubTokenizer]:
    """The same, and the tokenizer that it was trained with: the folder is described once for both."""
    with _refusing(name, place) as folder:
        described = describe_folder(folder)
        return _real_model(folder, described, most), read_tokenizer(folder, described)


def load(name: str, placement: Placement, place: Path, most: int | None = None) -> Transformer:
    """The weights of a model, where and in the format that is asked. It serves every caller and is never written to.

    ValueError, before any weight is read, where it would take more than `most` bytes.
    """
    with _refusing(name, place) as folder:
        return reading.load(folder, placement.torch_dtype, placement.device, most)


def class_layer(name: str, place: Path, most: int | None = None) -> ClassLayer | None:
    """The class layer of a classifier, float32 on the CPU; None for a model that is none."""
    with _refusing(name, place) as folder:
        described = describe_folder(folder)
        check_size(described, described.dtype, most)
        return read_class_layer(folder, described)


def _real_model(folder: Path, described: Described, most: int | None) -> RealModel:
    check_size(described, described.dtype, most)
    return RealModel(
        folder.name,
        read_origin(folder, folder.name),
        described.family.title,
        described.config,
        described.parameters + head_parameters(described),
        described.bytes_needed(),
        str(described.dtype).removeprefix("torch."),
    )


def write_origin(folder: Path, origin: Origin) -> None:
    """Writes what is known of a model beside its files."""
    (folder / CARD_FILE).write_text(json.dumps(asdict(origin), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_origin(folder: Path, name: str) -> Origin:
    """What is known of a model; of a folder that nobody imported only its name. ValueError for a damaged file."""
    if not (folder / CARD_FILE).exists():
        return Origin(repository_of(folder) or name)
    values = json_object(folder, CARD_FILE)
    try:
        origin = Origin(**values)
    except TypeError:
        raise ValueError(f"{CARD_FILE} does not have the fields title, source and licence.") from None
    if not all(isinstance(each, str) and len(each) <= 200 for each in asdict(origin).values()):
        raise ValueError(f"{CARD_FILE} must hold texts of at most 200 characters.")
    return origin


@contextmanager
def _refusing(name: str, place: Path) -> Iterator[Path]:
    """The folder of a model that the place lists; a refusal begins with the model's name and holds no path."""
    opening = f"The model {name} cannot be used: "
    if name not in real_names(place):
        raise ValueError("There is no such model here.")
    try:
        yield place / name
    except ValueError as mistake:
        raise ValueError(opening + str(mistake).replace(f"{place}/", "")) from mistake
