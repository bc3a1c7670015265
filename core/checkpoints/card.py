"""A checkpoint's card: ``card.json``, which says what the weights beside it are and which modules they belong to."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from torch import nn

from core.model.classifier import Classifier, ClassifierConfig
from core.model.config import TransformerConfig, config_from_json
from core.model.recurrent import Recurrent, RecurrentConfig
from core.model.transformer import Transformer
from core.model.word2vec import WordVectors, WordVectorsConfig

CARD = "card.json"
MOST_LAYERS = 100  # making a module takes time for each


@dataclass(frozen=True)
class Card:
    """What a checkpoint is, in plain values.

    name: its key, in an address and as a folder; title: what it is called on screen. limits: what it cannot do, in
    a sentence or two. family: which of `FAMILIES`; config: the fields of its config. tokenizer: {"name": …} for one of
    ``assets/tokenizers``, {"name": …, "own": True} for a file of that name beside the weights, {"symbols": […]} for
    a list of symbols, {"words": "words.txt"} for one word a line; "mask" beside it is the id of the piece that hides a
    token from an encoder that learnt to tell it, by `Transformer.logits` of its output. data: sources with their
    licences. minutes: of training. commands: "train" and "evaluate", as they were run. scores: what the second of them
    measured.
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
    """One kind of model: how its config is read from a card and its modules are made."""

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

# JSON's own kinds of value, by field, and what a refusal calls them.
KINDS: Mapping[tuple[type, ...], tuple[str, tuple[str, ...]]] = {
    (str,): ("a text", ("name", "title", "what", "limits", "family", "split")),
    (dict,): ("an object", ("config", "tokenizer", "commands", "scores")),
    (list,): ("a list", ("data",)),
    (int,): ("a whole number", ("seed", "steps", "parameters")),
    (int, float): ("a number", ("minutes",)),
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


def write_card(folder: Path, card: Card) -> None:
    """Writes ``card.json``, whole or not at all."""
    part = folder / f"{CARD}.part"
    part.write_text(json.dumps(asdict(card), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(folder / CARD)


def read_card(folder: Path) -> Card:
    """The card of a checkpoint. ValueError when it is missing, no JSON, or its fields are not those of a card."""
    path = folder / CARD
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON ({error}).") from error
    names = {each.name for each in fields(Card)}
    if not isinstance(values, dict) or set(values) != names:
        wrong = sorted(names ^ set(values)) if isinstance(values, dict) else ["an object"]
        raise ValueError(f"{path} does not have the fields of a card; missing or unknown: {', '.join(wrong)}.")
    for kinds, (word, named) in KINDS.items():
        for name in named:
            if not isinstance(values[name], kinds):
                raise ValueError(f"{path}: {name} must be {word}, not {str(values[name])[:40]!r}.")
    if values["family"] not in FAMILIES:
        raise ValueError(f"{path}: family {values['family']!r} is not one of {', '.join(FAMILIES)}.")
    return Card(**{**values, "data": tuple(values["data"])})


def read_config(card: Card, folder: Path) -> Any:
    """The config that a card describes. ValueError when it describes none, or more layers than `MOST_LAYERS`."""
    try:
        config = FAMILIES[card.family].config(card.config)
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"{folder / CARD}: the config is not one of a {card.family} ({error}).") from error
    body = getattr(config, "encoder", config)
    if (layers := max(getattr(body, "layers", 1), getattr(body, "decoder_layers", None) or 0)) > MOST_LAYERS:
        raise ValueError(f"{folder / CARD} describes {layers:,} layers, and {MOST_LAYERS} are the most.")
    return config
