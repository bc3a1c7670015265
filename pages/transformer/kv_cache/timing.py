"""The view of milliseconds per token, measured here and now, only when the visitor asks for it."""

from collections.abc import Hashable
from functools import partial

import numpy as np

from core.charts.bars import bars_data, bars_spec
from core.charts.kit import texts
from core.charts.kv_lines import PLAIN_NUMBER, kv_lines_data, kv_lines_spec
from core.charts.style import SIZE
from core.limits import MEASURE_SECONDS
from core.readings.kv_cache import read_length, read_measuring, read_slower, read_timing, read_unmeasured, short
from core.topics.kv_cache.costs import costs_along
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import KINDS, TimesAlong, Timing
from core.topics.kv_cache.timing import timing_lengths
from pages.compute.calls import core_call
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.operations import along_the_text
from pages.widgets import (
    Caption,
    Chart,
    Columns,
    JobButton,
    Numbers,
    Part,
    Table,
    Takeaway,
    Values,
    job_result,
    plain,
    spec,
)

BENCH = "kv-cache-timing"


def _show(moment: Moment, values: Values) -> Shown:
    """Show the button, the measured curves, and the counted ones beside them."""
    placement, lengths = moment.run.placement, core_call(timing_lengths, moment.limit)
    counted = core_call(costs_along, moment.run.config, moment.limit, moment.source)
    found = job_result(BENCH, _subject(moment))
    operations = counted.lengths[-1], counted.with_cache[-1], counted.without[-1]
    return Shown(
        lead=f"One more token is read at {len(lengths)} lengths, with the cache and without in turn, on this server's "
        f"**{plain(placement.device)}** in **{plain(placement.dtype)}**. It takes about {MEASURE_SECONDS} seconds; "
        "leaving the page ends it.",
        pictures=[
            _last_bars(*operations),
            _button(moment, len(lengths)),
        ],
        takeaway=_read_last(found[-1]) if found else read_unmeasured(*operations),
        source=("core.topics.kv_cache.timing.measure_length", "core.topics.kv_cache.steps.next_logits"),
    )


def _read_last(timing: Timing) -> str:
    return read_slower(timing.length, timing.with_cache[1], timing.without[1])


def _last_bars(limit: int, with_cache: float, without_cache: float) -> Chart:
    """Return the operations of one more token of a full context, with the cache and without, as bars."""
    title = f"One more token at {limit}: operations"
    data = bars_data(np.array([with_cache, without_cache]), KINDS)
    data = data.assign(text=texts(map(short, (with_cache, without_cache))))
    return Chart(data, spec(bars_spec, " ", title, "multiply-adds", False, SIZE), "kv-cache-last", title)


def _button(moment: Moment, lengths: int) -> JobButton:
    """Return a button that measures at `lengths` lengths, above the last measurement of this model."""
    return JobButton(
        BENCH,
        _subject(moment),
        lambda: Job(partial(queries.measured_lengths, moment.run, moment.limit, MEASURE_SECONDS), alone=True),
        lambda done: (len(done) / lengths, read_length(done[-1].length, done[-1].runs)),
        found=partial(_measured, moment, lengths),
    )


def _subject(moment: Moment) -> Hashable:
    """Return what a measurement depends on."""
    run = moment.run
    return run.config, run.source, run.placement, run.masks, run.config.has_two_stacks and run.text


def _measured(moment: Moment, lengths: int, timings: tuple[Timing, ...] | None) -> list[Part]:
    placement = moment.run.placement
    if not timings:
        return [Caption("Not measured yet. “Measure” draws the milliseconds here.")]
    times, last = TimesAlong(timings), timings[-1]
    return [
        Columns([[time_chart(times, moment.length)], [along_the_text(moment)]]),
        Takeaway(read_timing(last.length, last.with_cache[1], last.without[1], last.runs)),
        Caption(read_measuring(plain(placement.device), plain(placement.dtype), len(timings) == lengths)),
        Numbers(Table("milliseconds", *times.table, corner="tokens"), "kv-cache-measured"),
    ]


def time_chart(times: TimesAlong, length: int) -> Chart:
    """Return a chart of the median and quartiles, in milliseconds, at each length."""
    data = kv_lines_data(times.lengths, times.lines, length, times.spread)
    lines = spec(kv_lines_spec, "Time of one more token, measured", "milliseconds", KINDS, PLAIN_NUMBER, measured=True)
    return Chart(data, lines, key="kv-cache-time", name="Measured time per token")


VIEW = View("time", _show)
