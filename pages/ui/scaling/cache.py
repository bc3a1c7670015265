"""The caches of this page."""

import streamlit as st

from core.analysis.scaling import Softmaxes, Variances, measure_softmax, measure_variance
from core.explorer.scaling.comparison import OwnScores, Scored, compare, own_scores
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.ui import cache


@st.cache_data(max_entries=12, max_size="48MB", show_spinner="Scoring every query and key in four ways…")
def compared(run: Run, place: Place, seed: int) -> tuple[Scored, ...]:
    """Wide heads of long texts take up to 36 MB."""
    return compare(cache.head(run, place), seed)


@cache.small_record
def own(run: Run, place: Place) -> OwnScores:
    return own_scores(cache.head(run, place))


@st.cache_data(max_entries=48, max_size="2MB", show_spinner="Drawing queries and keys…")
def variances(source: str, each: int, seed: int) -> Variances:
    return measure_variance(source, each, seed)


@st.cache_data(max_entries=48, max_size="2MB", show_spinner="Drawing queries and keys…")
def softmaxes(source: str, each: int, keys: int, seed: int) -> Softmaxes:
    return measure_softmax(source, each, keys, seed)
