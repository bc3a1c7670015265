"""A concept inventory: two questions about each concept, A and B, one for before the lessons and one for after.

The inventory is the only place where right answers are written down. All other questions are about a run, and their
answers are computed from it.
"""

import math
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.lessons.lesson import READ_WORDS, THINKING_MINUTES, VOTING_MINUTES

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

    @property
    def minutes(self) -> float:
        """How long it takes one learner: the time to read it with its options, and to think."""
        words = sum(len(text.split()) for text in (self.question, *(option.text for option in self.options)))
        return words / READ_WORDS + THINKING_MINUTES


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

    @property
    def minutes(self) -> float:
        """How long the half that takes longer takes a class, with the time to send it, rounded up to half a minute."""
        longer = max(sum(question.minutes for question in self.half(half)) for half in HALVES)
        return math.ceil(2 * (longer + VOTING_MINUTES)) / 2

    def taught_in(self, lessons: Collection[str]) -> "Inventory":
        """Return the concepts that some lessons are about; all of them if these lessons are about none.

        lessons: their names.
        """
        return Inventory(tuple(concept for concept in self.concepts if concept.lesson in lessons) or self.concepts)

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


@dataclass(frozen=True)
class ConceptGain:
    """How many were right about a concept before and after, of those who answered its question both times.

    people: how many answered both times; “I do not know” is an answer.
    before, after: how many of them were right.
    """

    title: str
    people: int
    before: int
    after: int

    @property
    def gain(self) -> float | None:
        """The normalised gain; None if nobody answered both times, or if all were right before."""
        return normalised_gain(self.people, self.before, self.after)


@dataclass(frozen=True)
class ClassGain:
    """What a class has gained, by concept and in all.

    concepts: in the order of the inventory.
    people: how many answered at least one concept both times.
    gain: of all concepts together; None as for one.
    error: its standard error; None if it cannot be told.
    """

    concepts: tuple[ConceptGain, ...]
    people: int
    gain: float | None
    error: float | None


def normalised_gain(answered: int, before: int, after: int) -> float | None:
    """Return how much of what was not known before is known after: (after − before) / (answered − before).

    This is the gain of Hake (1998), written with counts in place of shares. It is 1 if all are right after, 0 if as
    many are right as before, and negative if fewer are. It is None if nothing could be gained: if nobody answered, or
    all were right before.
    """
    return (after - before) / (answered - before) if answered > before else None


def class_gain(concepts: Sequence[Concept], people: Iterable[tuple[Mapping[str, int], Mapping[str, int]]]) -> ClassGain:
    """Return what a class has gained.

    Half of the class has the questions A before, the other half B. So a question that is harder than its counterpart
    counts as much before as after, as long as both halves are of the same size.

    The gain in all is that of all pairs of answers together: of P pairs, b were right before and a after, and
    G = (a − b) / (P − b). Its standard error is the jackknife's over the people: with G_i the gain without person i, n
    people and m the mean of all G_i, it is √((n − 1) / n · Σ (G_i − m)²). It is None if there are fewer than two
    people, or if some G_i does not exist.

    people: of each person the answers before and after, by the name of the question; those left out are missing.
    """
    pairs = [found for before, after in people if (found := _pairs(concepts, before, after))]
    counts = [
        ConceptGain(
            concept.title,
            sum(concept.name in found for found in pairs),
            *(sum(found[concept.name][when] for found in pairs if concept.name in found) for when in (0, 1)),
        )
        for concept in concepts
    ]
    totals = [(len(found), *map(sum, zip(*found.values(), strict=True))) for found in pairs]
    answered, before, after = (sum(total[i] for total in totals) for i in range(3))
    without = [normalised_gain(answered - n, before - b, after - a) for n, b, a in totals]
    return ClassGain(tuple(counts), len(pairs), normalised_gain(answered, before, after), _jackknife(without))


def _pairs(
    concepts: Sequence[Concept], before: Mapping[str, int], after: Mapping[str, int]
) -> dict[str, tuple[bool, bool]]:
    """Return whether a person was right before and after, by the name of the concept, where both were answered."""
    return {
        concept.name: (first, second)
        for concept in concepts
        if (first := _is_right(concept, before)) is not None and (second := _is_right(concept, after)) is not None
    }


def _is_right(concept: Concept, answers: Mapping[str, int]) -> bool | None:
    """Return whether the answer to a concept's question is right; None if there is none."""
    for question in concept.questions.values():
        if question.name in answers:
            return answers[question.name] == question.right
    return None


def _jackknife(without: Sequence[float | None]) -> float | None:
    """Return the standard error of a number, from what it is without each of the people."""
    known = [each for each in without if each is not None]
    if len(known) < len(without) or len(known) < 2:
        return None
    mean = sum(known) / len(known)
    return math.sqrt((len(known) - 1) / len(known) * sum((each - mean) ** 2 for each in known))


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
