"""Texts to begin with, for each model: sentences for most, pairs for translators, letters for the toys."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from core.limits import JSON_MIB
from core.memory import MIB
from core.text.bounded_read import bounded_bytes, strict_json
from core.text.broken_file import BrokenFile

FILE = Path(__file__).parents[2] / "assets" / "examples.json"


@dataclass(frozen=True)
class Example:
    """One text to begin with.

    text: "" for the text before. target: what an encoder-decoder's decoder reads; "" for what the model itself writes,
    None for what it read before. other: the name of an example that differs in a word. yours: another translation, as
    a person might write it.
    """

    text: str
    target: str | None = None
    other: str = ""
    yours: str = ""


Named = Mapping[str, Example]


@dataclass(frozen=True)
class ExampleFile:
    """What ``examples.json`` holds: examples for any model, texts for any decoder, and the examples of some models."""

    texts: Named
    targets: Mapping[str, str]
    models: Mapping[str, Named]

    @cached_property
    def known_texts(self) -> frozenset[str]:
        """Every example's text."""
        return frozenset(each.text for group in (self.texts, *self.models.values()) for each in group.values())


# What there is to begin with where the file is broken.
FEWEST = ExampleFile(
    {"who is it?": Example("The animal didn't cross the street because it was too tired.")},
    {"a summary": "The animal was too tired."},
    {},
)


def read_examples(path: Path = FILE) -> ExampleFile:
    """The file. BrokenFile where it is missing or damaged."""
    try:
        values = strict_json(bounded_bytes(path, JSON_MIB * MIB))
        found = ExampleFile(
            {name: _example(each) for name, each in values["texts"].items()},
            {name: str(text) for name, text in values["targets"].items()},
            {
                model: {name: _example({"target": "", **each}) for name, each in own.items()}
                for model, own in values["models"].items()
            },
        )
    except FileNotFoundError:
        raise BrokenFile(f"The file {path.name} is missing.", "") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else error if isinstance(error, ValueError) else repr(error)
        raise BrokenFile(f"The file {path.name} cannot be read ({why}).", "") from error
    if not (found.texts and found.targets and all(found.models.values())):
        raise BrokenFile(f"The file {path.name} has no example where there must be one.", "")
    return found


def _example(values: Mapping[str, Any]) -> Example:
    found = Example(**values)
    texts = (found.text, found.other, found.yours)
    if not all(isinstance(text, str) for text in texts) or not isinstance(found.target, str | None):
        raise TypeError(f"{str(values)[:40]} is no example")
    return found


@cache
def _whole_file() -> ExampleFile:
    return read_examples(FILE)


def _file() -> tuple[ExampleFile, str]:
    """The examples, and what is wrong with their file; in its place, until it is whole, there are the `FEWEST`."""
    try:
        return _whole_file(), ""
    except BrokenFile as broken:
        return FEWEST, str(broken)


def why_no_examples() -> str:
    """What is wrong with the file of examples; "" where it is whole."""
    return _file()[1]


def examples_of(model: str) -> Named:
    """The examples that fit a model, by their names."""
    found, _ = _file()
    return found.models.get(model, found.texts)


def targets_of(model: str) -> Named:
    """Examples of the decoder's text alone, for a model that has no examples of its own."""
    found, _ = _file()
    return {name: Example("", text) for name, text in found.targets.items()} if model not in found.models else {}


def first_example(model: str) -> Example:
    """What a visitor of a model sees first; the decoder's text too, whether it has a decoder or not."""
    first, *_ = examples_of(model).values()
    return first if first.target is not None else replace(first, target=next(iter(_file()[0].targets.values())))


def known_texts() -> frozenset[str]:
    """Every example's text: such a text makes place for that of another model."""
    return _file()[0].known_texts


def texts_of(model: str) -> frozenset[str]:
    """The texts of a model's examples."""
    return frozenset(each.text for each in examples_of(model).values())


def other_text(model: str, text: str) -> str:
    """The text of the example that differs from this one in a word; "" where there is none."""
    examples = examples_of(model)
    names = (each.other for each in examples.values() if each.text == text and each.other)
    return next((examples[name].text for name in names if name in examples), "")


def paired_text(model: str) -> str:
    """The text of the model's first example that has such a counterpart; "" where none has."""
    return next((each.text for each in examples_of(model).values() if each.other), "")


def persons_translation(model: str, text: str) -> str:
    """Another translation of an example's text, as a person might write it; "" where there is none."""
    return next((each.yours for each in examples_of(model).values() if each.text == text), "")
