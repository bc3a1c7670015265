"""The view of what a head looks for: the words that would fit its query, and the distances."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, piece_scores_spec
from core.charts.positions_lines import lines_along, lines_data, lines_spec
from core.text.labels import token_name
from core.topics.circuits.edges import ADDITIVE_SCORES
from core.topics.circuits.looked_for import LookedFor
from core.topics.circuits.readings import looked_for as say
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.transformer.circuits import queries
from pages.transformer.circuits.grid import part_grid
from pages.transformer.circuits.subject import WrittenWord, distinct, word_controls, words_row, written_word
from pages.widgets import Chart, Columns, Control, Message, Part, Table, Values, spec

LEAD = (
    "A **score** is the product of a **query** and a **key**. So a query can be held against every word that there is: "
    "which ones would fit it? And does it matter where they stand?"
)
ABOUT = (
    "The query is the one of the token before the chosen word, in the head that is marked; click another head. Keys "
    "are made from the embedding of each piece, as if it stood at the query's own place; what a token takes in from "
    "others on its way to a later layer is not in them (the QK circuit; Elhage et al. 2021).",
    "By distance: the key that the query looks at most, moved to every distance in this text; beside it the mean score "
    "of all pieces at the query's own place.",
)
NO_HEAD = "This model writes no words, so no head can be read in words: choose the storyteller or the translator."
CROSSED = "The keys of cross-attention come from the encoder's output, not from single words. Click another head."
AVERAGE_WORD = "the average word"


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from word_controls(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show what would fit the query of the head that is looked at, and how its scores change with distance."""
    word = written_word(run, values)
    if word is None:
        return Shown([Message(NO_HEAD)], LEAD)
    part = word.attribution.parts[word.head_index]
    place = part.place(word.stack)
    pictures: list[Part] = [words_row(run, values)]
    if place.cross:
        return Shown([*pictures, Message(CROSSED), part_grid(word, heads_only=True)], LEAD)
    if run.config.score == "additive":
        return Shown([*pictures, Message(ADDITIVE_SCORES)], LEAD)
    found = queries.looked_for(run, place, word.attribution.token)
    query, key = (token_name(found.labels, at) for at in (word.attribution.token, found.looked_at))
    charts = [[_pieces(found)]] if found.by_distance is None else [[_distances(found, key)], [_pieces(found)]]
    return Shown(
        lead=LEAD,
        pictures=[*pictures, Columns([*charts, [part_grid(word, heads_only=True)]], widths=(1,) * (len(charts) + 1))],
        takeaway=[
            *say.read_kind(place.layer, place.head, query, key, found.by_distance, found.for_place, found.here_mean),
            *_by_distance(found, key),
            say.read_pieces(found.here[0], float(found.here_by[0]), found.bare[0]),
        ],
        about=ABOUT,
        table=_tables(found, word),
        source=("core.topics.circuits.looked_for.looked_for",),
    )


def _by_distance(found: LookedFor, key: str) -> Iterator[str]:
    if found.by_distance is not None:
        yield say.read_distances(key, found.distance_range, int(found.by_distance.argmax()))


def _distances(found: LookedFor, key: str) -> Chart:
    assert found.by_distance is not None
    data = lines_data(lines_along({f"{key}, moved": found.by_distance, AVERAGE_WORD: found.here_mean}))
    drawn = spec(lines_spec, "Does distance matter?", "tokens back", "score", whole=True)
    return Chart(data, drawn, "circuits-distances", "the score by distance")


def _pieces(found: LookedFor) -> Chart:
    drawn = spec(piece_scores_spec, "Which words would fit, out of context?", "score above the mean")
    return Chart(
        bars_data(found.here_by, distinct(found.here), 2), drawn, "circuits-fitting", "the pieces that fit best"
    )


def _tables(found: LookedFor, word: WrittenWord) -> list[Table]:
    tables = [
        Table(
            "fits the query", found.here_by[:, None], distinct(found.here), ("score above the mean",), corner="piece"
        ),
        Table(
            "fits the bare query",
            found.bare_by[:, None],
            distinct(found.bare),
            ("score above the mean",),
            corner="piece",
        ),
        Table("where it looks", found.weights[:, None], found.labels, ("weight",), corner="token"),
    ]
    if found.by_distance is not None:
        steps = [str(step) for step in range(len(found.by_distance))]
        tables.append(Table("by distance", found.by_distance[:, None], steps, ("score",), corner="tokens back"))
        span = np.array([[found.distance_range, found.here_mean]])
        key = found.labels[found.looked_at]
        tables.append(Table("over all distances", span, (key,), ("differs by", AVERAGE_WORD), corner="key"))
    return tables


VIEW = View("what a head looks for", _show, _controls)
