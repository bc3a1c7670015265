"""How similar the vectors of one word in different sentences are, layer by layer."""

import numpy as np

from core.charts.word_contexts import stages_data, stages_spec
from core.topics.words_in_context.occurrences import alikeness
from core.topics.words_in_context.readings import note_pieces, note_rows, read_occurrences, write_cosine
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Chart, Columns, Table, Values, spec
from pages.words.words_in_context import queries
from pages.words.words_in_context.parts import (
    example_buttons,
    nothing_shared,
    read_sentences,
    sentence_controls,
    sentence_rows,
)

LEAD = (
    "At first a token is a row of the **embedding table**, the same wherever it stands. Each layer then adds to it "
    "what attention brings from the other words. The **cosine** tells how alike two vectors are: 1 the same way, 0 at "
    "right angles."
)
ABOUT = (
    "Dashed: word vectors such as those of word2vec are one row for a word, whatever the sentence, so their line stays "
    "at 1. Dotted: the mean cosine of two different words of these sentences, to compare with. A curve that falls "
    "shows that the vectors differ, not that the model knows two meanings: look for pairs of one meaning that stay "
    "together."
)
FIXED_SERIES, OTHER_WORDS_SERIES = "one vector for each word", "two different words, on average"


def _show(run: Run, values: Values) -> Shown:
    """Show a line for every two occurrences of the word."""
    try:
        compared = read_sentences(run, values)
    except ValueError as mistake:
        return nothing_shared(run, mistake, LEAD)
    alike = core_call(alikeness, compared.sentences, compared.places)
    names = tuple(f"sentences {pair.name}" for pair in alike.pairs)
    series: dict[str, np.ndarray | float] = dict(zip(names, (pair.cosines for pair in alike.pairs), strict=True))
    others = None if np.isnan(alike.others).any() else float(alike.others[-1])
    title = "How alike is the word to itself, layer by layer?"
    chart = Chart(
        stages_data(alike.stages, series | {FIXED_SERIES: 1.0, OTHER_WORDS_SERIES: alike.others}),
        spec(stages_spec, title, "cosine", names, (FIXED_SERIES, OTHER_WORDS_SERIES)),
        "words-in-context-layers",
        f"cosines of {compared.word}",
    )
    ends = [(pair.name, float(pair.cosines[-1])) for pair in alike.pairs]
    return Shown(
        pictures=[Columns([sentence_rows(compared), [chart]], (2, 3)), example_buttons(run)],
        lead=LEAD,
        takeaway=read_occurrences(compared.word, ends, others, alike.same_row),
        notes=[
            *compared.notes,
            note_pieces(compared.averaged),
            *note_rows(compared.word, queries.in_word2vec(compared.word), alike.same_row),
        ],
        formula=write_cosine(run.config.layers, run.config.d_model, compared.averaged),
        about=ABOUT,
        table=Table(
            "cosines",
            np.stack([*(pair.cosines for pair in alike.pairs), alike.others]),
            [*names, OTHER_WORDS_SERIES],
            alike.stages,
            "pair",
        ),
        source=(
            "core.topics.words_in_context.sentences.read_sentence",
            "core.topics.words_in_context.occurrences.alikeness",
            "core.analysis.word_contexts.cosine_rows",
        ),
    )


VIEW = View("layer by layer", _show, sentence_controls, reads_text=False)
