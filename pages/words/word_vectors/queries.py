"""The trained word vectors, read once for all visitors, and small trainings in slices, cached by plain values."""

import time
from pathlib import Path

import streamlit as st

from core.explorer.word_vectors import live, maps, relations
from core.explorer.word_vectors import table as tables
from core.explorer.word_vectors.live import Corpus, TrainingSettings, TrainingState
from core.explorer.word_vectors.maps import WordMap
from core.explorer.word_vectors.relations import Analogy, BiasProjection, Neighbours
from core.explorer.word_vectors.table import Sorted, WordTable
from pages.compute.cache import MODELS, small_record
from pages.compute.calls import core_call, helper, noted
from pages.compute.heavy_queue import exclusive, queued

SLICE, AT_ONCE = 0.05, 0.15  # seconds: of one turn in the queue, and of training between two drawings
STATION, LOOSE = 250, 4


@st.cache_resource(max_entries=1, show_spinner="Reading the word vectors…")
def _table(folder: Path) -> WordTable:
    return tables.read_table(folder)


def table() -> WordTable:
    """Return the trained vectors, one object for everybody.

    Raises ValueError if they cannot be read.
    """
    return helper(_table(MODELS), tables.read_table, MODELS)


@small_record
def sort_words(text: str, most: int) -> Sorted:
    return core_call(tables.sort_words, table(), text, most)


@small_record
def word_map(method: str, words: tuple[str, ...], kind: str) -> WordMap:
    where = table(), method, words, kind
    return noted(queued(maps.word_map, *where), maps.word_map, *where)


def neighbours(method: str, word: str, count: int) -> Neighbours:
    return core_call(relations.neighbours, table(), method, word, count)


def analogy(method: str, words: tuple[str, str, str], count: int) -> Analogy:
    return core_call(relations.analogy, table(), method, words, count)


def leaning(method: str, ends: tuple[str, str], words: tuple[str, ...]) -> BiasProjection:
    return core_call(relations.leaning, table(), method, ends, words)


@st.cache_resource(max_entries=16, show_spinner=False)
def _corpus(setup: TrainingSettings) -> Corpus:
    return live.read_corpus(setup)


def corpus(setup: TrainingSettings) -> Corpus:
    """Return the sentences of a training, read once for all visitors."""
    return helper(_corpus(setup), live.read_corpus, setup)


@st.cache_resource(max_entries=8, show_spinner=False)
def _reached(setup: TrainingSettings) -> dict[int, TrainingState]:
    """Return the states of a training by their number of steps, shared by all visitors.

    They are the states at each multiple of `STATION`, and the last `LOOSE` others. They are never written to.
    """
    return {0: live.begin(setup, corpus(setup))}


def trained_live(setup: TrainingSettings, steps: int) -> TrainingState:
    """Return the two tables after `steps` steps, or after as many as `AT_ONCE` allows; call again for more.

    The training runs in slices, each in a turn of the queue of heavy work, so others' heavy work runs between two of
    them. One slice at least is computed, unless no turn comes in time. It stops early if the numbers grow beyond all
    bounds.
    """
    reached, end = _reached(setup), time.monotonic() + AT_ONCE
    now = max((each for each in [*reached.values()] if each.steps <= steps), key=lambda each: each.steps)
    while now.steps < steps and not live.runs_away(now):
        with exclusive(max(0.0, end - time.monotonic())) as came:
            if not came:
                break
            station = now.steps // STATION * STATION + STATION
            now = live.trained_on(setup, corpus(setup), now, min(steps, station) - now.steps, SLICE)
        reached[now.steps] = now
        if time.monotonic() >= end:
            break
    for old in [done for done in [*reached] if done % STATION][:-LOOSE]:
        reached.pop(old, None)
    begun = helper(reached[0], live.begin, setup, corpus(setup))
    return noted(now, live.trained_on, setup, corpus(setup), begun, now.steps) if now.steps else begun
