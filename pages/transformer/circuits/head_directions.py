"""The view of the directions of a head: along each it reads one kind of word, and looks for or writes another."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, direction_bars_spec, piece_scores_spec
from core.topics.circuits.directions import OV, QK, Directions, Ends
from core.topics.circuits.parts import Component
from core.topics.circuits.readings import directions as say
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.transformer.circuits import queries
from pages.transformer.circuits.settings import CIRCUIT, DIRECTION, PART
from pages.transformer.circuits.subject import WrittenWord, distinct, word_controls, written_word
from pages.widgets import Caption, Chart, Columns, Control, Message, Table, Values, control, plain, spec

LEAD = (
    "A **head** works along a few directions. Along each one, tokens of one kind look for, or speak for, tokens of "
    "another kind. The strongest direction often says what the head is for."
)
ABOUT = (
    "The map of a head is a product of two of its matrices: from keys to queries (QK), or from what it looks at to "
    "what it writes (OV; Elhage et al. 2021). Its singular vectors are the directions; the square of a singular value, "
    "divided by the sum of all, is the direction's share of the map (Millidge and Black 2022).",
    "Words are read as the layer's norm makes them from their embeddings alone; what a token takes in from others on "
    "its way to a later layer is not in them. Scores are those without positions and biases, and what a head "
    "writes goes through no later layer. This view does not depend on the text.",
)
NO_HEAD = "This model writes no words, so no head can be read in words: choose the storyteller or the translator."
SHOWN_DIRECTIONS = 10


def _controls(run: Run, values: Values) -> Iterator[Control]:
    if queries.writes_words(run):
        yield control(CIRCUIT, width=220)
        yield from (each for each in word_controls(run, values) if each.setting is PART)
        width = run.config.value_width if values[CIRCUIT] == CIRCUIT.options[1] else run.config.key_width
        yield control(DIRECTION, "below", high=min(width, run.config.d_model), width=120)


def _show(run: Run, values: Values) -> Shown:
    """Show how much of each head's map its strongest direction is, and the words along one direction of one head."""
    word = written_word(run, values)
    if word is None:
        return Shown([Message(NO_HEAD)], LEAD)
    circuit = OV if values[CIRCUIT] == CIRCUIT.options[1] else QK
    try:
        strongest = queries.strongest_shares(run, word.stack, circuit)
    except ValueError as refused:
        return Shown([Message(plain(str(refused)))], LEAD)
    part = _part(word, strongest, circuit)
    number = max(0, int(values[DIRECTION] or 1) - 1)
    found = queries.directions(run, part.place(word.stack), circuit, number)
    number = min(number, len(found.shares) - 1)
    return Shown(
        lead=LEAD,
        click="Click a cell to choose a head.",
        pictures=[
            Columns([[_words(found, circuit, False)], [_words(found, circuit, True)]], widths=(1, 1)),
            Caption("Orange goes with orange, and violet with violet."),
            Columns([[_shares(found, number)], [_grid(word, strongest, part, circuit)]], widths=(1, 1)),
        ],
        takeaway=[
            _told(found, part, circuit),
            say.read_direction_share(number, float(found.shares[number]), found.random_share),
        ],
        formula=say.write_map(circuit),
        about=ABOUT,
        table=_tables(found, circuit, number),
        source=("core.topics.circuits.directions.directions", "core.topics.circuits.directions.strongest_shares"),
    )


def _part(word: WrittenWord, strongest: np.ndarray, circuit: str) -> Component:
    """Return the chosen head of self-attention; without one, the head whose strongest direction has most of its map.

    In OV only heads of the last layer come into question: what they write goes straight to the words.
    """
    chosen = None if word.chosen_part is None else word.part
    if chosen is not None and chosen.head is not None and chosen.kind == "attention":
        return chosen
    first = len(strongest) - 1 if circuit == OV else 0
    layer, head = np.unravel_index(int(strongest[first:].argmax()), strongest[first:].shape)
    return Component("attention", first + int(layer), int(head))


def _told(found: Directions, part: Component, circuit: str) -> str:
    """Say which words go together at the high ends of a direction."""
    read, other = found.inside.high[0], found.outside.high[0]
    assert part.head is not None
    if circuit == QK:
        return say.read_looked_for(part.layer, part.head, other, read)
    return say.read_spoken_for(part.layer, part.head, read, other)


def _titles(circuit: str) -> tuple[str, str]:
    """Return the titles of the words of the query, or that are looked at, and of those that they go with."""
    return ("Tokens that look", "What they look for") if circuit == QK else ("Tokens looked at", "What it speaks for")


def _ends(found: Directions, circuit: str, second: bool) -> Ends:
    return found.inside if (circuit == QK) == second else found.outside


def _words(found: Directions, circuit: str, second: bool) -> Chart:
    """Return the words at both ends of one side of the direction, in the same order as those of the other side."""
    values, labels = _listed(_ends(found, circuit, second))
    title = _titles(circuit)[second]
    drawn = spec(piece_scores_spec, title, "how far it goes along the direction, or against it")
    key = "circuits-direction-to" if second else "circuits-direction-from"
    return Chart(bars_data(values, labels, 2), drawn, key, title.lower())


def _listed(ends: Ends) -> tuple[np.ndarray, list[str]]:
    values = np.concatenate([ends.high_by, ends.low_by[::-1]])
    return values, distinct([*ends.high, *reversed(ends.low)])


def _shares(found: Directions, number: int) -> Chart:
    shown = found.shares[:SHOWN_DIRECTIONS]
    labels = [f"{index + 1}" + (" (shown)" if index == number else "") for index in range(len(shown))]
    return Chart(
        bars_data(shown, labels, 3),
        spec(direction_bars_spec, "How much of the map is each?", "share of the map"),
        "circuits-direction-shares",
        "the share of each direction",
        sets=lambda index: {DIRECTION.key: index + 1} if index < len(shown) else {},
    )


def _grid(word: WrittenWord, strongest: np.ndarray, part: Component, circuit: str) -> Matrices:
    layers, heads = strongest.shape
    parts = word.attribution.parts
    panel = Panel(
        "heads",
        f"{circuit}: share of the strongest direction",
        strongest,
        [f"layer {layer + 1}" for layer in range(layers)],
        [f"head {head + 1}" for head in range(heads)],
        scale="weight",
        selected=(part.layer, part.head or 0),
        unit="share",
    )
    return Matrices(
        [panel],
        key="circuits-direction-heads",
        name="The share of each head's strongest direction",
        height=340,
        sets=lambda name, layer, head: {
            PART.key: parts.index(Component("attention", layer, head)),
            DIRECTION.key: None,
        },
    )


def _tables(found: Directions, circuit: str, number: int) -> list[Table]:
    tables = []
    for second, title in enumerate(_titles(circuit)):
        values, labels = _listed(_ends(found, circuit, bool(second)))
        tables.append(Table(title.lower(), values[:, None], labels, ("along the direction",), corner="piece"))
    numbers = [f"{index + 1}" for index in range(len(found.shares))]
    tables.append(Table("directions", found.shares[:, None], numbers, ("share of the map",), corner="direction"))
    compared = np.array([[found.shares[number], found.random_share]])
    columns = ("share of the map", "strongest of random matrices")
    tables.append(Table("this direction", compared, (f"{number + 1}",), columns, corner="direction"))
    return tables


VIEW = View("directions of a head", _show, _controls, reads_text=False, reads_mask=False, reads_target=False)
