"""One head's scores in four ways, and the measurements on random vectors, kept for all visitors."""

import streamlit as st

from core.explorer.scaling import comparison, experiment
from core.explorer.scaling.comparison import OwnScores, Scored
from core.explorer.scaling.experiment import Softmaxes, Variances
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.queries.head import head
from pages.queries.models import small_record


@st.cache_data(max_entries=12, max_size="48MB", show_spinner=False)
def compared(run: Run, place: Place, seed: int) -> tuple[Scored, ...]:
    """Wide heads of long texts take up to 36 MB."""
    return comparison.compare(head(run, place), seed)


@small_record
def own_scores(run: Run, place: Place) -> OwnScores:
    return comparison.own_scores(head(run, place))


@st.cache_data(max_entries=48, max_size="2MB", show_spinner=False)
def variances(distribution: str, draws: int, seed: int) -> Variances:
    return experiment.measure_variance(distribution, draws, seed)


@st.cache_data(max_entries=48, max_size="2MB", show_spinner=False)
def softmaxes(distribution: str, draws: int, keys: int, seed: int) -> Softmaxes:
    return experiment.measure_softmax(distribution, draws, keys, seed)
