"""The plan of a lesson for a class: which lessons and screens, when, what to say, what to ask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.lessons.lesson import Lesson, lessons
from pages.classroom.printed.sheets import sheet

OPENING_MINUTES = ENDING_MINUTES = 5  # minutes
INVENTORY_MINUTES = 7  # minutes for one half of the inventory
TALK_MINUTES = 2  # minutes to talk in pairs, once in each lesson
LONG_PLAN_MINUTES = 90  # minutes, from which on the inventory is asked before and after
# The lessons that a short plan keeps, the most important first; the others follow in their own order.
FIRST_LESSONS = ("query-key-value", "weights-of-a-row", "is-it-an-explanation", "what-is-a-token", "masks", "next-word")
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
HOMEWORK_NOTE = "The questions before and after take 7 minutes each; give them as homework."


@dataclass(frozen=True)
class PlanEntry:
    """A part of a plan: a lesson, or a few lines on what to do."""

    minutes: float
    title: str
    words: tuple[str, ...] = ()
    lesson: Lesson | None = None


def plan(minutes: int) -> str:
    """Return the plan of a class of this length as a page."""
    title, timed = f"Plan of {minutes} minutes", list(_timed(_entries(minutes)))
    return sheet("plan", f"plan-{minutes}", title, entries=timed, clock=clock, talk=TALK_MINUTES, ways=WAYS)


def _entries(minutes: int) -> list[PlanEntry]:
    asks = minutes >= LONG_PLAN_MINUTES
    entries = [PlanEntry(OPENING_MINUTES, "Opening", OPENING_STEPS if asks else (*OPENING_STEPS, HOMEWORK_NOTE))]
    if asks:
        entries.append(
            PlanEntry(
                INVENTORY_MINUTES, "Questions before", ("Hand out the questions A, or open “what do you know?”.",)
            )
        )
    entries += [
        PlanEntry(_minutes(lesson), f"Lesson {lesson.number}: {lesson.title}", lesson=lesson)
        for lesson in chosen(minutes)
    ]
    left = minutes - sum(entry.minutes for entry in entries) - INVENTORY_MINUTES * asks - ENDING_MINUTES
    if left > 0:
        words = "Everybody writes a sentence of their own and looks for something that they cannot explain yet."
        entries.append(PlanEntry(left, "On their own", (words,)))
    if asks:
        entries.append(
            PlanEntry(INVENTORY_MINUTES, "Questions after", ("The questions B: the same ideas, asked in another way.",))
        )
    return [
        *entries,
        PlanEntry(ENDING_MINUTES, "Ending", ("Everybody says one thing that a weight of attention does not tell.",)),
    ]


def chosen(minutes: int) -> list[Lesson]:
    """Return the lessons for which there is time in a class of this length, in their order."""
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
        if _minutes(lesson) <= left:
            taken.append(lesson)
            left -= _minutes(lesson)
    return sorted(taken, key=lambda lesson: lesson.number)


def clock(minutes: float) -> str:
    """Return a time since the beginning as hours and minutes."""
    whole = round(minutes)
    return f"{whole // 60}:{whole % 60:02d}"


def _minutes(lesson: Lesson) -> float:
    return lesson.minutes + TALK_MINUTES


def _timed(entries: Sequence[PlanEntry]) -> Iterator[tuple[float, PlanEntry]]:
    """Yield the minutes at which each entry begins, and the entry."""
    begin = 0.0
    for entry in entries:
        yield begin, entry
        begin += entry.minutes
