"""Cached scores of one head in four ways, and cached measurements on random vectors, shared by all visitors."""

import streamlit as st

from core.limits import DRAWS_MB
from core.topics.scaling import comparison, experiment, opening
from core.topics.scaling.comparison import OwnScores, Scored
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import cached, small_record
from pages.compute.calls import core_call, logged
from pages.compute.model_cache import HASH_AS_REPR
from pages.compute.one_head import head

_measured = logged(st.cache_data(max_entries=48, max_size="2MB", show_spinner=False))
variances, softmaxes = _measured(experiment.measure_variance), _measured(experiment.measure_softmax)


@logged(st.cache_data(max_entries=12, max_size=f"{DRAWS_MB}MB", show_spinner=False, hash_funcs=HASH_AS_REPR))
def compared(run: Run, place: HeadAddress, seed: int) -> tuple[Scored, ...]:
    """Return one head's scores computed in four ways: dot, scaled dot, general and additive.

    The result is cached. As one can take 36 MB (wide heads, long texts), the cache is also bounded in bytes.
    """
    return core_call(comparison.compare, head(run, place), seed)


_scaled_place = cached(opening.scaled_place, small_record)


def scaled_place(run: Run, values: object) -> HeadAddress:
    """Return the head of the first stack in which scaling changes most."""
    return _scaled_place(run, HeadAddress(run.config.stacks[0]))


@small_record
def own_scores(run: Run, place: HeadAddress) -> OwnScores:
    return core_call(comparison.own_scores, head(run, place))
