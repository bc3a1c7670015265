"""The notebook of a run (nbformat 4.5): a page's question and sentences, the script in cells, and one exercise."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from core.export.asked import GUESSES, Asked
from core.export.dialect import Dialect
from core.export.script import cells, title

PICTURE = "picture.html"
PICTURE_TITLE = "## The picture of the page\n\nIt answers clicks without the app."
PICTURE_CELL = f"""from html import escape
from pathlib import Path

from IPython.display import HTML

page = escape(Path("{PICTURE}").read_text(encoding="utf-8"))
HTML(f'<div><iframe srcdoc="{{page}}" style="width: 100%; height: 640px; border: 0"></iframe></div>')
"""
CELL_TITLES = {
    "numbers": "## The run\n\nIts sizes, its tokens, and the weights in the file beside this notebook.",
    "parts": "## Norms and positions",
    "attention": "## Attention",
    "block": "## The block",
    "forward pass": "## The forward pass",
    "pattern": "## What the head looks at\n\nRows are queries and columns are keys; each row sums to 1, or is all "
    "zeros where a query may look at nothing; with a sink logit it sums to less.",
    "figure": "## The figure",
}
GUESSES_TITLE = "## What is likeliest\n\nThe softmax turned the logits into probabilities; the largest come first."


@dataclass(frozen=True)
class Around:
    """The words of a page around the code.

    question: the question that the page answers.
    definition: what its subject is, in one or two sentences of markdown.
    formula: LaTeX, "" for none.
    picture: its drawing as an HTML page that answers clicks, "" for none.
    """

    question: str
    definition: str
    formula: str = ""
    picture: str = ""


def notebook(asked: Asked, dialect: Dialect, around: Around) -> str:
    """Return the notebook as JSON."""
    formula = f"\n\n$${around.formula}$$" if around.formula else ""
    made = [("markdown", f"# {around.question}\n\n{around.definition}{formula}\n\n{title(asked)}.")]
    made += [("markdown", PICTURE_TITLE), ("code", PICTURE_CELL)] if around.picture else []
    for name, text in cells(asked, dialect).items():
        of_guesses = name == "pattern" and asked.draws == GUESSES
        made += [("markdown", GUESSES_TITLE if of_guesses else CELL_TITLES[name]), ("code", text)]
    return notebook_file([*made, ("markdown", _exercise(asked))])


def notebook_file(cells: Iterable[tuple[str, str]]) -> str:
    """Return a notebook as JSON.

    cells: the kind of each, "markdown" or "code", and its text.
    """
    made = [_cell(kind, text) for kind, text in cells]
    for number, cell in enumerate(made):
        cell["id"] = f"cell-{number}"
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _cell(kind: str, text: str) -> dict[str, object]:
    cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell if kind == "markdown" else cell | {"execution_count": None, "outputs": []}


def _exercise(asked: Asked) -> str:
    """Return an exercise that changes one line of the code."""
    if asked.draws == GUESSES:
        return (
            "## Try it\n\nAdd the line `z[0] = 0` to `multi_head`, after the line with `attention`, and run all cells "
            "again: the first head of every layer is switched off. Which bars of the figure change most?"
        )
    if asked.config.score == "scaled_dot":
        return (
            "## Try it\n\nLeave out the division by `math.sqrt(d_k)` in `attention` and run all cells again. Do the "
            "rows of the figure get sharper or flatter, and why?"
        )
    return (
        "## Try it\n\nAdd the line `z[0] = 0` to `multi_head`, after the line with `attention`, and run all cells "
        "again: the first head of every layer is switched off. Which rows of the figure change?"
    )
