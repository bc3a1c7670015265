"""Where words lie between two others: the bias of a text."""

from collections.abc import Iterator

from core.charts.bars import bars_data, word_bars_spec
from core.export.script_parts import ScriptParts
from core.export.word_vectors import leaning_script
from core.limits import LEANING_WORDS
from core.readings.word_vectors import FORMULAS, read_leaning
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Table, Values, spec
from pages.words.word_vectors import queries
from pages.words.word_vectors.parts import (
    known_words,
    method_controls,
    notes_on,
    origin,
    typed,
    without_vectors,
    word_of,
)
from pages.words.word_vectors.settings import END, METHOD, START, WORDS_BETWEEN

LEAD = (
    "A line from one word to another, and where other words fall on it. From she to he it shows which occupations "
    "stand near women, and which near men, in these books: old novels, plays and speeches. It is what was written, "
    "not what is true or ought to be, and a program that uses such vectors repeats it."
)
ABOUT = (
    "0 leans neither way. A small number says little: a rare word stands in few sentences, and one story can turn it. "
    "The measure is that of Bolukbasi et al. 2016, with one pair of words."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from method_controls(run, values)
    yield typed(START)
    yield typed(END)
    yield typed(WORDS_BETWEEN, 420)


def _show(run: Run, values: Values) -> Shown:
    """Show words along the direction from one word to another."""
    (start, why_start), (end, why_end) = word_of(values, START), word_of(values, END)
    words = queries.sort_words(values[WORDS_BETWEEN] or "", LEANING_WORDS)
    unknown = notes_on(words, LEANING_WORDS)
    same_ends = f"“{start}” to “{end}” is no direction; choose two words." if start and start == end else ""
    none = "" if words.known else "Write a word that is known into “Words between”."
    if why_start or why_end or same_ends or none:
        return without_vectors(why_start, why_end, same_ends, none, lead=LEAD)
    projection = queries.leaning(values[METHOD], (start, end), words.known)
    chart = Chart(
        bars_data(projection.cosines, projection.words),
        spec(word_bars_spec, "Which way does each word lean?", "cosine with the line; the second word is on the right"),
        "word-vectors-lean",
        "how words lean",
    )
    return Shown(
        pictures=[chart, origin()],
        lead=LEAD,
        takeaway=read_leaning(start, end, projection.words, projection.cosines.tolist()),
        notes=unknown,
        formula=FORMULAS["bias"],
        about=ABOUT,
        table=Table("leaning", projection.cosines[:, None], projection.words, ["cosine"], "word"),
        source=("core.analysis.word_vectors.shares_along",),
    )


def _script(run: Run, values: Values) -> ScriptParts:
    start, end = known_words(values, START, END)
    words = queries.sort_words(values[WORDS_BETWEEN] or "", LEANING_WORDS).known
    if not words:
        raise ValueError("There is no script yet: write a word that is known into “Words between”.")
    leaning = queries.leaning(values[METHOD], (start, end), words)
    return leaning_script(queries.table(), values[METHOD], (start, end), leaning.words)


VIEW = View("bias", _show, _controls, script=_script)
