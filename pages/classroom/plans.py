"""A plan of a class: the questions that one room asks, in their order; and the plans of 45 and of 90 minutes.

A plan may begin and end with a step that asks the concept inventory, about the ideas that its lessons teach.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType

from core.lessons.inventory import Inventory, inventory
from core.lessons.lesson import Lesson, Screen, lessons
from core.topics.shared.truth import Truth
from pages.classroom.states import When

PLANS = MappingProxyType({"plan-90": 90, "plan-45": 45})  # their names in the address, and their minutes
OPENING_MINUTES = ENDING_MINUTES = 5  # minutes
MIN_QUESTIONS = 2  # of a lesson that is begun and not finished
LONG_PLAN_MINUTES = 90  # minutes, from which on the inventory is asked before and after
# The lessons that a short plan keeps: each uses only words that those before it explain. The others follow in their own
# order.
FIRST_LESSONS = ("what-is-a-token", "query-key-value", "weights-of-a-row", "is-it-an-explanation", "masks", "next-word")
OWN_TITLE = "The teacher’s own question"
INVENTORY_TITLE = "What do you know?"
# The steps that ask the inventory: their question, what stands above it, and the notes for the teacher.
STEP_WORDS: Mapping[When, tuple[str, str, str]] = MappingProxyType(
    {
        "before": (
            "What do you know already?",
            "Answer on your own. Others have other questions about the same ideas. If you do not know, say so.",
            "Close the vote and go on: what is right is shown at the end, after the same ideas have been asked again.",
        ),
        "after": (
            "What do you know now?",
            "The same ideas in other questions. Answer on your own. If you do not know, say so.",
            "Then show what is right: everybody sees the gain of the class, and each phone what was right of its own "
            "answers.",
        ),
    }
)


@dataclass(frozen=True)
class PlanQuestion:
    """A question of a plan: of a lesson, or the teacher's own; or a step that asks the inventory.

    lesson: the lesson that it is from; None if it is the teacher's own.
    number: its number in that lesson, from 1.
    right: of the teacher's own question the name of the right option.
    when: whether it asks the inventory, before or after the lessons; "" for a question.
    """

    screen: Screen
    lesson: Lesson | None = None
    number: int = 0
    right: str = ""
    when: When = ""

    @property
    def title(self) -> str:
        """The title of its lesson."""
        if self.when:
            return INVENTORY_TITLE
        return self.lesson.title if self.lesson else OWN_TITLE

    @property
    def words(self) -> str:
        """The sentence that it is asked about unless the teacher gives another; "" for the teacher's own question."""
        return self.lesson.words if self.lesson else ""

    @property
    def own_truth(self) -> Truth:
        """The right answer to the teacher's own question, for which nothing is computed; "" for the inventory."""
        return Truth(self.right)

    def sentence(self, text: str) -> str:
        """Return the sentence that its answer is about, if the class reads this text."""
        return text if self.screen.is_about_text else self.words


def inventory_step(when: When, minutes: float) -> PlanQuestion:
    """Return the step that asks the inventory before or after the lessons.

    minutes: how long it takes a class.
    """
    question, text, notes = STEP_WORDS[when]
    screen = Screen(
        page="",
        question=question,
        kind="inventory",
        truth="",
        explanation="",
        text=text,
        is_about_text=False,
        notes=notes,
        minutes=minutes,
    )
    return PlanQuestion(screen, when=when)


@dataclass(frozen=True)
class ClassPlan:
    """The questions of one room.

    name: of the files that are saved of the class.
    text: the sentence that all questions are asked about; "" if each is asked about that of its lesson.
    """

    name: str
    title: str
    questions: tuple[PlanQuestion, ...]
    text: str = ""

    @property
    def main_questions(self) -> tuple[PlanQuestion, ...]:
        """The questions without the steps that ask the inventory."""
        return tuple(question for question in self.questions if not question.when)

    @property
    def asks_inventory(self) -> bool:
        """Whether it asks the inventory before and after the lessons."""
        return len(self.main_questions) < len(self.questions)

    def step(self, when: When) -> int | None:
        """Return the number, from 1, of the step that asks the inventory before or after; None if there is none."""
        return next((number for number, each in enumerate(self.questions, 1) if each.when == when), None)

    @property
    def with_inventory(self) -> "ClassPlan":
        """The same plan, which asks the inventory first and last."""
        before, after = (inventory_step(when, self.ideas.minutes) for when in STEP_WORDS)
        return replace(self, questions=(before, *self.main_questions, after))

    @property
    def ideas(self) -> Inventory:
        """What is asked in it of the inventory."""
        return ideas_of(self.lessons)

    @property
    def minutes(self) -> float:
        """How long its questions take a class, in minutes."""
        return sum(question.screen.minutes for question in self.questions)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that its questions are from, each once, in their order."""
        return tuple({each.lesson.name: each.lesson for each in self.questions if each.lesson}.values())


def ideas_of(taken: Iterable[Lesson]) -> Inventory:
    """Return the ideas that a class is asked about: those that its lessons teach; all if they teach none."""
    return inventory().taught_in({lesson.name for lesson in taken})


def lesson_plan(lesson: Lesson) -> ClassPlan:
    """Return the plan with all questions of one lesson."""
    return ClassPlan(lesson.name, lesson.title, _questions(lesson, len(lesson.screens)), lesson.words)


def timed_plan(name: str, known: Mapping[str, Lesson]) -> ClassPlan:
    """Return one of PLANS, with the questions that its printed page has.

    known: the lessons by name.
    """
    questions = tuple(
        question for part in chosen(PLANS[name], known) for question in _questions(known[part.name], len(part.screens))
    )
    return ClassPlan(name, f"Plan of {PLANS[name]} minutes", questions)


def chosen(minutes: int, known: Mapping[str, Lesson] | None = None) -> list[Lesson]:
    """Return the lessons for which there is time in a class of this length, in their order.

    A lesson that does not fit as a whole has its first screens alone. In a long class, the questions before and after
    about the ideas that a lesson teaches take from the same time.

    known: the lessons by name; all that there are if it is left out.
    """
    known = lessons() if known is None else known
    order = [
        *(known[name] for name in FIRST_LESSONS if name in known),
        *(known[name] for name in known if name not in FIRST_LESSONS),
    ]
    taken: list[Lesson] = []
    for lesson in order:
        asking = 2 * ideas_of([*taken, lesson]).minutes if minutes >= LONG_PLAN_MINUTES else 0.0
        left = minutes - OPENING_MINUTES - ENDING_MINUTES - asking - sum(each.minutes for each in taken)
        if begun := _begun(lesson, left):
            taken.append(begun)
    return sorted(taken, key=lambda lesson: lesson.number)


def _begun(lesson: Lesson, minutes: float) -> Lesson | None:
    """Return a lesson with the first of its screens that take no longer; None if they are too few."""
    fitting = sum(total <= minutes for total in accumulate(screen.minutes for screen in lesson.screens))
    if fitting < min(MIN_QUESTIONS, len(lesson.screens)):
        return None
    return replace(lesson, screens=lesson.screens[:fitting])


def _questions(lesson: Lesson, count: int) -> tuple[PlanQuestion, ...]:
    """Return the first questions of a lesson."""
    screens: Sequence[Screen] = lesson.screens[:count]
    return tuple(PlanQuestion(screen, lesson, number) for number, screen in enumerate(screens, 1))
