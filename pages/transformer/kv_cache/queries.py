"""The steps of a KV cache, kept for all visitors; and measuring, which is done anew for everybody."""

import threading
from collections.abc import Callable

import streamlit as st

from core.explorer.kv_cache import steps
from core.explorer.kv_cache.records import CacheCheck, CacheStep, Timing, Unchanged
from core.explorer.kv_cache.timing import measure, timing_lengths
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.queries.models import compute, small_record


@small_record
def cache_step(run: Run, ids: tuple[int, ...], new: int, place: Place) -> CacheStep:
    return compute(steps.cache_step, run, ids, new, place)


@small_record
def unchanged(run: Run, ids: tuple[int, ...]) -> Unchanged:
    return compute(steps.unchanged, run, ids)


@small_record
def check_cache(run: Run, ids: tuple[int, ...], start: int) -> CacheCheck:
    return compute(steps.check_cache, run, ids, start)


@st.cache_resource(show_spinner=False)
def _stopwatch() -> threading.Lock:
    return threading.Lock()


def measured(run: Run, limit: int, seconds: float, report: Callable[[Timing], None]) -> tuple[Timing, ...]:
    """Measure, alone on this machine: two at once would slow each other down. ValueError where others take long."""
    lock = _stopwatch()
    if not lock.acquire(timeout=2 * seconds):
        raise ValueError("Somebody else is measuring on this machine: try again in a few seconds.")
    try:
        return compute(measure, run, timing_lengths(limit), seconds, report)
    finally:
        lock.release()
