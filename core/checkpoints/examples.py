"""Texts to begin with, for each model: sentences for most, pairs for translators, letters for the toys."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "assets" / "examples.json"


@dataclass(frozen=True)
class Example:
    """One text to begin with.

    text: "" for the text before. target: what an encoder-decoder's decoder reads; "" for what the model itself writes,
    None for what it read before. other: the name of an example that differs in a word.
    """

    text: str
    target: str | None = None
    other: str = ""


@cache
def _file() -> Mapping[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@cache
def examples_of(model: str) -> Mapping[str, Example]:
    """The examples that fit a model, by their names."""
    own = _file()["models"].get(model)
    if own is None:
        return {name: Example(**each) for name, each in _file()["texts"].items()}
    return {name: Example(**{"target": "", **each}) for name, each in own.items()}


@cache
def targets_of(model: str) -> Mapping[str, Example]:
    """Examples of the decoder's text alone, for a model that has no examples of its own."""
    found = {} if model in _file()["models"] else _file()["targets"]
    return {name: Example("", text) for name, text in found.items()}


def first_example(model: str) -> Example:
    """What a visitor of a model sees first; the decoder's text too, whether it has a decoder or not."""
    first, *_ = examples_of(model).values()
    return first if first.target is not None else replace(first, target=next(iter(_file()["targets"].values())))


@cache
def known_texts() -> frozenset[str]:
    """Every example's text: such a text makes place for that of another model."""
    groups = (_file()["texts"], *_file()["models"].values())
    return frozenset(each["text"] for group in groups for each in group.values())


@cache
def texts_of(model: str) -> frozenset[str]:
    """The texts of a model's examples."""
    return frozenset(each.text for each in examples_of(model).values())


def other_text(model: str, text: str) -> str:
    """The text of the example that differs from this one in a word; "" where there is none."""
    examples = examples_of(model)
    names = (each.other for each in examples.values() if each.text == text and each.other)
    return next((examples[name].text for name in names), "")
