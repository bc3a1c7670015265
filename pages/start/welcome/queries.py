"""Cached results about a translation for the first page, shared by all visitors."""

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from core.checkpoints.measured import load_measured
from core.text.pronoun_pairs import pronoun_pairs
from core.topics.generate.records import Attentions
from core.topics.words_in_context.pronouns import TRANSLATOR, PairCounts, count_pairs, pair_results
from core.tracing.run import Run
from pages.compute import generation


def translated(run: Run) -> Attentions:
    """Return every attention pattern over the sentence and the model's own translation of it."""
    run = replace(run, pads=0, target=run.text)
    ids = (token.chosen for token in generation.greedy_translation(run))
    return generation.attentions(run, (*generation.start(run), *ids))


def pronoun_counts(model: str) -> PairCounts | None:
    """Return how many of our pairs the model gets right, from the shipped results; None for a model that has none."""
    with suppress(ValueError):
        return _counts() if model == TRANSLATOR else None
    return None


@st.cache_resource(show_spinner=False)
def _counts() -> PairCounts:
    return count_pairs(pair_results(pronoun_pairs(), load_measured("pronouns")))
