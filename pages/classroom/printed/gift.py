"""The questions of lessons as a GIFT file, which Moodle and others import, with the answers that the models give.

The format, see https://docs.moodle.org/en/GIFT_format, has no drawing and no list to put in order. An order, a cell and
the gaps of a formula become pairs to match, which ask the same; a drawn row is left out, and a comment says so.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from core.lessons.lesson import GAP, Lesson, Screen
from core.lessons.words import read_explanation
from core.topics.shared.truth import Truth
from pages.classroom.printed.truths import LessonTruths

ENDING = ".gift.txt"
BOOK = "Attention Explorer"  # the category of all questions
COMMENT = f"""\
// The questions of {BOOK}, in the format GIFT for Moodle: question bank, import.
// What is right was computed by the models of the app for the sentence of each question.
"""
SIGNS = re.compile(r"[\\~=#{}:]")  # what GIFT reads as its own signs
MARKDOWN = re.compile(r"\*\*(.+?)\*\*|`(.+?)`")
ARROW = "->"  # between the two of a pair; nothing escapes it
WAYS = {"order": "Give each its place: 1 comes first.", "cell": "Say in which row and in which column the cell is."}
GUESS_NOTE = "Nobody can know this beforehand: guess."


class Unsuited(ValueError):
    """The error for a question that GIFT cannot carry; its message is the reason."""


def gift_file(lessons: Sequence[Lesson], truths: LessonTruths) -> str:
    """Return the questions of these lessons about their own sentences as a GIFT file."""
    return "\n".join([COMMENT, *chain.from_iterable(_lesson(lesson, truths) for lesson in lessons)])


def _lesson(lesson: Lesson, truths: LessonTruths) -> Iterator[str]:
    title = f"{lesson.number:02d} {_line(lesson.title)}".replace("/", "//")  # a single one begins a category within
    yield f"$CATEGORY: {BOOK}/{title}\n"
    for number, screen in enumerate(lesson.screens, 1):
        try:
            yield _question(lesson, number, screen, truths.get(lesson, number))
        except Unsuited as reason:
            yield f"// Left out: {lesson.number}.{number} {_line(screen.question)}\n// {_line(str(reason))}\n"


def _question(lesson: Lesson, number: int, screen: Screen, truth: Truth | None) -> str:
    """Return a question with its name, its text and its answers. Raises Unsuited if the format cannot carry it."""
    if truth is None:
        raise Unsuited("What is right cannot be computed here and now.")
    answers = _answers(screen, truth)
    feedback = " ".join(read_explanation(screen, truth, None))
    text = r"\n".join(_escaped(part) for part in _parts(lesson, screen) if part)  # "\n" is the format's line break
    lines = [f"::{_escaped(f'{lesson.number}.{number} {screen.question}')}::[plain]{text}{{{answers[0]}", *answers[1:]]
    return "\n".join([*lines, f"\t####{_guarded(feedback)}", "}\n"])


def _parts(lesson: Lesson, screen: Screen) -> tuple[str, ...]:
    """Return the paragraphs of a question."""
    return (
        f"The sentence: “{lesson.words}”" if screen.is_about_text else "",
        _bare(screen.text),
        _bare(screen.question),
        screen.formula,
        WAYS.get(screen.kind, ""),
        f"In: {screen.unit}" if screen.unit else "",
        GUESS_NOTE if screen.is_guess else "",
    )


def _answers(screen: Screen, truth: Truth) -> list[str]:
    """Return the lines of the answers, the first of which follows the brace.

    Raises Unsuited if the format cannot carry them.
    """
    match screen.kind:
        case "choice":
            named = [(option.name, option.text) for option in screen.options]
            return ["", *(_choice(screen, truth, name, text) for name, text in named)]
        case "token":
            labels = _different(truth.labels)
            return ["", *(_choice(screen, truth, index, label) for index, label in enumerate(labels))]
        case "number":
            return ["#", f"\t={truth.answer:.10g}:{screen.tolerance:g}"]
        case "order":
            labels = _different(truth.labels)
            return _pairs([(label, str(truth.answer.index(index) + 1)) for index, label in enumerate(labels)], [])
        case "cell":
            row, column = truth.rows[truth.answer[0]], truth.labels[truth.answer[1]]
            return _pairs([("row", row), ("column", column)], [*_different(truth.rows), *_different(truth.labels)])
        case "formula":
            texts = {option.name: option.text for option in screen.options}
            gaps = [(f"gap {gap} ({GAP})", texts[name]) for gap, name in enumerate(truth.answer, 1)]
            return _pairs(gaps, list(texts.values()))
    raise Unsuited("A row of weights is drawn; this format has no such question.")


def _choice(screen: Screen, truth: Truth, answer: str | int, text: str) -> str:
    """Return the line of an answer to choose, with what is said about it alone."""
    own = read_explanation(screen, truth, answer)[:-1]
    sign = "=" if answer == truth.answer else "~"
    return f"\t{sign}{_guarded(text)}" + "".join(f"#{_guarded(sentence)}" for sentence in own)


def _pairs(pairs: Sequence[tuple[str, str]], choices: Sequence[str]) -> list[str]:
    """Return the lines of pairs to match.

    choices: what can be chosen for every pair; what belongs to none of them is a pair without a first.
    """
    taken = {second for _, second in pairs}
    lines = [*pairs, *(("", choice) for choice in dict.fromkeys(choices) if choice not in taken)]
    if any(ARROW in text for pair in lines for text in pair):
        raise Unsuited(f"One of its answers has the sign “{ARROW}”, which this format takes for its own.")
    return ["", *(f"\t={_guarded(first)} {ARROW} {_escaped(second)}" for first, second in lines)]


def _different(labels: Sequence[str]) -> Sequence[str]:
    """Return labels. Raises Unsuited if two of them read the same."""
    if len({_line(label) for label in labels}) < len(labels):
        raise Unsuited("Two of its answers read the same.")
    return labels


def _bare(markdown: str) -> str:
    """Return a lesson's own text without the signs of bold words and code."""
    return MARKDOWN.sub(lambda found: found[1] or found[2], markdown)


def _line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    """Return a text in one line, with a backslash before each sign of the format."""
    return SIGNS.sub(r"\\\g<0>", _line(text))


def _guarded(text: str) -> str:
    """Return an escaped answer or feedback that is not taken for the name of a text format or for a grade."""
    escaped = _escaped(_bare(text))
    return f"[plain]{escaped}" if escaped.startswith(("[", "%")) else escaped
