"""The worksheet without devices: the questions of the lessons, to be answered with a pencil; and its key."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from core.lessons.lesson import GAP, Lesson, Screen, lessons
from core.lessons.words import read_answer, read_explanation
from core.topics.shared.truth import Truth
from pages.classroom.printed.html import Html, joined, page, prose, tag
from pages.classroom.printed.truths import LessonTruths

FOR_LEARNERS = (
    "Guess first, alone, and write down why. Then compare with your neighbour. Your teacher tells what the model says."
)
FOR_TEACHERS = "What the models of this app say about the sentences of the worksheet. It was computed now."
NOT_KNOWN = "Look at the screen of the lesson: this cannot be computed here and now."
# Takes a lesson, one of its screens and the truth, and returns what stands under its number.
Draw: TypeAlias = Callable[[Lesson, Screen, Truth | None], Html]
LINES = 5  # of an order, where nobody knows what is to be put in order
HEIGHTS = ("100%", "75%", "50%", "25%")  # the lines of the grid in which bars are drawn


def worksheet(truths: LessonTruths) -> Html:
    """Return the worksheet of all lessons as a page, with the tokens that the models make of the lessons' sentences."""
    return page("worksheet", "Worksheet without devices", tag("p", FOR_LEARNERS), *_sheets(truths, _asked))


def worksheet_key(truths: LessonTruths) -> Html:
    """Return the right answers of the worksheet as a page, with their explanations."""
    return page("worksheet-key", "Worksheet: the key", tag("p", FOR_TEACHERS), *_sheets(truths, _solved))


def _sheets(truths: LessonTruths, draw: Draw) -> list[Html]:
    return [_sheet(lesson, truths, draw) for lesson in lessons().values()]


def _sheet(lesson: Lesson, truths: LessonTruths, draw: Draw) -> Html:
    questions = [
        tag("li", draw(lesson, screen, truths.get(lesson, number)), class_="question")
        for number, screen in enumerate(lesson.screens, 1)
    ]
    title = tag("h2", f"{lesson.number}. {lesson.title}")
    sentence = tag("p", "The sentence: ", tag("q", lesson.words))
    return tag("section", title, sentence, tag("ol", *questions), class_="sheet")


def _solved(lesson: Lesson, screen: Screen, truth: Truth | None) -> Html:
    asked = tag("p", tag("strong", prose(screen.question)))
    if truth is None:
        return joined([asked, tag("p", NOT_KNOWN)])
    lines = [read_answer(screen, truth, truth.answer), *read_explanation(screen, truth, truth.answer)]
    if screen.kind == "row":
        shares = (f"{label} {share:.0%}" for label, share in zip(truth.labels, truth.answer, strict=True))
        lines.insert(1, ", ".join(shares))
    return joined([asked, *(tag("p", prose(line)) for line in lines)])


def _asked(lesson: Lesson, screen: Screen, truth: Truth | None) -> Html:
    text = [tag("p", prose(screen.text))] if screen.text else []
    asked = tag("p", tag("strong", prose(screen.question)))
    return joined([*text, asked, _space(lesson, screen, truth), _line("Because"), _line("The model")])


def _space(lesson: Lesson, screen: Screen, truth: Truth | None) -> Html:
    """Return where the answer is written or drawn. Without a truth, the words of the sentence are its tokens."""
    labels = tuple(truth.labels) if truth else tuple(lesson.words.split())
    match screen.kind:
        case "choice":
            return tag("ul", *(tag("li", prose(option.text)) for option in screen.options), class_="boxes")
        case "token":
            return tag("p", "Circle one: ", _boxes(labels))
        case "cell":
            return _grid(tuple(truth.rows) if truth else labels, labels)
        case "row":
            return _bars(labels)
        case "order":
            count = len(labels) if truth else LINES
            lines = tag("ol", *(tag("li", tag("span", class_="line short")) for _ in range(count)), class_="lines")
            return joined([tag("p", "In order: ", _boxes(labels)), lines]) if truth else lines
        case "formula":
            filled = [tag("span", class_="gap") if part is None else part for part in _parts(screen.formula)]
            names = _boxes([option.text for option in screen.options])
            return joined([tag("p", *filled, class_="formula"), tag("p", "Use: ", names)])
    return tag("p", tag("span", class_="line short"), f" {screen.unit}")


def _parts(formula: str) -> list[str | None]:
    """Return the text of a formula with None for each gap."""
    first, *others = formula.split(GAP)
    parts: list[str | None] = [first]
    for other in others:
        parts += [None, other]
    return parts


def _boxes(words: Sequence[str]) -> Html:
    return joined(tag("span", word, class_="word") for word in words)


def _grid(rows: Sequence[str], columns: Sequence[str]) -> Html:
    head = tag("tr", tag("td"), *(_column(label) for label in columns))
    body = [tag("tr", tag("th", label, scope="row"), *(tag("td") for _ in columns)) for label in rows]
    caption = tag("caption", "Mark one cell.")
    return tag("table", caption, tag("thead", head), tag("tbody", *body), class_="grid")


def _bars(labels: Sequence[str]) -> Html:
    body = [tag("tr", tag("th", height, scope="row"), *(tag("td") for _ in labels)) for height in HEIGHTS]
    foot = tag("tr", tag("td", "0%"), *(_column(label) for label in labels))
    caption = tag("caption", "Draw a bar over each token. All bars together make 100%.")
    return tag("table", caption, tag("tbody", *body), tag("tfoot", foot), class_="bars")


def _column(label: str) -> Html:
    return tag("th", tag("span", label), scope="col")


def _line(label: str) -> Html:
    return tag("p", f"{label}: ", tag("span", class_="line"), class_="small")
