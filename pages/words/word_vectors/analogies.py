"""Analogies: a is to b as c is to which word, with the arithmetic."""

from collections.abc import Iterator
from functools import partial

from core.charts.bars import bars_data, word_bars_spec
from core.charts.word_map import analogy_data, analogy_spec
from core.export.script_parts import ScriptParts
from core.export.word_vectors import analogy_script
from core.readings.word_vectors import FORMULAS, read_analogy, write_vector
from core.readings.words import number
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.widgets import Button, Chart, Columns, Control, Listing, Part, Row, Values, spec
from pages.words.word_vectors import queries
from pages.words.word_vectors.parts import known_words, method_controls, origin, typed, without_vectors, word_of
from pages.words.word_vectors.settings import METHOD, A, B, C

SHOWN_ANSWERS = 8
EXAMPLES = (
    ("man", "king", "woman"),
    ("go", "went", "see"),
    ("france", "paris", "england"),
    ("good", "better", "great"),
    ("hot", "cold", "day"),
    ("king", "queen", "uncle"),
)
LEAD = (
    "An **analogy**: a is to b as c is to what? The step from a to b is made from c, and the nearest word is the "
    "answer. The three words themselves are left out, as usual: otherwise one of them is often the nearest."
)
ABOUT = (
    "The plane through a, b and c is exact: the same step from a and from c makes a parallelogram. Answers lie off "
    "the plane and are drawn where they fall straight onto it; point at one to read how far off it is."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from method_controls(run, values)
    for setting in (A, B, C):
        yield typed(setting)


def _show(run: Run, values: Values) -> Shown:
    """Show the answer, the runners-up, and the arithmetic on the plane of the three words."""
    looked_up = [word_of(values, setting) for setting in (A, B, C)]
    if any(why for _, why in looked_up):
        shown = without_vectors(*(why for _, why in looked_up), lead=LEAD)
        return Shown([_examples(), *shown.pictures], lead=LEAD)
    a, b, c = (word for word, _ in looked_up)
    analogy = queries.analogy(values[METHOD], (a, b, c), SHOWN_ANSWERS)
    near, left_in = analogy.near, analogy.left_in
    plane = Chart(
        analogy_data(analogy.places, (a, b, c, "t"), analogy.shadows, analogy.off, near.words),
        spec(analogy_spec),
        "word-vectors-plane",
        f"{b} − {a} + {c}",
    )
    bars = Chart(
        bars_data(near.cosines, near.words),
        spec(word_bars_spec, "Nearest to b − a + c"),
        "word-vectors-answers",
        "the answers",
    )
    return Shown(
        pictures=[_examples(), Columns([[plane], [bars]], (3, 2)), origin()],
        lead=LEAD,
        arithmetic=_arithmetic(analogy),
        takeaway=read_analogy(
            (a, b, c),
            near.words[0],
            float(near.cosines[0]),
            near.words[1],
            float(near.cosines[1]),
            left_in.words[0],
        ),
        formula=FORMULAS["analogy"],
        about=ABOUT,
        table=Listing(
            "analogy",
            {
                "three words left out": list(near.words),
                "cosine": near.cosines.astype(float).tolist(),
                "left in": list(left_in.words),
                "cosine, left in": left_in.cosines.astype(float).tolist(),
            },
        ),
        source=("core.topics.word_vectors.relations.analogy", "core.analysis.word_vectors.analogy_plane"),
    )


def _arithmetic(analogy: queries.Analogy) -> str:
    """Return the three vectors of length 1 and their sum, number by number."""
    a, b, c = analogy.words
    names = (f"  {b}", f"− {a}", f"+ {c}", "= t")
    wide = max(map(len, names))
    rows = [analogy.terms[1], analogy.terms[0], analogy.terms[2], analogy.terms[3]]
    lines = [f"{name:<{wide}}  {write_vector(row)}" for name, row in zip(names, rows, strict=True)]
    best = analogy.near
    return "\n".join(
        [*lines, f"‖t‖ = {number(analogy.length)}", f"cos(t, {best.words[0]}) = {number(float(best.cosines[0]))}"]
    )


def _examples() -> Part:
    """Return buttons with analogies to try; the last two go wrong."""
    buttons = [
        Button(f"{a} : {b} = {c} : ?", f"word-vectors-example-{number}", partial(_sets, (a, b, c)))
        for number, (a, b, c) in enumerate(EXAMPLES)
    ]
    return Row(buttons)


def _sets(words: tuple[str, str, str]) -> dict[str, str]:
    return {setting.key: word for setting, word in zip((A, B, C), words, strict=True)}


def _script(run: Run, values: Values) -> ScriptParts:
    a, b, c = known_words(values, A, B, C)
    return analogy_script(queries.table(), values[METHOD], (a, b, c), SHOWN_ANSWERS)


VIEW = View("analogies", _show, _controls, script=_script)
