"""The trained word vectors, read once for all visitors, and small trainings in slices, kept by plain values."""

from pathlib import Path

import streamlit as st

from core.explorer.word_vectors import live, maps, relations
from core.explorer.word_vectors import table as tables
from core.explorer.word_vectors.live import SLICE, Corpus, Setup, Trained
from core.explorer.word_vectors.maps import WordMap
from core.explorer.word_vectors.relations import Analogy, Leaning, Near
from core.explorer.word_vectors.table import Sorted, WordTable
from pages.queries.models import MODELS, queued, small_record


@st.cache_resource(max_entries=1, show_spinner="Reading the word vectors…")
def _table(folder: Path) -> WordTable:
    return tables.read_table(folder)


def table() -> WordTable:
    """The trained vectors, one object for everybody. ValueError where they cannot be read."""
    return _table(MODELS)


@small_record
def sort_words(text: str, most: int) -> Sorted:
    return tables.sort_words(table(), text, most)


@small_record
def word_map(method: str, words: tuple[str, ...], kind: str) -> WordMap:
    return queued(maps.word_map, table(), method, words, kind)


def neighbours(method: str, word: str, count: int) -> Near:
    return relations.neighbours(table(), method, word, count)


def analogy(method: str, words: tuple[str, str, str], count: int) -> Analogy:
    return relations.analogy(table(), method, words, count)


def leaning(method: str, ends: tuple[str, str], words: tuple[str, ...]) -> Leaning:
    return relations.leaning(table(), method, ends, words)


@st.cache_resource(max_entries=16, show_spinner=False)
def corpus(setup: Setup) -> Corpus:
    return live.read_corpus(setup)


@st.cache_data(max_entries=400, max_size="24MB", show_spinner=False)
def _slice(setup: Setup, steps: int, _before: Trained) -> Trained:
    """After so many steps; `_before` is where its slice begins, which follows from the rest."""
    return queued(live.trained_on, setup, corpus(setup), _before, steps - len(_before.losses))


def trained_live(setup: Setup, steps: int) -> Trained:
    """The two tables after so many steps, made in slices; other visitors' heavy work comes between two of them."""
    now = live.begin(setup, corpus(setup))
    for done in [*range(SLICE, steps, SLICE), steps]:
        if done:
            now = _slice(setup, done, now)
    return now
