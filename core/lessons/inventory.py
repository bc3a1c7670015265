"""A concept inventory: each concept is tested by two questions, A before the lessons and B after them.

The inventory is the only place where right answers are written down. All other questions are about a run, and their
answers are computed from it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

INVENTORY_FILE = Path(__file__).parents[2] / "assets/inventory.toml"
HALVES = ("A", "B")
LETTERS = "abcd"
UNSURE = len(LETTERS)  # the index of the answer “I do not know”, which is never right
UNSURE_ANSWER = "I do not know"


class BrokenInventory(ValueError):
    """The error for an inventory file that cannot be used; its message names the question."""


@dataclass(frozen=True)
class InventoryChoice:
    """One of the four answers to a question of the inventory.

    misconception: the wrong belief behind the answer; "" for the right one.
    instead: the correction; "" for the right one.
    """

    text: str
    misconception: str = ""
    instead: str = ""


@dataclass(frozen=True)
class InventoryQuestion:
    """One question of the inventory.

    name: its half and its number there, such as "A1".
    concept: the name of its concept.
    options: four.
    right: the index of the right option.
    because: why that one is right.
    """

    name: str
    concept: str
    question: str
    options: tuple[InventoryChoice, ...]
    right: int
    because: str


@dataclass(frozen=True)
class Concept:
    """A concept, with one question in each half.

    lesson: the name of the lesson that is about it.
    questions: its questions, by half.
    """

    name: str
    title: str
    lesson: str
    questions: Mapping[str, InventoryQuestion]


@dataclass(frozen=True)
class Inventory:
    """The concepts in the order in which they are asked."""

    concepts: tuple[Concept, ...]

    def half(self, half: str) -> tuple[InventoryQuestion, ...]:
        """Return the questions of one half, in order."""
        return tuple(concept.questions[half] for concept in self.concepts)

    def score(self, answers: Mapping[str, int]) -> dict[str, dict[str, bool]]:
        """Return by the name of the concept, then by half, whether the answer was right.

        Halves without an answer are left out. Raises ValueError for an answer that is none of the options.

        answers: the index of the chosen option, or `UNSURE`, by the name of the question.
        """
        by_concept: dict[str, dict[str, bool]] = {}
        for concept in self.concepts:
            by_concept[concept.name] = {}
            for half, question in concept.questions.items():
                if question.name in answers:
                    by_concept[concept.name][half] = checked_choice(question, answers[question.name]) == question.right
        return by_concept


def checked_choice(question: InventoryQuestion, answer: Any) -> int:
    """Return the answer if it is the index of an option, or `UNSURE`.

    Raises ValueError otherwise.
    """
    if type(answer) is not int or not 0 <= answer <= UNSURE:
        raise ValueError(f"{answer!r} is no answer to question {question.name}: 0 to {UNSURE}")
    return answer


def answers_of(questions: Sequence[InventoryQuestion], chosen: Sequence[int]) -> dict[str, int]:
    """Return the number of the chosen option, from 0, by the name of each question, such as "A1".

    questions: those of half A or of half B.
    chosen: the number of the option for each of them, in the same order.
    """
    return {question.name: choice for question, choice in zip(questions, chosen, strict=True)}


@cache
def inventory(path: Path = INVENTORY_FILE) -> Inventory:
    """Read the inventory from its file.

    Raises BrokenInventory if a field is missing, unknown or wrong.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))["concepts"]
        concepts = tuple(_concept(number, entry) for number, entry in enumerate(content, 1))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as mistake:
        raise BrokenInventory(f"{path.name}: {mistake}") from mistake
    if len({concept.name for concept in concepts}) < len(concepts):
        raise BrokenInventory(f"{path.name}: two concepts have the same name")
    return Inventory(concepts)


def _concept(number: int, entry: Mapping[str, Any]) -> Concept:
    rest = dict(entry)
    questions = {half: _question(f"{half}{number}", entry["name"], rest.pop(half)) for half in HALVES}
    return Concept(questions=questions, **rest)


def _question(name: str, concept: str, entry: Mapping[str, Any]) -> InventoryQuestion:
    options = tuple(InventoryChoice(**option) for option in entry["options"])
    if len(options) != len(LETTERS):
        raise BrokenInventory(f"question {name} has {len(options)} options instead of {len(LETTERS)}")
    if len(entry["right"]) != 1 or entry["right"] not in LETTERS:
        raise BrokenInventory(f"question {name}: {entry['right']!r} is none of the letters {LETTERS}")
    right = LETTERS.index(entry["right"])
    for index, option in enumerate(options):
        explained = option.misconception and option.instead
        if (index == right) == bool(explained):
            what = "is right and has a misconception" if index == right else "is wrong and has none, or nothing instead"
            raise BrokenInventory(f"question {name}: option {LETTERS[index]} {what}")
    return InventoryQuestion(name, concept, **{**entry, "options": options, "right": right})
