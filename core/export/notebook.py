"""The notebook of a run (nbformat 4.5): a page's question and sentences, the script in cells, and one exercise."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked
from core.export.dialect import Dialect
from core.export.script import cells, title
from core.export.script_parts import ScriptParts

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
    "figure": "## The figure",
}
PARTS_TITLES = {
    "numbers": "## Sizes and choices",
    "parts": "## The formula",
    "pattern": "## The numbers",
    "figure": "## The figure",
}
NUMBERS_TITLES = {
    PATTERN: "## What the head looks at\n\nRows are queries and columns are keys; each row sums to 1, or is all "
    "zeros where a query may look at nothing; with a sink logit it sums to less.",
    HEAD_SCORES: "## The scores\n\nRows are queries and columns are keys. The mask and the softmax come after them.",
    HEAD_VECTORS: "## Queries, keys and values\n\nEach row is the vector of one token.",
    LENS: "## What each layer would say next\n\nThe logit lens: the last norm and the unembedding read the stream "
    "after each layer. Each row has the guesses after one token, from the embedding alone to the last layer.",
    GUESSES: "## What is likeliest\n\nThe softmax turned the logits into probabilities; the largest come first.",
}


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
    """Return the notebook of a run as JSON."""
    titles = CELL_TITLES | {"pattern": NUMBERS_TITLES[asked.draws]}
    return _with_words(around, title(asked), cells(asked, dialect), titles, _exercise(asked))


def parts_notebook(parts: ScriptParts, dialect: Dialect, around: Around) -> str:
    """Return the notebook of a script that runs no transformer, as JSON."""
    return _with_words(around, parts.title, parts.cells(dialect), PARTS_TITLES, parts.exercise)


def _with_words(around: Around, title: str, cells: Mapping[str, str], titles: Mapping[str, str], exercise: str) -> str:
    """Return cells of code with the words of a page around them. titles: what stands above each, by its name."""
    formula = f"\n\n$${around.formula}$$" if around.formula else ""
    made = [("markdown", f"# {around.question}\n\n{around.definition}{formula}\n\n{title}.")]
    made += [("markdown", PICTURE_TITLE), ("code", PICTURE_CELL)] if around.picture else []
    for name, text in cells.items():
        made += [("markdown", titles[name]), ("code", text)]
    return notebook_file([*made, ("markdown", f"## Try it\n\n{exercise}")])


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
    if asked.draws in (PATTERN, HEAD_SCORES) and asked.config.score == "scaled_dot":
        flatter = "Do the rows of the figure get sharper or flatter, and why?"
        asks = flatter if asked.draws == PATTERN else "Do the scores get larger or smaller, and why?"
        return f"Leave out the division by `math.sqrt(d_k)` in `attention` and run all cells again. {asks}"
    other = {GUESSES: "Which bars of the figure change most?", LENS: "Which guesses of the figure change?"}
    changes = other.get(asked.draws, "Which rows of the figure change, if any?")
    return (
        "Add the line `z[0] = 0` to `multi_head`, after the line with `attention`, and run all cells "
        f"again: the first head of every layer is switched off. {changes}"
    )
