"""A checkpoint's card, ``card.json``, which describes the weights beside it and the modules that they belong to."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from math import inf
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from torch import nn

from core.limits import FILE_LAYERS, FILE_SIZES, JSON_MIB
from core.memory import MIB
from core.model.classifier import Classifier, ClassifierConfig
from core.model.config import TransformerConfig, config_from_json
from core.model.recurrent import Recurrent, RecurrentConfig
from core.model.transformer import Transformer
from core.model.word2vec import WordVectors, WordVectorsConfig
from core.text.bounded_read import bounded_bytes, strict_json
from core.text.broken_file import BrokenFile

CARD = "card.json"


@dataclass(frozen=True)
class Card:
    """The description of a checkpoint, in plain values.

    name: its key, in an address and as a folder.
    title: its name on screen.
    limits: the things that it cannot do, in a sentence or two.
    family: one of `FAMILIES`.
    config: the fields of its config.
    tokenizer: {"name": …} for one of ``assets/tokenizers``, {"name": …, "own": True} for a file of that name beside the
    weights, {"symbols": […]} for a list of symbols, {"spaced": […]} for a list of words with spaces between them in a
    text, {"words": "words.txt"} for one word a line. "mask" in addition is the id of the piece that hides a token, for
    an encoder trained to predict hidden tokens by `Transformer.logits` of its output.
    data: its sources with their licences.
    minutes: the minutes of training.
    commands: "train" and "evaluate", as they were run.
    scores: the results of the second of them.
    """

    name: str
    title: str
    what: str
    limits: str
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
    """A kind of model: how its config is read from a card and how its modules are made."""

    config: Callable[[Mapping[str, Any]], Any]
    module: Callable[[Any], nn.Module]


def _classifier_config(values: Mapping[str, Any]) -> ClassifierConfig:
    fields_of = {**values, "encoder": config_from_json(values["encoder"]), "labels": tuple(values["labels"])}
    return ClassifierConfig(**fields_of)


FAMILIES: dict[str, Family] = {
    "transformer": Family(config_from_json, Transformer),
    "recurrent": Family(lambda values: RecurrentConfig(**values), Recurrent),
    "classifier": Family(_classifier_config, Classifier),
    "word-vectors": Family(lambda values: WordVectorsConfig(**values), WordVectors),
}

# The JSON type that each field must have, and the name of that type in an error message.
KINDS: Mapping[tuple[type, ...], tuple[str, tuple[str, ...]]] = {
    (str,): ("a text", ("name", "title", "what", "limits", "family", "split")),
    (dict,): ("an object", ("config", "tokenizer", "commands", "scores")),
    (list,): ("a list", ("data",)),
    (int,): ("a whole number", ("seed", "steps", "parameters")),
    (int, float): ("a number", ("minutes",)),
}


def family_of(config: object) -> str:
    """Return the name of the family that a config belongs to."""
    kinds: dict[type, str] = {
        TransformerConfig: "transformer",
        RecurrentConfig: "recurrent",
        ClassifierConfig: "classifier",
        WordVectorsConfig: "word-vectors",
    }
    return kinds[type(config)]


def write_card(folder: Path, card: Card) -> None:
    """Write ``card.json``, whole or not at all."""
    part = folder / f"{CARD}.part"
    part.write_text(json.dumps(asdict(card), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(folder / CARD)


def _few(names: Sequence[str]) -> str:
    """Return the first of some names as one text, because a damaged file may have any number of them."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(name[:40] for name in names[:5]) + more


def read_card(folder: Path) -> Card:
    """Read the card of a checkpoint.

    Raises BrokenFile if it is missing, is not JSON, or does not have the fields of a card.
    """
    path = folder / CARD
    try:
        values = strict_json(bounded_bytes(path, JSON_MIB * MIB))
    except FileNotFoundError:
        raise BrokenFile(f"{path} does not exist.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenFile(f"{path} is not JSON ({error}).") from error
    names = {field.name for field in fields(Card)}
    if not isinstance(values, dict) or set(values) != names:
        wrong = sorted(names ^ set(values)) if isinstance(values, dict) else ["an object"]
        raise BrokenFile(f"{path} does not have the fields of a card; missing or unknown: {_few(wrong)}.")
    for kinds, (word, named) in KINDS.items():
        for name in named:
            if not isinstance(values[name], kinds) or values[name] == "":
                raise BrokenFile(f"{path}: {name} must be {word}, not {str(values[name])[:40]!r}.")
    if not 0 <= values["minutes"] < inf:
        raise BrokenFile(f"{path}: {values['minutes']} minutes of training cannot be.")
    for number, source in enumerate(values["data"], 1):
        if not isinstance(source, dict) or not all(isinstance(source.get(part), str) for part in ("text", "licence")):
            raise BrokenFile(f"{path}: source {number} of the data must have a text and a licence.")
    if not all(isinstance(command, str) for command in values["commands"].values()):
        raise BrokenFile(f"{path}: each command must be a text.")
    if values["family"] not in FAMILIES:
        raise BrokenFile(f"{path}: family {values['family'][:40]!r} is not one of {', '.join(FAMILIES)}.")
    return Card(**{**values, "data": tuple(values["data"])})


def read_config(card: Card, folder: Path) -> Any:
    """Return the config that a card describes.

    Raises BrokenFile if it describes none, or more layers than `FILE_LAYERS`.
    """
    try:
        config = FAMILIES[card.family].config(card.config)
    except (TypeError, KeyError, ValueError) as error:
        raise BrokenFile(f"{folder / CARD}: the config is not one of a {card.family} ({str(error)[:100]}).") from error
    body = getattr(config, "encoder", config)
    for part_config in (config, body):
        _check_kinds(part_config, folder / CARD)
    if (layers := max(getattr(body, "layers", 1), getattr(body, "decoder_layers", None) or 0)) > FILE_LAYERS:
        raise BrokenFile(f"{folder / CARD} describes {layers:,} layers, and {FILE_LAYERS} are the most.")
    return config


def _check_kinds(config: Any, path: Path) -> None:
    """Raise BrokenFile if a field of a config is of the wrong type, such as 8.5 heads, or too large."""
    for name, hint in get_type_hints(type(config)).items():
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        known = {get_origin(kind) or kind for kind in kinds}
        if type(value := getattr(config, name)) not in known | ({int} if float in known else set()):
            raise BrokenFile(f"{path}: {name} of the config cannot be {str(value)[:40]!r}.")
        if isinstance(value, int) and value > FILE_SIZES:
            raise BrokenFile(f"{path}: {name} of the config is more than {FILE_SIZES:,}.")
