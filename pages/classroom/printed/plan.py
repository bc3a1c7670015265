"""The plan of a lesson for a class: which lessons and screens, when, what to say, what to ask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.lessons.inventory import inventory
from core.lessons.lesson import (
    LOOKING_MINUTES,
    READ_WORDS,
    SPOKEN_WORDS,
    TALKING_MINUTES,
    THINKING_MINUTES,
    VOTING_MINUTES,
    Lesson,
    lessons,
)
from core.lessons.spread import SHOW_AGAIN_SHARE, TALK_SHARE
from core.readings.words import listed
from pages.classroom.plans import (
    ENDING_MINUTES,
    LONG_PLAN_MINUTES,
    OPENING_MINUTES,
    chosen,
    ideas_of,
)
from pages.classroom.printed.sheets import sheet

WAYS = {
    "choice": "Everybody chooses one.",
    "token": "Everybody taps a token.",
    "cell": "Everybody taps a cell.",
    "row": "Everybody draws the row of weights.",
    "order": "Everybody puts them in order.",
    "number": "Everybody writes a number.",
    "formula": "Everybody fills the gaps.",
}
OPENING_STEPS = (
    "Open a class with this plan, and put the projector's page on the wall.",
    "Everybody opens the address on the wall and enters the five letters. Nobody needs a name or an account.",
    "Say: you will be wrong often, and that is how it works. A guess that turns out wrong helps to remember.",
)


@dataclass(frozen=True)
class PlanEntry:
    """A part of a plan: the questions of a lesson, or a few lines on what to do.

    lesson: with the screens alone that the plan has time for.
    left_out: the number of the lesson's other screens.
    """

    minutes: float
    title: str
    words: tuple[str, ...] = ()
    lesson: Lesson | None = None
    left_out: int = 0


def plan(minutes: int) -> str:
    """Return the plan of a class of this length as a page."""
    return sheet(
        "plan",
        f"plan-{minutes}",
        f"Plan of {minutes} minutes",
        entries=list(_timed(entries(minutes))),
        questions=sum(len(lesson.screens) for lesson in chosen(minutes)),
        clock=clock,
        ways=WAYS,
        spoken=SPOKEN_WORDS,
        read=READ_WORDS,
        thinking=THINKING_MINUTES,
        voting=VOTING_MINUTES,
        talking=TALKING_MINUTES,
        looking=LOOKING_MINUTES,
        shares=(SHOW_AGAIN_SHARE, TALK_SHARE),
    )


def entries(minutes: int) -> list[PlanEntry]:
    """Return the parts of a class of this length, in their order."""
    taken = chosen(minutes)
    asked = _asked_entries(taken) if minutes >= LONG_PLAN_MINUTES else []
    opening = PlanEntry(OPENING_MINUTES, "Opening", OPENING_STEPS if asked else (*OPENING_STEPS, _homework(taken)))
    ending = PlanEntry(
        ENDING_MINUTES, "Ending", ("Everybody says one thing that a weight of attention does not tell.",)
    )
    begin = [opening, *asked[:1], *_lesson_entries(taken)]
    end = [*asked[1:], ending]
    left = minutes - sum(entry.minutes for entry in (*begin, *end))
    if left > 0:
        words = "Everybody writes a sentence of their own and looks for something that they cannot explain yet."
        begin.append(PlanEntry(left, "On their own", (words,)))
    return [*begin, *end]


def _asked_entries(taken: Sequence[Lesson]) -> list[PlanEntry]:
    """Return the parts that ask the inventory, before and after these lessons."""
    numbers = _numbers_of_ideas(taken)
    before = (
        "The first step on the phones. On paper, one half of the class gets the questions A, the other half B; "
        f"they answer {numbers}, about what these lessons teach."
    )
    after = f"The last step on the phones. On paper, everybody gets the other set, and answers {numbers} of it."
    each = ideas_of(taken).minutes
    return [PlanEntry(each, "Questions before", (before,)), PlanEntry(each, "Questions after", (after,))]


def _homework(taken: Sequence[Lesson]) -> str:
    return (
        f"Of the printed questions before and after, {_numbers_of_ideas(taken)} are about what these lessons teach. "
        f"They take {ideas_of(taken).minutes:g} minutes each time; give them as homework."
    )


def _numbers_of_ideas(taken: Sequence[Lesson]) -> str:
    """Return the numbers, on a printed sheet, of the questions about the ideas that lessons teach."""
    asked = ideas_of(taken).concepts
    return listed(f"{number}" for number, concept in enumerate(inventory().concepts, 1) if concept in asked)


def _lesson_entries(taken: Sequence[Lesson]) -> Iterator[PlanEntry]:
    for lesson in taken:
        left_out = len(lessons()[lesson.name].screens) - len(lesson.screens)
        yield PlanEntry(lesson.minutes, f"Lesson {lesson.number}: {lesson.title}", (), lesson, left_out)


def clock(minutes: float) -> str:
    """Return a time since the beginning as hours and minutes."""
    whole = round(minutes)
    return f"{whole // 60}:{whole % 60:02d}"


def _timed(parts: Sequence[PlanEntry]) -> Iterator[tuple[float, PlanEntry]]:
    """Yield the minutes at which each entry begins, and the entry."""
    begin = 0.0
    for entry in parts:
        yield begin, entry
        begin += entry.minutes
