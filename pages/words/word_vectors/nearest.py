"""The words nearest to a word, by both methods side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from core.charts.bars import bars_data, word_bars_spec
from core.export.script_parts import ScriptParts
from core.export.word_vectors import nearest_script
from core.readings.word_vectors import FORMULAS, read_neighbours
from core.topics.word_vectors.table import METHODS
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.widgets import (
    Button,
    Cell,
    Chart,
    Columns,
    Control,
    Listing,
    Message,
    Part,
    Row,
    Values,
    control,
    plain,
    spec,
)
from pages.words.word_vectors import queries
from pages.words.word_vectors.parts import origin, typed, word_of
from pages.words.word_vectors.settings import COUNT, WORD

SUGGESTED = ("horse", "ship", "bread", "river")  # of several kinds
LEAD = (
    "The **cosine** of two vectors says how near their words are. **Skip-gram** learned to predict each word "
    "near a word, **CBOW** a word from the mean of those near it."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield typed(WORD, 200)
    yield control(COUNT, width=220)


def _show(run: Run, values: Values) -> Shown:
    """Show two lists of neighbours with their cosines."""
    word, why = word_of(values, WORD)
    if why:
        shown = _neighbours(WORD.default, values[COUNT])
        return replace(shown, pictures=[*_instead(values, why), *shown.pictures])
    return _neighbours(word, values[COUNT])


def _instead(values: Values, why: str) -> list[Part]:
    """Return the reason why a word has no neighbours, and buttons with words that have some."""
    near = [spelt for words in queries.sort_words(values[WORD] or "", 1).unknown.values() for spelt in words]
    buttons: list[Part] = [
        Button(word, f"word-vectors-try-{word}", partial(_change_word, word), type="secondary")
        for word in dict.fromkeys([*near, *SUGGESTED])
    ]
    said = f"{why} The vectors were learned from {queries.table().data}. Below are the neighbours of “{WORD.default}”"
    return [Message(plain(f"{said}; or try:")), Row(buttons)]


def _neighbours(word: str, count: int) -> Shown:
    """Return the view of the words nearest to a known word."""
    neighbours = {method: queries.neighbours(method, word, count) for method in METHODS}
    columns: list[list[Part]] = []
    for number, (method, near) in enumerate(neighbours.items()):
        chart = spec(word_bars_spec, f"Nearest by {method}", clicked=True)
        key, name = f"word-vectors-near-{number}", f"the words nearest by {method}"
        columns.append([Chart(bars_data(near.cosines, near.words), chart, key, name, partial(_go_on, near.words))])
    common = len(set.intersection(*(set(near.words) for near in neighbours.values())))
    nearest = {method: (near.words[0], float(near.cosines[0])) for method, near in neighbours.items()}
    cells: dict[str, Sequence[Cell]] = {"rank": range(1, count + 1)}
    for method, near in neighbours.items():
        cells |= {method: near.words, f"{method}, cosine": near.cosines.astype(float).tolist()}
    return Shown(
        pictures=[Columns(columns), origin()],
        lead=LEAD,
        click="Click a bar to go on from its word.",
        takeaway=read_neighbours(word, nearest, common, count),
        formula=FORMULAS["neighbours"],
        table=Listing("neighbours", cells),
        source=("core.analysis.word_vectors.closest_rows", "core.model.word2vec.skipgram_loss"),
    )


def _go_on(words: Sequence[str], clicked: int) -> dict[str, str]:
    """Return the setting that a click on a bar changes: its word."""
    return _change_word(words[clicked])


def _change_word(word: str) -> dict[str, str]:
    return {WORD.key: word}


def _script(run: Run, values: Values) -> ScriptParts:
    word, _ = word_of(values, WORD)
    return nearest_script(queries.table(), word or WORD.default, values[COUNT])


VIEW = View("neighbours", _show, _controls, script=_script)
