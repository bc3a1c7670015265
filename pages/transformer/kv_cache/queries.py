"""The steps of a KV cache, kept for all visitors; and measuring, which is done anew for everybody."""

import threading
from collections.abc import Callable

import streamlit as st

from core.explorer.kv_cache import steps
from core.explorer.kv_cache.records import Timing
from core.explorer.kv_cache.timing import measure, timing_lengths
from core.tracing.run import Run
from pages.queries.models import compute, kept, small_record

cache_step, unchanged = kept(steps.cache_step, small_record), kept(steps.unchanged, small_record)
check_cache = kept(steps.check_cache, small_record)


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
