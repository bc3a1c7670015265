"""Cached steps of a KV cache, shared by all visitors, and measurements, which are made anew for each visitor."""

from collections.abc import Iterator
from typing import Any

from core.topics.kv_cache import steps
from core.topics.kv_cache.records import Timing
from core.topics.kv_cache.timing import lengths_in_reach, measure_length, timing_lengths
from core.tracing.run import Run
from pages.compute.cache import cached, compute, small_record

cache_step, unchanged = cached(steps.cache_step, small_record), cached(steps.unchanged, small_record)
check_cache = cached(steps.check_cache, small_record)


def measured_lengths(
    run: Run, limit: int, seconds: float, before: tuple[Timing, ...] | None
) -> Iterator[tuple[Timing, ...]]:
    """Measure at growing lengths within `seconds`, and yield all results so far after each.

    before: the lengths that were measured before.
    """
    timings = list(before or ())
    for length, part in lengths_in_reach(run.config, timing_lengths(limit), seconds, timings):
        timings.append(compute(_timing, run, length, part))
        yield tuple(timings)


def _timing(*where: Any) -> Timing:
    """Measure one length without recording the call: the view's Python code would measure other times."""
    return measure_length(*where)
