"""The view of milliseconds per token, measured here and now, only when the visitor asks for it."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.charts.kv_lines import PLAIN, kv_lines_data, kv_lines_spec
from core.limits import MEASURE_SECONDS
from core.readings.kv_cache import read_length, read_measuring, read_timing
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import KINDS, TimesAlong, Timing
from core.topics.kv_cache.timing import timing_lengths
from pages.compute.calls import core_call
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.operations import along_the_text
from pages.widgets import Chart, Columns, JobButton, Table, Values, data_table, plain, spec, takeaway


def _show(moment: Moment, values: Values) -> Shown:
    """Show the button, the measured curves, and the counted ones beside them."""
    place, lengths = moment.run.placement, core_call(timing_lengths, moment.limit)
    return Shown(
        lead=f"One more token is read at {len(lengths)} lengths, with the cache and without in turn, on this server's "
        f"**{plain(place.device)}** in **{plain(place.dtype)}**. It takes about {MEASURE_SECONDS} seconds; leaving "
        "the page ends it.",
        pictures=[TimedLengths(moment, len(lengths))],
        source=("core.topics.kv_cache.timing.measure_length", "core.topics.kv_cache.steps.next_logits"),
    )


@dataclass(frozen=True)
class TimedLengths:
    """A button that measures at `lengths` lengths, and the last measurement of this model."""

    moment: Moment
    lengths: int

    def draw(self) -> None:
        timings = JobButton("kv-cache-timing", self._what, self.job, self._tell).draw_result()
        counted, place = along_the_text(self.moment), self.moment.run.placement
        if not timings:
            st.caption("Not measured yet. Until then, here are the operations, counted:")
            counted.draw()
            return
        found, last = TimesAlong(timings), timings[-1]
        Columns([[time_chart(found, self.moment.length)], [counted]]).draw()
        takeaway(read_timing(last.length, last.with_cache[1], last.without[1], last.runs))
        st.caption(read_measuring(plain(place.device), plain(place.dtype), len(timings) == self.lengths))
        data_table(Table("milliseconds", *found.table, corner="tokens"), "kv-cache-measured")

    def job(self) -> Job[tuple[Timing, ...]]:
        run, limit = self.moment.run, self.moment.limit
        return Job(partial(queries.measured_lengths, run, limit, MEASURE_SECONDS), alone=True)

    def _tell(self, done: tuple[Timing, ...]) -> tuple[float, str]:
        return len(done) / self.lengths, read_length(done[-1].length, done[-1].runs)

    @property
    def _what(self) -> tuple[object, ...]:
        """The key of a measurement: the model, its placement, its mask and, for an encoder-decoder, the text."""
        run = self.moment.run
        return run.config, run.checkpoint, run.placement, run.mask, run.config.has_two_stacks and run.text


def time_chart(found: TimesAlong, now: int) -> Chart:
    """Return a chart of the median and quartiles, in milliseconds, at each length."""
    data = kv_lines_data(found.lengths, found.lines, now, found.spread)
    lines = spec(kv_lines_spec, "Time of one more token, measured", "milliseconds", KINDS, PLAIN, measured=True)
    return Chart(data, lines, key="kv-cache-time", name="Measured time per token")


VIEW = View("time", _show)
