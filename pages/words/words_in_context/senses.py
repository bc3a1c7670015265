"""Whether a word's nearest neighbours, among thousands of sentences, have the same meaning."""

from collections.abc import Iterator

import numpy as np

from core.charts.word_contexts import stages_data, stages_spec
from core.topics.words_in_context.readings import name_meanings, read_neighbour_senses, write_neighbour
from core.topics.words_in_context.senses import SenseShares
from core.tracing.run import Run
from pages.compute.cache import model_title
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Control, Listing, Values, control, plain, spec
from pages.words.words_in_context import queries
from pages.words.words_in_context.settings import ALL_WORDS, SENSE_WORD

LEAD = (
    "*This bag is very light.* Which other sentence has the *light* whose vector is nearest by **cosine**: one about a "
    "lamp, or about what is not heavy? Here this is counted in sentences of Tatoeba. A word's meaning is taken from "
    "the French word in a translation by people, which the vectors do not see."
)
BASELINE = "always the commoner meaning"
ABOUT = (
    "Dashed: one vector for a word cannot tell its meanings apart, so nothing beats always taking the commoner one. "
    "The sentences are a fixed draw, at most 200 of a meaning; most of them were among those that the model "
    "was trained on, and some are close to each other, so the shares are higher than they would be on new text."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(SENSE_WORD, width=220)


def _show(run: Run, values: Values) -> Shown:
    """Show the share of neighbours with the same meaning, stage by stage."""
    senses = queries.senses(run)
    words = list(senses.sentences)
    word = values[SENSE_WORD] if values[SENSE_WORD] in words else ALL_WORDS
    rows = [words.index(word)] if word in words else list(range(len(words)))
    line, level = senses.shares[rows].mean(0), float(senses.baselines[rows].mean())
    name = f"“{word}”" if word in words else f"mean of {len(words)} words"
    series: dict[str, np.ndarray | float] = {name: line, BASELINE: level}
    chart = Chart(
        stages_data(senses.stages, series),
        spec(stages_spec, "Has the nearest one the same meaning?", "share", (name,), (BASELINE,)),
        "words-in-context-senses",
        "neighbours of one meaning",
    )
    total = int(senses.totals[rows].sum())
    meanings = f"Meanings: {name_meanings(senses.sentences[word])}." if word in words else ""
    reader = plain(model_title(senses.model))
    origin = f"{reader}, {total:,} sentences of Tatoeba (CC BY 2.0 FR), counted once. {meanings}"
    return Shown(
        pictures=[chart, Caption(origin)],
        lead=LEAD,
        takeaway=read_neighbour_senses(word if word in words else "", len(words), line.tolist(), senses.stages, level),
        formula=write_neighbour(),
        about=ABOUT,
        table=_table(senses),
        source=("core.analysis.word_contexts.nearest_alike", "core.text.senses.sense_of"),
    )


def _table(senses: SenseShares) -> Listing:
    """Return a table with a row for each word."""
    shares = {stage: senses.shares[:, column].round(4).tolist() for column, stage in enumerate(senses.stages)}
    return Listing(
        "neighbours by meaning",
        {
            "word": list(senses.sentences),
            "meanings": [name_meanings(counts) for counts in senses.sentences.values()],
            "sentences": senses.totals.tolist(),
            "commoner": senses.baselines.round(4).tolist(),
            **shares,
        },
    )


VIEW = View("neighbours by sense", _show, _controls, reads_text=False, reads_mask=False)
