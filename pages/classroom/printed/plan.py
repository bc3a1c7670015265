"""The plan of a lesson for a class: which lessons and screens, when, what to say, what to ask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.lessons.lesson import LOOKING_MINUTES, SPOKEN_WORDS, TALKING_MINUTES, VOTING_MINUTES, Lesson, lessons
from core.lessons.spread import SHOW_AGAIN_SHARE, TALK_SHARE
from pages.classroom.plans import (
    ENDING_MINUTES,
    INVENTORY_MINUTES,
    LONG_PLAN_MINUTES,
    OPENING_MINUTES,
    chosen,
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
HOMEWORK_NOTE = "The questions before and after take 7 minutes each; give them as homework."


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
        voting=VOTING_MINUTES,
        talking=TALKING_MINUTES,
        looking=LOOKING_MINUTES,
        shares=(SHOW_AGAIN_SHARE, TALK_SHARE),
    )


def entries(minutes: int) -> list[PlanEntry]:
    """Return the parts of a class of this length, in their order."""
    asks = minutes >= LONG_PLAN_MINUTES
    before = PlanEntry(
        INVENTORY_MINUTES,
        "Questions before",
        ("The first step on the phones. On paper, one half of the class gets the questions A, the other half B.",),
    )
    after = PlanEntry(
        INVENTORY_MINUTES,
        "Questions after",
        ("The last step on the phones. On paper, everybody gets the other set, about the same ideas.",),
    )
    begin = [
        PlanEntry(OPENING_MINUTES, "Opening", OPENING_STEPS if asks else (*OPENING_STEPS, HOMEWORK_NOTE)),
        *([before] if asks else []),
        *_lesson_entries(chosen(minutes)),
    ]
    ending = PlanEntry(
        ENDING_MINUTES, "Ending", ("Everybody says one thing that a weight of attention does not tell.",)
    )
    end = [*([after] if asks else []), ending]
    left = minutes - sum(entry.minutes for entry in (*begin, *end))
    if left > 0:
        words = "Everybody writes a sentence of their own and looks for something that they cannot explain yet."
        begin.append(PlanEntry(left, "On their own", (words,)))
    return [*begin, *end]


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
