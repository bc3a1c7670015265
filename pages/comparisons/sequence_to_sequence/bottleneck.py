"""The view of the one vector: how far a changed word moves it, and how far the decoder's states then move."""

from core.charts.bars import bars_data, word_bars_spec
from core.text.labels import token_name
from core.topics.sequence_to_sequence.readings import (
    DISTANCE_FORMULA,
    read_changed_word,
    read_fixed_size,
    read_forgetting,
)
from core.topics.sequence_to_sequence.records import BOTTLENECK, Moved
from pages.canvas import Matrices, Panel, Strip, Tile
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import replaced_word, word_controls
from pages.comparisons.sequence_to_sequence.settings import OTHER_WORD, WORD
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Columns, Part, Table, Values, plain, spec


def _show(text: str, values: Values) -> Shown:
    """Show the vector before and after one word changes, how far each word moves it, and the effect on the decoder."""
    word, replacement = replaced_word(text, values), " ".join(values[OTHER_WORD].split())
    moved = queries.moved(text, replacement)
    name = token_name(moved.words, word)
    rows = queries.passage(BOTTLENECK, text).rows
    bars = Chart(
        bars_data(moved.vector, moved.words),
        spec(word_bars_spec, "How far does the vector move?", "distance, as a share of its length", clicked=True),
        key="sequence-to-sequence-moved",
        name="How far the vector moves for each word",
        sets=lambda clicked: {WORD.key: clicked},
    )
    felt = Panel(
        "felt",
        "The decoder's states: how far they move",
        moved.decoder,
        moved.words,
        rows,
        "word that changes",
        "token that is written",
        scale="size",
        outlines=[(word, None)],
        unit="distance",
    )
    matrix = Matrices([felt], key="sequence-to-sequence-felt", name="What the decoder notices", height=480)
    pictures: list[Part] = [
        Columns([[bars], [matrix]], widths=(2, 3)),
        Caption(
            f"Click a bar to change that word. Changed now: {plain(name)}, the outlined row. On the right the decoder "
            "reads the tokens that it first wrote."
        ),
        Strip(_vectors(moved, word, name), key="sequence-to-sequence-vectors", name="The vector"),
    ]
    return Shown(
        pictures=pictures,
        lead="The **encoder** reads word by word, and its last state is all that the **decoder** gets. Put another "
        "word in place of one, and see how far the vector moves.",
        takeaway=[
            read_fixed_size(moved.original.size, moved.vector),
            *read_changed_word(moved.words, moved.vector, replacement),
            read_forgetting(name, moved.decoder[word]),
        ],
        formula=DISTANCE_FORMULA,
        about="The vector goes into each of the decoder's steps, beside its own state and the last token. A distance "
        "of 100% is as far as the vector is long. It is not what the gates keep of a word (the views “gates” "
        "and “hidden states”): another word also changes what becomes of the words after it.",
        table=Table("moved", moved.decoder, moved.words, rows, "word"),
        source=(
            "core.topics.sequence_to_sequence.changed_words.moved",
            "core.topics.sequence_to_sequence.analysis.recurrence.relative_distance",
            "core.model.recurrent.Recurrent.encode",
        ),
    )


def _vectors(moved: Moved, word: int, name: str) -> list[Tile]:
    """Return the vector, the one with the word changed, and their difference, all on one scale.

    name: the name of the changed word.
    """
    before, after = moved.original, moved.others[word]
    shown = (
        ("before", "the vector", before),
        ("after", f"with {name} changed", after),
        ("difference", "the difference", after - before),
    )
    count = f"{len(before)} numbers"
    return [
        Tile(name, title, values[None], count, size=(0.2, 5.0), limit=1.0, beyond=True, starts=True)
        for name, title, values in shown
    ]


VIEW = View("the bottleneck", _show, word_controls)
