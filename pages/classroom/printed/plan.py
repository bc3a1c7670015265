"""The plan of a lesson for a class: which lessons and screens, when, what to say, what to ask."""

from collections.abc import Iterator, Sequence

from core.lessons.lesson import Lesson, Screen, lessons
from pages.classroom.printed.html import Html, joined, page, prose, tag

OPENING = ENDING = 5  # minutes
HALF = 7  # minutes for one half of the inventory
TALK = 2  # minutes to talk in pairs, once in each lesson
LONG = 90  # minutes, from which on the inventory is asked before and after
# The lessons that a short plan keeps, the most important first; the others follow in their own order.
FIRST = ("query-key-value", "weights-of-a-row", "is-it-an-explanation", "what-is-a-token", "masks", "next-word")
WAYS = {
    "choice": "Everybody chooses one.",
    "token": "Everybody taps a token.",
    "cell": "Everybody taps a cell.",
    "row": "Everybody draws the row of weights.",
    "order": "Everybody puts them in order.",
    "number": "Everybody writes a number.",
    "formula": "Everybody fills the gaps.",
}
STEPS = (
    "Read the sentences and the question aloud. The picture is covered.",
    "Open the vote. Everybody answers alone, without talking.",
    "Close the vote and show how the answers are spread. Do not say which is right.",
    "Under 35% right: explain it again. From 35 to 70%: two minutes of talk in pairs, then a second vote. Above: go "
    "on.",
    "Reveal the picture and the answer. Read the explanation with its numbers; they are computed from your text.",
    "Change the one thing under “Vary”, and let somebody say beforehand what will happen.",
)


def plan(minutes: int) -> Html:
    """Return the plan of a class of this length as a page."""
    entries: list[tuple[float, str, Html]] = [(OPENING, "Opening", _opening(minutes))]
    if minutes >= LONG:
        entries.append((HALF, "Questions before", tag("p", "Hand out the questions A, or open “what do you know?”.")))
    entries += [
        (_minutes(lesson), f"Lesson {lesson.number}: {lesson.title}", _lesson(lesson)) for lesson in chosen(minutes)
    ]
    after = HALF if minutes >= LONG else 0
    left = minutes - sum(length for length, _, _ in entries) - after - ENDING
    if left > 0:
        words = "Everybody writes a sentence of their own and looks for something that they cannot explain yet."
        entries.append((left, "On their own", tag("p", words)))
    if after:
        entries.append((HALF, "Questions after", tag("p", "The questions B: the same ideas, asked in another way.")))
    entries.append((ENDING, "Ending", tag("p", "Everybody says one thing that a weight of attention does not tell.")))
    steps = tag("section", tag("h2", "At every question"), tag("ol", *(tag("li", step) for step in STEPS)))
    return page(f"plan-{minutes}", f"Plan of {minutes} minutes", _overview(entries), steps, *_details(entries))


def chosen(minutes: int) -> list[Lesson]:
    """Return the lessons for which there is time in a class of this length, in their order."""
    left: float = minutes - OPENING - ENDING - (2 * HALF if minutes >= LONG else 0)
    known = lessons()
    order = [*(known[name] for name in FIRST if name in known), *(known[name] for name in known if name not in FIRST)]
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
    return lesson.minutes + TALK


def _opening(minutes: int) -> Html:
    lines = [
        "Open a class from the page Lessons, and put the projector's page on the wall.",
        "Everybody opens the address on the wall and enters the five letters. Nobody needs a name or an account.",
        "Say: you will be wrong often, and that is how it works. A guess that turns out wrong helps to remember.",
    ]
    if minutes < LONG:
        lines.append("The questions before and after take 7 minutes each; give them as homework.")
    return tag("ul", *(tag("li", line) for line in lines))


def _overview(entries: Sequence[tuple[float, str, Html]]) -> Html:
    rows = [
        tag("tr", tag("td", f"{clock(begin)}–{clock(end)}"), tag("td", title), tag("td", f"{end - begin:g} min"))
        for begin, end, title, _ in _timed(entries)
    ]
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Time", "What", "How long")))
    return tag("table", tag("caption", "The whole at a glance"), tag("thead", head), tag("tbody", *rows))


def _details(entries: Sequence[tuple[float, str, Html]]) -> Iterator[Html]:
    for begin, end, title, body in _timed(entries):
        yield tag("section", tag("h2", f"{clock(begin)}–{clock(end)} · {title}"), body)


def _timed(entries: Sequence[tuple[float, str, Html]]) -> Iterator[tuple[float, float, str, Html]]:
    """Return the beginning and the end of each entry, its title and its body."""
    begin = 0.0
    for length, title, body in entries:
        yield begin, begin + length, title, body
        begin += length


def _lesson(lesson: Lesson) -> Html:
    goal = f"Afterwards everybody can: {lesson.goal[0].lower()}{lesson.goal[1:]}"
    talk = f"The time includes {TALK} minutes of talk in pairs, at the question that divides the class most."
    columns = ("Minutes", "Say and ask", "What people often think, what to vary")
    head = tag("tr", *(tag("th", name, scope="col") for name in columns))
    rows = [_screen(number, screen) for number, screen in enumerate(lesson.screens, 1)]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="screens")
    sentence = tag("p", "The sentence: ", tag("q", lesson.words))
    return joined([tag("p", prose(goal)), sentence, tag("p", talk), table])


def _screen(number: int, screen: Screen) -> Html:
    asked = [tag("p", prose(screen.text))] if screen.text else []
    asked.append(tag("p", tag("strong", prose(screen.question))))
    if screen.formula:
        asked.append(tag("p", screen.formula))
    if screen.options:
        asked.append(tag("ul", *(tag("li", prose(option.text)) for option in screen.options)))
    asked.append(tag("p", WAYS[screen.kind], class_="small"))
    own = [tag("p", prose(screen.notes))] if screen.notes else []
    if screen.vary:
        own.append(tag("p", tag("strong", "Vary: "), prose(screen.vary)))
    time = tag("td", tag("strong", str(number)), tag("br"), f"{screen.minutes:g} min")
    return tag("tr", time, tag("td", *asked), tag("td", *own))
