"""The steps of a KV cache, kept for all visitors; and measuring, which is done anew for everybody."""

from collections.abc import Callable

from core.explorer.kv_cache import steps
from core.explorer.kv_cache.records import Timing
from core.explorer.kv_cache.timing import measure, timing_lengths
from core.tracing.run import Run
from pages.queries.measuring import stopwatch
from pages.queries.models import compute, kept, small_record

cache_step, unchanged = kept(steps.cache_step, small_record), kept(steps.unchanged, small_record)
check_cache = kept(steps.check_cache, small_record)


def measured(run: Run, limit: int, seconds: float, report: Callable[[Timing], None]) -> tuple[Timing, ...]:
    """Measure, with no heavy work beside it; between two lengths comes that of others. ValueError where they take
    long."""
    with stopwatch(seconds) as step_aside:

        def told(timing: Timing) -> None:
            report(timing)
            step_aside()

        return compute(measure, run, timing_lengths(limit), seconds, told)
