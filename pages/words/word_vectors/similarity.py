"""The cosine of every pair of some words."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.export.script_parts import ScriptParts
from core.export.word_vectors import cosines_script
from core.limits import COMPARED_WORDS
from core.readings.word_vectors import FORMULAS, read_similarity, write_vector
from core.readings.words import number
from core.topics.word_vectors.relations import cosines, ranked_pairs
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Control, Markdown, Part, Table, Values, control
from pages.words.word_vectors import queries
from pages.words.word_vectors.parts import method_controls, notes_on, origin, typed, without_vectors
from pages.words.word_vectors.settings import COLUMN, METHOD, ROW, WORDS_TO_COMPARE

LEAD = "The **cosine** of every pair of words: 1 the same way, 0 at right angles."
SHOWN_PAIRS = 4  # number of pairs that are drawn as the most alike, and as the least
Pair = tuple[int, int, float]  # two words by their numbers, and their cosine


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from method_controls(run, values)
    yield typed(WORDS_TO_COMPARE, 560)
    last = max(1, len(queries.sort_words(values[WORDS_TO_COMPARE] or "", COMPARED_WORDS).known)) - 1
    yield control(ROW, "below", high=last, width=130, placeholder="found here")
    yield control(COLUMN, "below", high=last, width=130, placeholder="found here")


def _show(run: Run, values: Values) -> Shown:
    """Show the cosine of every word with every other, and one cosine worked out."""
    words = queries.sort_words(values[WORDS_TO_COMPARE] or "", COMPARED_WORDS)
    unknown, known = notes_on(words, COMPARED_WORDS), words.known
    if len(known) < 2:
        return without_vectors("Write two words or more that are known.", *filter(None, unknown), lead=LEAD)
    method, last = values[METHOD], len(known) - 1
    matrix = core_call(cosines, queries.table(), method, known)
    pairs = ranked_pairs(matrix)
    chosen = zip((values[ROW], values[COLUMN]), pairs[0][:2], strict=True)
    row, column = (min(place if asked is None else asked, last) for asked, place in chosen)
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
        outlines=[pairs[0][:2], pairs[-1][:2]],
        selected=(row, column),
        unit="cosine",
    )
    return Shown(
        pictures=[
            *_pair_tiles(known, pairs),
            Matrices([panel], key="word-vectors-cosines", name="cosines", height=520, sets=_open),
            origin(),
        ],
        lead=LEAD,
        click="Click one to see it worked out.",
        arithmetic=_worked(method, known[row], known[column], float(matrix[row, column])),
        takeaway=read_similarity(known, pairs[0], pairs[-1]),
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


def _pair_tiles(known: Sequence[str], pairs: Sequence[Pair]) -> list[Part]:
    """Return the most and the least alike pairs as tiles, each shaded by its cosine."""
    count = min(SHOWN_PAIRS, (len(pairs) + 1) // 2)
    rows = {"Most alike": pairs[:count], "Least alike": pairs[count:][: -count - 1 : -1]}
    parts: list[Part] = []
    for title, some in rows.items():
        if some:
            parts += [Markdown(f"**{title}**"), _tiles(title, known, some)]
    return parts


def _tiles(title: str, known: Sequence[str], pairs: Sequence[Pair]) -> TokenButtons:
    tiles = [
        Token(f"{known[i]} · {known[j]}", shade=float(np.clip(cosine, 0, 1)), under=f"{cosine:.2f}".replace("-", "−"))
        for i, j, cosine in pairs
    ]
    return TokenButtons(
        tiles,
        key=f"word-vectors-{title.split()[0].lower()}",
        name=f"{title}: pairs of words with their cosines",
        hue="size",
        item="pair",
        large=True,
        sets=lambda clicked: _open("", *pairs[clicked][:2]),
    )


def _script(run: Run, values: Values) -> ScriptParts:
    known = queries.sort_words(values[WORDS_TO_COMPARE] or "", COMPARED_WORDS).known
    if len(known) < 2:
        raise ValueError("There is no script yet: write two words or more that are known.")
    return cosines_script(queries.table(), values[METHOD], known)


VIEW = View("similarity", _show, _controls, script=_script)
