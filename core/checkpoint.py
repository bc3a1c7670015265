"""A trained model on disk: ``model.safetensors`` (float16) and ``card.json`` in one folder.

Loading is strict: what is not exactly what the card describes is refused with a ValueError that says why. Nothing is
ever unpickled.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from core.model.classifier import Classifier, ClassifierConfig
from core.model.config import TransformerConfig
from core.model.recurrent import Recurrent, RecurrentConfig
from core.model.transformer import Transformer
from core.model.word2vec import WordVectors, WordVectorsConfig

WEIGHTS, CARD = "model.safetensors", "card.json"
MOST_LAYERS = 100  # making a module takes time for each


@dataclass(frozen=True)
class Card:
    """What a checkpoint is, in plain values.

    family: which of `FAMILIES`; config: the fields of its config. tokenizer: {"name": …} for a tokenizer of
    ``assets/tokenizers``, {"name": …, "own": True} for a file of that name beside the weights, {"symbols": […]} for
    a list of symbols, {"words": "words.txt"} for one word a line. data: sources with their licences. minutes: of
    training. commands: "train" and "evaluate", as they were run. scores: what the second of them measured.
    """

    name: str
    what: str
    family: str
    config: Mapping[str, Any]
    tokenizer: Mapping[str, Any]
    data: tuple[Mapping[str, str], ...]
    split: str
    seed: int
    steps: int
    minutes: float
    parameters: int
    commands: Mapping[str, str]
    scores: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """One kind of model: how its config is read from a card and its modules are made."""

    config: Callable[[Mapping[str, Any]], Any]
    module: Callable[[Any], nn.Module]


def _classifier_config(values: Mapping[str, Any]) -> ClassifierConfig:
    return ClassifierConfig(TransformerConfig(**values["encoder"]), tuple(values["labels"]))


FAMILIES: dict[str, Family] = {
    "transformer": Family(lambda values: TransformerConfig(**values), Transformer),
    "recurrent": Family(lambda values: RecurrentConfig(**values), Recurrent),
    "classifier": Family(_classifier_config, Classifier),
    "word-vectors": Family(lambda values: WordVectorsConfig(**values), WordVectors),
}


def family_of(config: object) -> str:
    """The name of the family that a config belongs to."""
    kinds: dict[type, str] = {
        TransformerConfig: "transformer",
        RecurrentConfig: "recurrent",
        ClassifierConfig: "classifier",
        WordVectorsConfig: "word-vectors",
    }
    return kinds[type(config)]


def save(folder: Path, model: nn.Module, card: Card) -> None:
    """Writes both files, each whole or not at all. ValueError for weights that float16 cannot hold."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: value.detach().cpu().half().contiguous() for name, value in model.state_dict().items()}
    for name, value in tensors.items():
        if not value.isfinite().all():
            raise ValueError(f"{card.name}: {name} holds numbers that are not finite in float16.")
    part = folder / f"{WEIGHTS}.part"
    save_file(tensors, part)
    part.chmod(0o644)  # the writer makes it private
    part.replace(folder / WEIGHTS)
    write_card(folder, card)


def write_card(folder: Path, card: Card) -> None:
    """Writes ``card.json``, whole or not at all."""
    part = folder / f"{CARD}.part"
    part.write_text(json.dumps(asdict(card), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(folder / CARD)


def load(folder: Path) -> tuple[nn.Module, Card]:
    """The model, float32 on the CPU, in evaluation mode and without gradients, and its card.

    ValueError when a file is missing or damaged, or the weights are not exactly those that the card describes.
    """
    card = read_card(folder)
    with torch.device("meta"):
        model = FAMILIES[card.family].module(read_config(card, folder))
    expected = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    tensors = _read_weights(folder / WEIGHTS, expected)
    model.load_state_dict(tensors, strict=True, assign=True)
    return model.eval().requires_grad_(False), card


def read_card(folder: Path) -> Card:
    """The card of a checkpoint. ValueError when it is missing, no JSON, or lacks or adds a field."""
    path = folder / CARD
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist.") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not JSON ({error}).") from error
    names = {each.name for each in fields(Card)}
    if not isinstance(values, dict) or set(values) != names:
        wrong = sorted(names ^ set(values)) if isinstance(values, dict) else ["an object"]
        raise ValueError(f"{path} does not have the fields of a card; missing or unknown: {', '.join(wrong)}.")
    if values["family"] not in FAMILIES:
        raise ValueError(f"{path}: family {values['family']!r} is not one of {', '.join(FAMILIES)}.")
    return Card(**{**values, "data": tuple(values["data"])})


def read_config(card: Card, folder: Path) -> Any:
    """The config that a card describes. ValueError when it describes none, or more layers than `MOST_LAYERS`."""
    try:
        config = FAMILIES[card.family].config(card.config)
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"{folder / CARD}: the config is not one of a {card.family} ({error}).") from error
    if (layers := getattr(getattr(config, "encoder", config), "layers", 1)) > MOST_LAYERS:
        raise ValueError(f"{folder / CARD} describes {layers:,} layers, and {MOST_LAYERS} are the most.")
    return config


def _read_weights(path: Path, expected: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """The tensors as float32, exactly those expected, by name and shape."""
    try:
        with safe_open(path, framework="pt") as file:
            found = set(file.keys())
            if wrong := sorted(found ^ set(expected)):
                kind = "unknown" if wrong[0] in found else "missing"
                raise ValueError(f"{path}: tensor {wrong[0]} is {kind}, one of {len(wrong)} that do not fit the card.")
            tensors = {}
            for name, shape in expected.items():
                part = file.get_slice(name)
                if part.get_dtype() != "F16" or tuple(part.get_shape()) != shape:
                    held = f"{part.get_dtype()} {tuple(part.get_shape())}"
                    raise ValueError(f"{path}: {name} is {held}, but the card describes F16 {shape}.")
                tensors[name] = file.get_tensor(name).float()
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist.") from None
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path} is truncated or not a safetensors file ({error}).") from error
    for name, value in tensors.items():
        if not value.isfinite().all():
            raise ValueError(f"{path}: {name} holds numbers that are not finite.")
    return tensors
