"""The word that "it" refers to, if one word decides it: shown by the translator, which must choose il or elle."""

from collections.abc import Iterator

import numpy as np

from core.charts.word_contexts import stages_data, stages_spec
from core.text.pronoun_pairs import PronounPair, french_pronoun, pronoun_pairs
from core.topics.words_in_context.occurrences import alikeness, occurrences
from core.topics.words_in_context.pronouns import PairResult, count_pairs
from core.topics.words_in_context.readings import (
    note_pronoun,
    read_mixed_terms,
    read_occurrences,
    read_pronouns,
    read_sources,
    write_mix,
)
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.compute.generation import own_translation
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Columns, Control, Listing, Markdown, Part, Values, control, plain, spec
from pages.words.words_in_context import queries
from pages.words.words_in_context.layers import FIXED_SERIES, OTHER_WORDS_SERIES
from pages.words.words_in_context.mixes import (
    chosen_head,
    mix_charts,
    mix_controls,
    mix_sources,
    mix_tables,
    mix_words,
    mixed_terms,
)
from pages.words.words_in_context.parts import Compared
from pages.words.words_in_context.settings import PAIR

PRONOUN = "it"
FLAT = (
    "The two “it” stay almost alike, near a cosine of 1, because most of what their vectors hold is the same in both "
    "sentences. A small difference can be enough for the translator to tell il from elle."
)
COUNT_ROWS = {"translation": ["all", "both right", "one right", "the same twice", "twice that of the first noun"]}
LEAD = (
    "One word decides what “it” stands for. French has to choose: il for a masculine noun, elle for a feminine one. In "
    "each pair the two nouns differ in gender, so the translation shows which one the model took. This view always "
    "uses the shipped translator, whatever model the page shows."
)
ABOUT = (
    "The sentences are our own, written to be easy for people. The count is of the shipped translator with greedy "
    "decoding; the pronoun is the last il, elle or ce (c', ça) of its sentence. A pronoun can be right by chance: the "
    "subject of the sentence is the first noun, and a model that always takes the subject gets one of each pair right."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(PAIR, width=520, default=queries.telling_pair())
    compared = _read(run, _pair(values))
    yield from mix_controls(queries.as_translator(run, compared.sentences[0].text), compared)


def _show(run: Run, values: Values) -> Shown:
    """Show the two translations, the cosine of the two “it”, the sources of each, and the count over all pairs."""
    pair = _pair(values)
    compared, results = _read(run, pair), queries.pronoun_results()
    counts = count_pairs(results)
    runs = [queries.as_translator(run, text) for text in pair.texts]
    french = [own_translation(translator_run) for translator_run in runs]
    pronouns = [french_pronoun(text) for text in french]
    place = chosen_head(runs[0], values)
    mixes = mixed_terms(runs[0], compared, place)
    alike = core_call(alikeness, compared.sentences, compared.places)
    series: dict[str, np.ndarray | float] = {
        "the two “it”": alike.pairs[0].cosines,
        FIXED_SERIES: 1.0,
        OTHER_WORDS_SERIES: alike.others,
    }
    chart = Chart(
        stages_data(alike.stages, series),
        spec(
            stages_spec, "How alike are the two “it”?", "cosine", ("the two “it”",), (FIXED_SERIES, OTHER_WORDS_SERIES)
        ),
        "words-in-context-it",
        "cosines of it",
    )
    ends = [("1 and 2", float(alike.pairs[0].cosines[-1]))]
    _, *likeness = read_occurrences(PRONOUN, ends, float(alike.others[-1]), True)
    return Shown(
        pictures=[
            Columns(
                [
                    [
                        mix_words(compared, mixes, number),
                        *_translation(pair, number, french[number], pronouns[number]),
                    ]
                    for number in (0, 1)
                ]
            ),
            *mix_charts(runs[0], place, compared, mixes),
            chart,
        ],
        lead=LEAD,
        takeaway=[
            read_sources(PRONOUN, mix_sources(compared, mixes)),
            *read_pronouns(pronouns, pair.pronouns, *counts),
            *likeness,
            read_mixed_terms(PRONOUN, mix_sources(compared, mixes), place.layer, place.head),
        ],
        formula=write_mix(len(mixes[0].labels), runs[0].config.value_width),
        about=(ABOUT, FLAT),
        table=[_table(results), Listing("pairs", COUNT_ROWS | {"pairs": list(counts)}), *mix_tables(compared, mixes)],
        source=(
            "core.text.pronoun_pairs.french_pronoun",
            "core.topics.words_in_context.pronouns.count_pairs",
            "core.topics.words_in_context.drawn.drawn_from",
        ),
    )


def _pair(values: Values) -> PronounPair:
    return next(pair for pair in pronoun_pairs() if pair.name == values[PAIR])


def _read(run: Run, pair: PronounPair) -> Compared:
    sentences = tuple(queries.sentence(queries.as_translator(run, text), text) for text in pair.texts)
    return Compared(sentences, PRONOUN, core_call(occurrences, sentences, PRONOUN))


def _translation(pair: PronounPair, number: int, french: str, pronoun: str) -> list[Part]:
    """Return a sentence, its current translation, and whether the pronoun is the expected one."""
    right = pronoun == pair.pronouns[number]
    icon = ":material/check_circle:" if right else ":material/cancel:"
    return [
        Markdown(f"{plain(pair.texts[number])}  \n:material/translate: {plain(french)}"),
        Caption(f"{icon} {note_pronoun(pronoun, pair.pronouns[number])}"),
    ]


def _table(results: tuple[PairResult, ...]) -> Listing:
    """Return all pairs as a table with a row for each sentence."""
    rows = [(result, number) for result in results for number in (0, 1)]
    return Listing(
        "pronouns",
        {
            "sentence": [result.pair.texts[number] for result, number in rows],
            "expected": [result.pair.pronouns[number] for result, number in rows],
            "said": [result.said[number] for result, number in rows],
            "translation": [result.french[number] for result, number in rows],
        },
    )


VIEW = View("it: tired or wide", _show, _controls, reads_text=False, uses_model=False)
