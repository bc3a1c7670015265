"""The worksheet without devices: the questions of the lessons, to be answered with a pencil."""

from collections.abc import Sequence

from core.lessons.lesson import GAP, Lesson, Screen, lessons
from pages.classroom.printed.html import Html, joined, page, prose, tag

MOST_WORDS = 12  # in a grid or a row
LINES = 5  # of a question about an order
HEIGHTS = ("100 %", "75 %", "50 %", "25 %")  # lines of the grid in which bars are drawn


def worksheet() -> Html:
    """Return the worksheet of all lessons as a page."""
    words = (
        "Guess first, alone. Then compare with your neighbour. Your teacher tells what the model says. Here each word "
        "is one token; the model may cut a word into several."
    )
    return page("worksheet", "Worksheet without devices", tag("p", words), *map(_lesson, lessons().values()))


def _lesson(lesson: Lesson) -> Html:
    questions = [
        tag("li", _question(screen, lesson.words.split()[:MOST_WORDS]), class_="question") for screen in lesson.screens
    ]
    title = tag("h2", f"{lesson.number}. {lesson.title}")
    return tag(
        "section", title, tag("p", "The sentence: ", tag("q", lesson.words)), tag("ol", *questions), class_="sheet"
    )


def _question(screen: Screen, words: Sequence[str]) -> Html:
    text = [tag("p", prose(screen.text))] if screen.text else []
    asked = tag("p", tag("strong", prose(screen.question)))
    after = [_line("Because"), _line("The model")]
    return joined([*text, asked, _space(screen, words), *after])


def _space(screen: Screen, words: Sequence[str]) -> Html:
    """Return where the answer is written or drawn."""
    match screen.kind:
        case "choice":
            return tag("ul", *(tag("li", prose(option.text)) for option in screen.options), class_="boxes")
        case "token":
            return tag("p", "Circle one: ", *(tag("span", word, class_="word") for word in words))
        case "cell":
            return _grid(words)
        case "row":
            return _bars(words)
        case "order":
            return tag("ol", *(tag("li", tag("span", class_="line")) for _ in range(LINES)), class_="lines")
        case "formula":
            filled = [tag("span", class_="gap") if part is None else part for part in _parts(screen.formula)]
            return joined([tag("p", *filled, class_="formula"), tag("p", "Use: ", _listed(screen))])
    return tag("p", tag("span", class_="line short"), f" {screen.unit}")


def _parts(formula: str) -> list[str | None]:
    """Return the text of a formula with None for each gap."""
    first, *others = formula.split(GAP)
    parts: list[str | None] = [first]
    for other in others:
        parts += [None, other]
    return parts


def _listed(screen: Screen) -> Html:
    return joined(tag("span", option.text, class_="word") for option in screen.options)


def _grid(words: Sequence[str]) -> Html:
    head = tag("tr", tag("td", "query ↓ key →"), *(tag("th", word, scope="col") for word in words))
    rows = [tag("tr", tag("th", word, scope="row"), *(tag("td") for _ in words)) for word in words]
    caption = tag("caption", "Mark one cell. Rows look; columns are looked at.")
    return tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="grid")


def _bars(words: Sequence[str]) -> Html:
    rows = [tag("tr", tag("th", height, scope="row"), *(tag("td") for _ in words)) for height in HEIGHTS]
    foot = tag("tr", tag("td", "0 %"), *(tag("th", word, scope="col") for word in words))
    caption = tag("caption", "Draw a bar over each word. All bars together make 100 %.")
    return tag("table", caption, tag("tbody", *rows), tag("tfoot", foot), class_="bars")


def _line(label: str) -> Html:
    return tag("p", f"{label}: ", tag("span", class_="line"), class_="small")
