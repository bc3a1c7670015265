"""The trained word vectors, read once for all visitors, and small trainings in slices, cached by plain values."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import streamlit as st

from core.topics.word_vectors import live, maps, relations
from core.topics.word_vectors import table as tables
from core.topics.word_vectors.live import Corpus, TrainingSettings, TrainingState
from core.topics.word_vectors.maps import WordMap
from core.topics.word_vectors.relations import Analogy, BiasProjection, Neighbours
from core.topics.word_vectors.table import Sorted, WordTable
from pages.compute.cache import MODELS, small_record
from pages.compute.calls import core_call, helper, noted
from pages.compute.heavy_queue import queued
from pages.compute.jobs import Job
from pages.widgets import visit_job

SLICE_SECONDS, AT_ONCE = 0.05, 0.15  # seconds: of training from one state to the next, and until these are drawn
STATION_STEPS, SHOWN_STATES = 250, 16


@st.cache_resource(max_entries=1, show_spinner="Reading the word vectors…")
def _table(folder: Path) -> WordTable:
    return tables.read_table(folder)


def table() -> WordTable:
    """Return the trained vectors, one object shared by all visitors.

    Raises ValueError if they cannot be read.
    """
    return helper(_table(MODELS), tables.read_table, MODELS)


@small_record
def sort_words(text: str, max_words: int) -> Sorted:
    return core_call(tables.sort_words, table(), text, max_words)


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

    They are the states at each multiple of `STATION_STEPS`, and the last `SHOWN_STATES` others that were on a screen.
    They are never written to.
    """
    return {0: live.begin(setup, corpus(setup))}


def trained_live(setup: TrainingSettings, steps: int) -> TrainingState:
    """Return the word vectors after `steps` training steps, or after as many as are done within `AT_ONCE` seconds.

    Call it again for more. Training stops early if the numbers grow beyond all bounds.
    """
    reached, state = _reached(setup), _nearest(setup, steps)
    job = visit_job("word-vectors-training", (setup, steps), lambda: Job(partial(_train, setup, steps), alone=True))
    if state.steps < steps and not live.runs_away(state):
        job.go_on()
        state = job.look(AT_ONCE) or state
    reached[state.steps] = state
    for outdated in [done for done in [*reached] if done % STATION_STEPS][:-SHOWN_STATES]:
        reached.pop(outdated, None)
    begun = helper(reached[0], live.begin, setup, corpus(setup))
    return noted(state, live.trained_on, setup, corpus(setup), begun, state.steps) if state.steps else begun


def _train(setup: TrainingSettings, steps: int, before: TrainingState | None) -> Iterator[TrainingState]:
    """Train from the nearest state that was reached, and yield the states on the way to `steps` steps."""
    state = before or _nearest(setup, steps)
    while state.steps < steps and not live.runs_away(state):
        station = state.steps // STATION_STEPS * STATION_STEPS + STATION_STEPS
        state = live.trained_on(setup, corpus(setup), state, min(steps, station) - state.steps, SLICE_SECONDS)
        if state.steps == station:
            _reached(setup)[station] = state
        yield state


def _nearest(setup: TrainingSettings, steps: int) -> TrainingState:
    """Return the state with the most steps, up to `steps`."""
    return max((state for state in [*_reached(setup).values()] if state.steps <= steps), key=lambda state: state.steps)
