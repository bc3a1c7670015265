"""A lesson: a list of screens, each with a question that is answered before the picture is uncovered.

Lessons are TOML files. What is true is never written in them: each question names a function of `core.topics` that
computes it from the run that the learner looks at.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.topics.shared.truth import Truth

LESSONS_FOLDER = Path(__file__).parents[2] / "assets/lessons"
# The kinds of questions, with what `Truth.answer` is, and an answer with it.
KINDS = {
    "choice": "the name of an option: str",
    "token": "the index of a label: int",
    "cell": "the indices of a row and a column: (int, int)",
    "row": "one weight for each label, which sum to 1: (K,)",
    "order": "the indices of all labels, in order: tuple of int",
    "number": "a number: float",
    "formula": "the name of the option for each gap: tuple of str",
}
GAP = "___"
READ_WORDS, SPOKEN_WORDS = 200, 130  # words a minute, read by one learner and aloud to a class
THINKING_MINUTES = 0.5  # of one learner
# Of a class: to vote, to talk in pairs and vote again (about four minutes in all, see Crouch & Mazur 2001), and to
# look at the picture and change something in it.
VOTING_MINUTES, TALKING_MINUTES, LOOKING_MINUTES = 1.0, 1.5, 1.0


class BrokenLesson(ValueError):
    """The error for a lesson file that cannot be used; its message names the file and the screen."""


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from.

    name: the value that the right answer is compared with.
    text: the text shown.
    because: why the answer is wrong, or right; names of facts in braces.
    """

    name: str
    text: str
    because: str


@dataclass(frozen=True)
class Slip:
    """A wrong number that comes from a known slip.

    value: the number; names of facts in braces, as in an explanation.
    because: what the learner did then.
    """

    value: str
    because: str


@dataclass(frozen=True)
class Screen:
    """One screen of a lesson.

    page: the address of the page that it shows.
    settings: the values of settings there, by key, as written in the URL.
    picks: the part of the picture that the question is about, as values of settings that depend on the text, such as
        layer, head, row and word; names of facts in braces, "" for the setting's default.
    text: one to three sentences above the question.
    question: the question, in one sentence.
    kind: the way of answering, one of KINDS.
    truth: the function that computes the right answer, by its dotted path below `core.topics`; it takes (model,
        tokenizer, run) and the arguments, and returns a `Truth`.
    arguments: further arguments of that function, by name.
    explanation: said after the answer; names of facts in braces, with formats as in `str.format`.
    vary: one thing to change afterwards, and what to look for.
    options: the answers to choose from; for a formula, those of all gaps.
    formula: a formula with `GAP` where something is to be filled in.
    unit: what a number counts.
    tolerance: how far from the right answer a number may be.
    slips: wrong numbers that are told apart.
    is_guess: whether nobody can know the answer before it is seen.
    is_about_text: whether the answer depends on the text, which the learner may write.
    notes: for the teacher: what to say, what people often think.
    minutes: how long it takes a class; a file need not give it, see `class_minutes`.
    """

    page: str
    question: str
    kind: str
    truth: str
    explanation: str
    text: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    picks: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    vary: str = ""
    options: tuple[Option, ...] = ()
    formula: str = ""
    unit: str = ""
    tolerance: float = 0.0
    slips: tuple[Slip, ...] = ()
    is_guess: bool = False
    is_about_text: bool = True
    notes: str = ""
    minutes: float = 0.0

    @property
    def function(self) -> Callable[..., Truth]:
        """The function that computes the right answer.

        Raises BrokenLesson if there is none.
        """
        module, _, name = self.truth.rpartition(".")
        try:
            made: Callable[..., Truth] = getattr(import_module(f"core.topics.{module}"), name)
        except (ImportError, AttributeError) as missing:
            raise BrokenLesson(f"there is no function core.topics.{self.truth}") from missing
        return made

    @property
    def words(self) -> int:
        """The number of words to read, before the answer and after it."""
        options = [option.text for option in self.options]
        parts = (self.text, self.question, self.formula, *options, self.explanation, self.vary)
        return sum(len(part.split()) for part in parts)

    @property
    def own_minutes(self) -> float:
        """How long it takes one learner: the time to read it, and to think."""
        return self.words / READ_WORDS + THINKING_MINUTES

    def option(self, name: str) -> Option | None:
        """Return the option of this name; None if there is none."""
        return next((option for option in self.options if option.name == name), None)


