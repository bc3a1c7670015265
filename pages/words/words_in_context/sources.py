"""The contributions of one head to the word in each sentence, term by term."""

from collections.abc import Iterator
from contextlib import suppress

from core.topics.words_in_context.readings import read_mixed_terms, read_sources, write_mix
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.widgets import Control, Values
from pages.words.words_in_context.mixes import (
    chosen_head,
    mix_charts,
    mix_controls,
    mix_sources,
    mix_tables,
    mixed_terms,
)
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


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from sentence_controls(run, values)
    compared: Compared | None = None
    with suppress(ValueError):  # the view itself explains it
        compared = read_sentences(run, values)
    yield from mix_controls(run, compared)


def _show(run: Run, values: Values) -> Shown:
    """Show a chart of contributions for each occurrence, all on one scale."""
    try:
        compared = read_sentences(run, values)
    except ValueError as mistake:
        return nothing_shared(run, mistake, LEAD)
    place = chosen_head(run, values)
    mixes = mixed_terms(run, compared, place)
    sources = mix_sources(compared, mixes)
    return Shown(
        pictures=[*mix_charts(run, place, compared, mixes), example_buttons(run)],
        lead=LEAD,
        takeaway=[
            read_sources(compared.word, sources),
            read_mixed_terms(compared.word, sources, place.layer, place.head),
        ],
        notes=[
            *compared.notes,
            "Of a word of several pieces, its last piece is shown." if compared.several_pieces else None,
        ],
        formula=write_mix(len(mixes[0].labels), run.config.value_width),
        about=ABOUT,
        table=mix_tables(compared, mixes),
        source=("core.topics.words_in_context.drawn.drawn_from", "core.analysis.word_contexts.mix_contributions"),
    )


VIEW = View("what it drew from", _show, _controls, reads_text=False)
