"""Cached steps of a KV cache, shared by all visitors, and measurements, which are made anew for each visitor."""

from collections.abc import Callable

from core.explorer.kv_cache import steps
from core.explorer.kv_cache.records import Timing
from core.explorer.kv_cache.timing import measure, timing_lengths
from core.tracing.run import Run
from pages.compute.cache import cached, compute, small_record
from pages.compute.exclusive_timing import timed_exclusively

cache_step, unchanged = cached(steps.cache_step, small_record), cached(steps.unchanged, small_record)
check_cache = cached(steps.check_cache, small_record)


def measured(run: Run, limit: int, seconds: float, report: Callable[[Timing], None]) -> tuple[Timing, ...]:
    """Measure at growing lengths, with no heavy work beside it; ValueError if the work of others takes too long.

    Between two lengths, the heavy work of others may run.

    report: called with each timing.
    """
    with timed_exclusively(seconds) as step_aside:

        def told(timing: Timing) -> None:
            report(timing)
            step_aside()

        return compute(measure, run, timing_lengths(limit), seconds, told)
