"""The view of two readings of one sentence: the states that a changed word reaches, forward and backward."""

from core.topics.sequence_to_sequence.readings import DISTANCE_FORMULA, read_directions
from pages.canvas import Matrices, Panel
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import replaced_word, word_controls
from pages.comparisons.sequence_to_sequence.settings import OTHER_WORD, WORD
from pages.shell import Shown, View
from pages.widgets import Table, Values


def _show(text: str, values: Values) -> Shown:
    """Show how far both halves of every word's state move, for every word that changes."""
    word = replaced_word(text, values)
    directions = queries.directions(text, " ".join(values[OTHER_WORD].split()))
    halves = {"forward": directions.forwards, "backward": directions.backwards}
    panels = [
        Panel(
            name,
            f"The {name} half",
            moved,
            directions.words,
            directions.words,
            "word that changes",
            "state at the word",
            scale="size",
            outlines=[(word, None)],
            absent="left out",
            unit="distance",
        )
        for name, moved in halves.items()
    ]
    picture = Matrices(
        panels,
        key="sequence-to-sequence-directions",
        name="Which states a changed word moves",
        height=480,
        sets=lambda panel, row, col: {WORD.key: row},
    )
    return Shown(
        pictures=[picture],
        lead="The GRU with attention reads the sentence twice, from the left and from the right, and joins both states "
        "of a word. Change one word: the forward half of the words after it moves, and the backward half of those "
        "before it.",
        click="Click a row to choose its word.",
        takeaway=read_directions(directions.words, word, directions.forwards[word], directions.backwards[word]),
        formula=DISTANCE_FORMULA,
        table=[
            Table(f"{name}-half", moved, directions.words, directions.words, "word that changes")
            for name, moved in halves.items()
        ],
        source=(
            "core.topics.sequence_to_sequence.changed_words.directions",
            "core.model.recurrent.Recurrent.encode",
        ),
    )


VIEW = View("both directions", _show, word_controls)
