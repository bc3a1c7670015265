"""The page on which a learner prints what was answered; its script fills it in from the browser's own storage."""

from core.lessons.inventory import HALVES, inventory
from core.lessons.lesson import Lesson, lessons
from pages.classroom.printed.html import Html, page, prose, tag

EMPTY = "This browser holds no answers. Take a lesson first, in this browser."


def report() -> Html:
    """Return the page with every lesson hidden; report.js shows those that were answered."""
    without = tag("noscript", tag("p", "This page needs a script to read the answers that this browser holds."))
    return page(
        "report",
        "What you did",
        without,
        tag("p", "Name: ", tag("span", class_="line short"), " Date: ", tag("span", id="date")),
        tag("p", EMPTY, id="empty", hidden="hidden"),
        *map(_lesson, lessons().values()),
        _inventory(),
        script="report.js",
    )


def _lesson(lesson: Lesson) -> Html:
    title = tag("h2", f"{lesson.number}. {lesson.title}")
    goal = tag("p", prose(lesson.goal))
    count = tag("p", class_="count")
    screens = [
        tag(
            "li",
            prose(screen.question),
            " ",
            tag("span", class_="result"),
            " ",
            tag("span", class_="text"),
            data_screen=str(number),
        )
        for number, screen in enumerate(lesson.screens, 1)
    ]
    return tag("section", title, goal, count, tag("ol", *screens), data_lesson=lesson.name, hidden="hidden")


def _inventory() -> Html:
    rows = [
        tag(
            "tr",
            tag("th", concept.title, scope="row"),
            *(tag("td", "–", data_half=half, data_right=str(concept.questions[half].right)) for half in HALVES),
        )
        for concept in inventory().concepts
    ]
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Idea", "Before", "After")))
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return tag("section", tag("h2", "What do you know?"), table, id="inventory", hidden="hidden")
