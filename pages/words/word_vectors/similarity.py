"""The cosine of every pair of some words."""

from collections.abc import Iterator

import numpy as np

from core.limits import COMPARED_WORDS
from core.readings.word_vectors import FORMULAS, read_similarity, write_vector
from core.readings.words import number
from core.topics.word_vectors.relations import cosines
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control
from pages.words.word_vectors import queries
from pages.words.word_vectors.parts import method_controls, notes_on, origin, typed, without_vectors
from pages.words.word_vectors.settings import COLUMN, METHOD, ROW, WORDS_TO_COMPARE

LEAD = "The **cosine** of every pair of words: 1 the same way, 0 at right angles."


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from method_controls(run, values)
    yield typed(WORDS_TO_COMPARE, 560)
    last = max(1, len(queries.sort_words(values[WORDS_TO_COMPARE] or "", COMPARED_WORDS).known)) - 1
    yield control(ROW, "below", high=last, width=130)
    yield control(COLUMN, "below", high=last, width=130)


def _show(run: Run, values: Values) -> Shown:
    """Show the cosine of every word with every other, and one cosine worked out."""
    words = queries.sort_words(values[WORDS_TO_COMPARE] or "", COMPARED_WORDS)
    unknown, known = notes_on(words, COMPARED_WORDS), words.known
    if len(known) < 2:
        return without_vectors("Write two words or more that are known.", *filter(None, unknown), lead=LEAD)
    method, last = values[METHOD], len(known) - 1
    matrix = core_call(cosines, queries.table(), method, known)
    row, column = min(values[ROW], last), min(values[COLUMN], last)
    panel = Panel(
        "cosines",
        f"cosines by {method}",
        matrix,
        known,
        known,
        "word",
        "word",
        "signed",
        1.0,
        selected=(row, column),
        unit="cosine",
    )
    return Shown(
        pictures=[Matrices([panel], key="word-vectors-cosines", name="cosines", height=520, sets=_open), origin()],
        lead=LEAD,
        click="Click one to see it worked out.",
        arithmetic=_worked(method, known[row], known[column], float(matrix[row, column])),
        takeaway=read_similarity(known, *_extremes(matrix)),
        notes=unknown,
        formula=FORMULAS["neighbours"],
        table=Table("cosines", matrix, known, known, "word"),
        source=("core.analysis.word_maps.alike",),
    )


def _open(panel: str, row: int, column: int) -> dict[str, int]:
    return {ROW.key: row, COLUMN.key: column}


def _worked(method: str, first: str, second: str, cosine: float) -> str:
    """Return a cosine as the sum of products of two vectors of length 1."""
    a, b = queries.table().rows(method, (first, second))
    wide = max(len(first), len(second), 10)
    rows = ((first, a), (second, b), ("products", a * b))
    lines = [f"{name:<{wide}}  {write_vector(row.tolist())}" for name, row in rows]
    return "\n".join([*lines, f"{'their sum':<{wide}}  {number(cosine)}, of {len(a)} products (both lengths are 1)"])


def _extremes(matrix: np.ndarray) -> tuple[tuple[int, int, float], tuple[int, int, float]]:
    """Return the largest and the smallest cosine of two different words, with their positions."""
    rows, columns = np.triu_indices(len(matrix), 1)
    above = matrix[rows, columns]
    best, least = (
        (int(rows[index]), int(columns[index]), float(above[index])) for index in (above.argmax(), above.argmin())
    )
    return best, least


VIEW = View("similarity", _show, _controls)
