"""Example texts for each model: sentences for most, pairs for translators, letters for the toys."""

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
    """An example text for a visitor to begin with.

    text: the text; "" keeps the current one.
    target: the text that the decoder of an encoder-decoder reads; "" for the text that the model itself writes, None to
    keep the current one.
    other: the name of an example that differs from this one in a word.
    yours: another translation, as a person might write it.
    """

    text: str
    target: str | None = None
    other: str = ""
    yours: str = ""


Named = Mapping[str, Example]


@dataclass(frozen=True)
class ExampleFile:
    """The content of ``examples.json``: examples for any model, texts for any decoder, and examples of some models."""

    texts: Named
    targets: Mapping[str, str]
    models: Mapping[str, Named]

    @cached_property
    def known_texts(self) -> frozenset[str]:
        """The texts of all examples."""
        return frozenset(example.text for group in (self.texts, *self.models.values()) for example in group.values())


# The examples that are offered if the file is broken.
BUILT_IN_EXAMPLES = ExampleFile(
    {"who is it?": Example("The animal didn't cross the street because it was too tired.")},
    {"a summary": "The animal was too tired."},
    {},
)


def read_examples(path: Path = FILE) -> ExampleFile:
    """Read the file of examples.

    Raises BrokenFile if it is missing or damaged.
    """
    try:
        values = strict_json(bounded_bytes(path, JSON_MIB * MIB))
        file = ExampleFile(
            {name: _example(fields) for name, fields in values["texts"].items()},
            {name: str(text) for name, text in values["targets"].items()},
            {
                model: {name: _example({"target": "", **fields}) for name, fields in model_examples.items()}
                for model, model_examples in values["models"].items()
            },
        )
    except FileNotFoundError:
        raise BrokenFile(f"The file {path.name} is missing.", "") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else error if isinstance(error, ValueError) else repr(error)
        raise BrokenFile(f"The file {path.name} cannot be read ({why}).", "") from error
    if not (file.texts and file.targets and all(file.models.values())):
        raise BrokenFile(f"The file {path.name} has no example where there must be one.", "")
    return file


def _example(values: Mapping[str, Any]) -> Example:
    example = Example(**values)
    texts = (example.text, example.other, example.yours)
    if not all(isinstance(text, str) for text in texts) or not isinstance(example.target, str | None):
        raise TypeError(f"{str(values)[:40]} is no example")
    return example


@cache
def _whole_file() -> ExampleFile:
    return read_examples(FILE)


def _file() -> tuple[ExampleFile, str]:
    """Return the examples, and the reason why their file cannot be read ("" if it can).

    The examples are the `BUILT_IN_EXAMPLES` until the file can be read.
    """
    try:
        return _whole_file(), ""
    except BrokenFile as broken:
        return BUILT_IN_EXAMPLES, str(broken)


def why_no_examples() -> str:
    """Return the reason why the file of examples cannot be read; "" if it can."""
    return _file()[1]


def examples_of(model: str) -> Named:
    """Return the examples that fit a model, by their names."""
    file, _ = _file()
    return file.models.get(model, file.texts)


def targets_of(model: str) -> Named:
    """Return examples of the decoder's text alone, for a model that has no examples of its own."""
    file, _ = _file()
    return {name: Example("", text) for name, text in file.targets.items()} if model not in file.models else {}


def first_example(model: str) -> Example:
    """Return the example that a visitor of a model sees first, always with a text for the decoder."""
    first, *_ = examples_of(model).values()
    return first if first.target is not None else replace(first, target=next(iter(_file()[0].targets.values())))


def known_texts() -> frozenset[str]:
    """Return the texts of all examples.

    If the visitor's text is one of them and belongs to another model, it is replaced when the model changes.
    """
    return _file()[0].known_texts


def texts_of(model: str) -> frozenset[str]:
    """Return the texts of a model's examples."""
    return frozenset(example.text for example in examples_of(model).values())


def other_text(model: str, text: str) -> str:
    """Return the text of the example that differs from this one in a word; "" if there is none."""
    examples = examples_of(model)
    names = (example.other for example in examples.values() if example.text == text and example.other)
    return next((examples[name].text for name in names if name in examples), "")


def paired_text(model: str) -> str:
    """Return the text of the model's first example that has a counterpart differing in a word; "" if none has."""
    return next((example.text for example in examples_of(model).values() if example.other), "")


def persons_translation(model: str, text: str) -> str:
    """Return another translation of an example's text, as a person might write it; "" if there is none."""
    return next((example.yours for example in examples_of(model).values() if example.text == text), "")
