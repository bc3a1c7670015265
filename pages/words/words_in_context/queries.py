"""Cached results for the page: sentences as a model reads them, and the words that word2vec knows."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from core.checkpoints.measured import load_measured
from core.text.pronoun_pairs import pronoun_pairs
from core.text.word_forms import read_words
from core.topics.word_vectors.table import NAME, WORDS
from core.topics.words_in_context.drawn import head_sources
from core.topics.words_in_context.pronouns import TRANSLATOR, PairResult, pair_results, translator_run
from core.topics.words_in_context.senses import SenseShares, sense_shares
from core.topics.words_in_context.sentences import ReadSentence, read_sentence
from core.tracing.run import Run
from pages.compute.cache import MODELS, cached, large_record, reader, small_record, trained
from pages.compute.calls import core_call, helper

_read = cached(read_sentence, large_record)
sources = cached(head_sources, small_record)


def as_translator(run: Run, text: str) -> Run:
    """Return a run of the shipped translator on a text.

    Raises ValueError if that model cannot be used.
    """
    return translator_run(trained(TRANSLATOR), run.placement, text)


def pronoun_results() -> tuple[PairResult, ...]:
    """Return what the translator wrote for each pair of sentences that differ in what a pronoun means.

    The results come from a shipped file; no model runs.
    """
    return core_call(pair_results, helper(pronoun_pairs(), pronoun_pairs), _measured("pronouns"))


def telling_pair() -> str:
    """Return the name of the first pair whose two pronouns the translator gets right.

    If there is none, the first pair of all is taken.
    """
    results = pronoun_results()
    return next((result for result in results if result.right == 2), results[0]).pair.name


def senses(run: Run) -> SenseShares:
    """Return the shares of neighbours by meaning, measured beforehand with the run's model, or else the translator."""
    with suppress(ValueError):
        return core_call(sense_shares, _measured(f"senses-{run.model_name}"))
    return core_call(sense_shares, _measured(f"senses-{TRANSLATOR}"))


@st.cache_resource(max_entries=8, show_spinner=False)
def _kept_measured(name: str) -> Mapping[str, Any]:
    return load_measured(name)


def _measured(name: str) -> Mapping[str, Any]:
    return helper(_kept_measured(name), load_measured, name)


def sentence_run(run: Run, text: str) -> Run:
    """Return the run of the page on another text, which the decoder of an encoder-decoder reads too."""
    text = run.format.in_case(text)
    return replace(run, text=text, target=text if run.config.has_two_stacks else "", pads=0, edits=())


def sentence(run: Run, text: str) -> ReadSentence:
    """Return a sentence as the page's model reads it.

    Raises ValueError if the model cannot read it.
    """
    return _read(sentence_run(run, text))


def reads(run: Run, text: str) -> bool:
    """Return whether the page's model can read a text."""
    with suppress(ValueError):
        reader(run).encode(run.format.in_case(text))
        return True
    return False


@st.cache_resource(max_entries=1, show_spinner=False)
def _known(folder: Path) -> frozenset[str]:
    with suppress(ValueError):
        return frozenset(read_words(folder / NAME / WORDS))
    return frozenset()


def in_word2vec(word: str) -> bool:
    """Return whether the shipped word vectors have this word."""
    return word in _known(MODELS)
