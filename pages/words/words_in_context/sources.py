"""What one head brought to the word in each sentence, term by term."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from core.charts.word_contexts import drawn_data, drawn_spec
from core.explorer.shared.places import Place
from core.explorer.words_in_context.drawn import Drawn, drawn_from
from core.explorer.words_in_context.occurrences import head_differences
from core.readings.words import head_label, token_name
from core.readings.words_in_context import read_contributions, write_mix
from core.tracing.run import Run
from pages.queries.head import head
from pages.shell import Shown
from pages.widgets import (
    Button,
    Caption,
    Chart,
    Columns,
    Control,
    Listing,
    Part,
    Row,
    Values,
    head_of,
    head_picked,
    layer_of,
    place_controls,
    spec,
)
from pages.words.words_in_context import queries
from pages.words.words_in_context.parts import (
    Compared,
    example_buttons,
    nothing_shared,
    read_sentences,
    sentence_controls,
)

LEAD = (
    "A **head** mixes the **values** of the tokens it attends to: z is their sum, each times its **attention weight**. "
    "A long value counts for more than its weight says, and one that points the other way takes away."
)
ABOUT = (
    "A bar is a token's share of z: its weighted value along z, divided by the length of z squared. The shares sum to "
    "1. The tick is the attention weight alone. This is one head of one layer; what it adds goes through W_O and joins "
    "the rest of the stream."
)


def source_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from sentence_controls(run, values)
    yield from place_controls(run, attention=False)


def show_sources(run: Run, values: Values) -> Shown:
    """A chart of contributions for each occurrence, on one scale."""
    try:
        found = read_sentences(run, values)
    except ValueError as mistake:
        return nothing_shared(mistake, LEAD)
    place = Place(run.config.stacks[0], layer_of(run, values), head_of(run, values))
    drawn = [_drawn(run, found, at, place) for at in range(len(found.places))]
    names = [at.name for at in found.places]
    sources = [
        (name, token_name(each.labels, each.most), float(each.shares[each.most]))
        for name, each in zip(names, drawn, strict=True)
    ]
    several = any(found.sentences[at.sentence].several_pieces(at.word) for at in found.places)
    return Shown(
        pictures=[
            example_buttons(),
            _most_different(found),
            Columns(source_charts(drawn, [f"“{found.word}” in sentence {name}" for name in names])),
        ],
        lead=LEAD,
        takeaway=read_contributions(found.word, sources, place.layer, place.head),
        notes=["Of a word of several pieces, its last piece is shown." if several else None],
        formula=write_mix(len(drawn[0].labels), run.config.value_width),
        about=ABOUT,
        table=[source_table(name, each) for name, each in zip(names, drawn, strict=True)],
        source=("core.explorer.words_in_context.drawn.drawn_from", "core.analysis.word_contexts.mix_contributions"),
    )


def source_charts(drawn: list[Drawn], titles: list[str]) -> list[list[Part]]:
    """A column with a chart for each, all on one scale."""
    every = np.concatenate([[0.0], *(part for each in drawn for part in (each.shares, each.weights))])
    ends = float(every.min()), float(every.max())
    return [
        [
            Chart(
                drawn_data(each.labels, each.shares, each.weights, each.sizes, ends),
                spec(drawn_spec, title),
                f"words-in-context-drawn-{number}",
                title,
            )
        ]
        for number, (each, title) in enumerate(zip(drawn, titles, strict=True))
    ]


def source_table(name: str, drawn: Drawn) -> Listing:
    """The numbers of one chart."""
    return Listing(
        f"sentence {name}",
        {
            "token": list(drawn.labels),
            "weight w": drawn.weights.astype(float).tolist(),
            "size of w v": drawn.sizes.tolist(),
            "share of z": drawn.shares.tolist(),
        },
    )


def _drawn(run: Run, found: Compared, number: int, place: Place) -> Drawn:
    at = found.places[number]
    sentence = found.sentences[at.sentence]
    return drawn_from(head(queries.sentence_run(run, sentence.text), place), sentence.tokens[at.word][1])


def _most_different(found: Compared) -> Row:
    """The way to the head whose mixes for the occurrences are least alike."""
    cosines = head_differences(found.sentences, found.places)
    layer, number = map(int, np.unravel_index(int(cosines.argmin()), cosines.shape))
    said = (
        f"Of {cosines.size} heads, {head_label(layer, number)} brings the most different (cosine {cosines.min():.2f})."
    )
    show = Button("Show it", "words-in-context-most", partial(head_picked, layer, number), ":material/search:")
    return Row([Caption(said.replace("-", "−")), show])
