"""Save a lesson as a notebook: each question, a line for the reader's answer, and code that computes the right one."""

import re
from collections.abc import Mapping

from core.export.notebook import notebook_file
from core.lessons.lesson import GAP, Lesson, Screen
from core.topics.shared.truth import Truth
from pages.compute.as_python import written_piece
from pages.compute.calls import record_calls
from pages.shell.page import Page
from pages.shell.saved.lesson import run_and_truth

IMPORTS = "from core.lessons.lesson import lessons\nfrom core.lessons.words import read_all"
SQUARE = r"\square"  # a gap of a formula, in LaTeX
HOW_TO = (
    "Write your answer in place of `None` and run the cell; the cell below it computes the right one. This needs the "
    "core of Attention Explorer: run `pip install .` once in the project's folder."
)
HOW_TO_ANSWER = {
    "choice": "Your answer is the name of one of these, in quotes:",
    "token": "Your answer is the number of one of these:",
    "cell": "Your answer is the numbers of a row and a column of these, as `(1, 0)`:",
    "row": "Your answer is one weight for each of these, as `[2, 1, …]`; their sum does not matter:",
    "order": "Your answer is all these numbers in order, as `[1, 0, …]`:",
    "number": "Your answer is a number",
    "formula": "Your answer is the name for each gap, in quotes, as `[…, …]`:",
}


def lesson_notebook(lesson: Lesson, pages: Mapping[str, Page], text: str) -> str:
    """Return a lesson as a notebook, in JSON.

    A question that does not suit the text is about the lesson's own sentence.

    pages: the pages of the app, by their addresses.
    text: the learner's sentence.

    Raises ValueError if a question can be asked about neither.
    """
    start = f'{IMPORTS}\n\nlesson = lessons()["{lesson.name}"]'
    cells = [("markdown", f"# {lesson.title}\n\n{lesson.goal}\n\n{HOW_TO}"), ("code", _installed(start))]
    for place, screen in enumerate(lesson.screens):
        with record_calls() as log:
            run, truth = run_and_truth(pages[screen.page], screen, text, lesson.words)
        piece = written_piece(log)
        (name,) = (name for name, value in piece.results.items() if isinstance(value, Truth))
        code = piece.text.partition(f"print({name})")[0]
        shown = f"{code}print(read_all(lesson.screens[{place}], {name}, answer))"
        read = f"The text: “{run.text}”\n\n" if screen.is_about_text else ""
        cells += [
            ("markdown", f"## {place + 1}. {screen.question}\n\n{screen.text}\n\n{read}{_choices(screen, truth)}"),
            ("code", "answer = None"),
            ("code", _installed(shown)),
        ]
    return notebook_file(cells)


def _installed(code: str) -> str:
    """Return code that imports the core under the name that it has where it is installed."""
    return re.sub(r"(?m)^from core\b", "from attention_explorer.core", code)


def _choices(screen: Screen, truth: Truth) -> str:
    """Return how a question is answered, and what there is to choose from, as markdown."""
    asks = HOW_TO_ANSWER[screen.kind]
    if screen.kind == "number":
        return f"{asks} of {screen.unit}." if screen.unit else f"{asks}."
    listed = [f"- `{option.name}`: {option.text}" for option in screen.options]
    listed = listed or [
        f"- `{number}`: {label.removeprefix(f'{number}:')}" for number, label in enumerate(truth.labels)
    ]
    formula = [f"$${screen.formula.replace(GAP, SQUARE)}$$"] if screen.formula else []
    return "\n\n".join([*formula, asks, "\n".join(listed)])