@dataclass(frozen=True)
class Lesson:
    """A lesson of a few minutes.

    name: the name of its file, and its name in the URL.
    number: its place in the order in which lessons are learned, from 1.
    title: a question.
    goal: what a learner can do afterwards, in one sentence that begins with a verb.
    words: the sentence that it opens with; the learner may write another.
    terms: the glossary's terms that it introduces.
    """

    name: str
    number: int
    title: str
    goal: str
    words: str
    screens: tuple[Screen, ...]
    terms: tuple[str, ...] = field(default=())

    @property
    def minutes(self) -> float:
        """How long it takes a class, in minutes."""
        return sum(screen.minutes for screen in self.screens)

    @property
    def own_minutes(self) -> float:
        """How long it takes one learner, in minutes."""
        return sum(screen.own_minutes for screen in self.screens)


def load_lesson(path: Path) -> Lesson:
    """Read a lesson from its file.

    Raises BrokenLesson if a field is missing, unknown or of the wrong kind.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        screens = tuple(_screen(number, screen) for number, screen in enumerate(content.pop("screens"), 1))
        lesson = Lesson(path.stem, screens=screens, **content | {"terms": tuple(content.get("terms", ()))})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, BrokenLesson) as mistake:
        raise BrokenLesson(f"{path.name}: {mistake}") from mistake
    if not lesson.screens:
        raise BrokenLesson(f"{path.name}: it has no screens")
    return lesson


@cache
def lessons(folder: Path = LESSONS_FOLDER) -> Mapping[str, Lesson]:
    """Return all lessons by name, in the order in which they are learned; files that cannot be used are left out."""
    usable: list[Lesson] = []
    for path in folder.glob("*.toml"):
        with suppress(BrokenLesson):
            usable.append(load_lesson(path))
    return MappingProxyType({lesson.name: lesson for lesson in sorted(usable, key=lambda lesson: lesson.number)})


def _screen(number: int, content: Mapping[str, Any]) -> Screen:
    known = {field.name for field in fields(Screen)}
    if unknown := sorted(set(content) - known):
        raise BrokenLesson(f"screen {number}: there is no field {unknown[0]!r}")
    options = tuple(Option(**option) for option in content.get("options", ()))
    slips = tuple(Slip(**slip) for slip in content.get("slips", ()))
    screen = Screen(**{**content, "options": options, "slips": slips})
    for wrong, sentence in (
        (screen.kind not in KINDS, f"{screen.kind!r} is no kind of question: {', '.join(KINDS)}"),
        (screen.kind in ("choice", "formula") and len(options) < 2, "there are fewer than two options"),
        (screen.kind != "number" and slips, "only numbers have slips"),
        (screen.kind == "formula" and GAP not in screen.formula, f"its formula has no gap ({GAP})"),
        (len({option.name for option in options}) < len(options), "two options have the same name"),
        (not re.fullmatch(r"\w+(\.\w+)+", screen.truth), f"{screen.truth!r} is no dotted path"),
    ):
        if wrong:
            raise BrokenLesson(f"screen {number}: {sentence}")
    return screen if "minutes" in content else replace(screen, minutes=class_minutes(screen))


def class_minutes(screen: Screen) -> float:
    """Return how long a screen takes a class, to half a minute; nobody talks about what can only be guessed."""
    talking = 0.0 if screen.is_guess else TALKING_MINUTES
    return round(2 * (screen.words / SPOKEN_WORDS + VOTING_MINUTES + talking + LOOKING_MINUTES)) / 2
