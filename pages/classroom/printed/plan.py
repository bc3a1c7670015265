"""The plan of a lesson for a class: which lessons and screens, when, what to say, what to ask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType

from core.lessons.lesson import LOOKING_MINUTES, SPOKEN_WORDS, TALKING_MINUTES, VOTING_MINUTES, Lesson, lessons
from core.lessons.spread import SHOW_AGAIN_SHARE, TALK_SHARE
from pages.classroom.printed.sheets import sheet

PLANS = MappingProxyType({"plan-90": 90, "plan-45": 45})  # their names in the address, and their minutes
OPENING_MINUTES = ENDING_MINUTES = 5  # minutes
INVENTORY_MINUTES = 7  # minutes for one half of the inventory
OWN_MINUTES = 3  # the least in which everybody can write a sentence of their own
JOINING_MINUTES = 1  # minutes to join again: each lesson after the first is a class of its own
MIN_QUESTIONS = 2  # of a lesson that is begun and not finished
LONG_PLAN_MINUTES = 90  # minutes, from which on the inventory is asked before and after
# The lessons that a short plan keeps: each uses only words that those before it explain. The others follow in their own
# order.
FIRST_LESSONS = ("what-is-a-token", "query-key-value", "weights-of-a-row", "is-it-an-explanation", "masks", "next-word")
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
    "Open a class from the page Lessons, and put the projector's page on the wall.",
    "Everybody opens the address on the wall and enters the five letters. Nobody needs a name or an account.",
    "Say: you will be wrong often, and that is how it works. A guess that turns out wrong helps to remember.",
)
JOINING_STEP = "Open a class with this lesson: it has other letters, and everybody enters them."
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
        INVENTORY_MINUTES, "Questions before", ("Hand out the questions A, or open “what do you know?”.",)
    )
    after = PlanEntry(INVENTORY_MINUTES, "Questions after", ("The questions B: the same ideas, asked in another way.",))
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


def chosen(minutes: int) -> list[Lesson]:
    """Return the lessons for which there is time in a class of this length, in their order.

    A lesson that does not fit as a whole has its first screens alone.
    """
    left: float = (
        minutes - OPENING_MINUTES - ENDING_MINUTES - (2 * INVENTORY_MINUTES if minutes >= LONG_PLAN_MINUTES else 0)
    )
    known = lessons()
    order = [
        *(known[name] for name in FIRST_LESSONS if name in known),
        *(known[name] for name in known if name not in FIRST_LESSONS),
    ]
    taken: list[Lesson] = []
    for lesson in order:
        joining = JOINING_MINUTES if taken else 0
        begun = _begun(lesson, left - joining)
        if begun:
            taken.append(begun)
            left -= joining + begun.minutes
    return sorted(taken, key=lambda lesson: lesson.number)


def _begun(lesson: Lesson, minutes: float) -> Lesson | None:
    """Return a lesson with the first of its screens that take no longer; None if they are too few."""
    fitting = sum(total <= minutes for total in accumulate(screen.minutes for screen in lesson.screens))
    if fitting < min(MIN_QUESTIONS, len(lesson.screens)):
        return None
    return replace(lesson, screens=lesson.screens[:fitting])


def _lesson_entries(taken: Sequence[Lesson]) -> Iterator[PlanEntry]:
    for number, lesson in enumerate(taken):
        joining = JOINING_MINUTES if number else 0
        left_out = len(lessons()[lesson.name].screens) - len(lesson.screens)
        words = (JOINING_STEP,) if joining else ()
        title = f"Lesson {lesson.number}: {lesson.title}"
        yield PlanEntry(joining + lesson.minutes, title, words, lesson, left_out)


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
