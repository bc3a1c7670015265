"""Milliseconds per token, measured here and now, only when the visitor asks for it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.charts.kv_lines import PLAIN, kv_lines_data, kv_lines_spec
from core.explorer.kv_cache.records import Timing
from core.explorer.kv_cache.timing import timing_lengths
from core.readings.kv_cache import read_timing
from core.tracing.run import Run
from pages.shell import Shown
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.moment import KINDS, Moment
from pages.transformer.kv_cache.operations import along_the_text
from pages.widgets import Chart, Columns, Table, Values, data_table, plain, spec, takeaway

SECONDS = 4.0
KEPT = "kv-cache-timings"  # in the session: (what was measured, its timings)
Timings = tuple[Timing, ...]


def show_time(moment: Moment, values: Values) -> Shown:
    """The button, the measured curves, and the counted ones beside."""
    place, lengths = moment.run.placement, timing_lengths(moment.limit)
    return Shown(
        lead=f"One more token is read at {len(lengths)} lengths, with the cache and without in turn, on this server's "
        f"**{plain(place.device)}** in **{plain(place.dtype)}**. It takes about {SECONDS:g} seconds; leaving the page "
        "ends it.",
        pictures=[Stopwatch(moment, lengths)],
        source=("core.explorer.kv_cache.timing.measure", "core.explorer.kv_cache.steps.next_logits"),
    )


@dataclass(frozen=True)
class Stopwatch:
    """A button that measures at these lengths, and what was measured last with this model."""

    moment: Moment
    lengths: tuple[int, ...]

    def draw(self) -> None:
        if st.button("Measure", icon=":material/timer:", type="primary", key="kv-cache-measure"):
            self._measure()
        what, timings = st.session_state.get(KEPT, (None, ()))
        counted = along_the_text(self.moment)
        if what != _what(self.moment.run) or not timings:
            st.caption("Nothing has been measured yet for this model. Beside it would stand the counted operations:")
            counted.draw()
            return
        Columns([[time_chart(timings, self.moment.length)], [counted]]).draw()
        last = timings[-1]
        takeaway(read_timing(last.length, last.with_cache[1], last.without[1], last.runs))
        st.caption(self._about(len(timings)))
        data_table(timing_table(timings), "kv-cache-measured")

    def _measure(self) -> None:
        bar, done = st.progress(0.0, "Measuring…"), []

        def report(timing: Timing) -> None:
            done.append(timing)
            bar.progress(len(done) / len(self.lengths), f"Measured at {timing.length} tokens, {timing.runs} times")

        run = self.moment.run
        try:
            st.session_state[KEPT] = (_what(run), queries.measured(run, self.moment.limit, SECONDS, report))
        finally:
            bar.empty()

    def _about(self, measured: int) -> str:
        place = self.moment.run.placement
        said = "Points are medians, upright strokes reach from the lower to the upper quartile. "
        said += f"Measured on {plain(place.device)}, {plain(place.dtype)}, which other visitors may share. "
        if measured < len(self.lengths):
            said += "Longer texts would not have fitted in the time. "
        return said + "The tokens are your text's, repeated up to each length."


def _what(run: Run) -> tuple[object, ...]:
    """What a measurement is of."""
    return run.config, run.checkpoint, run.placement, run.mask, len(run.config.stacks) == 2 and run.text


def time_chart(timings: Timings, now: int) -> Chart:
    """Median and quartiles in milliseconds at each length."""
    return Chart(
        timing_data(timings, now),
        spec(kv_lines_spec, "Time of one more token, measured", "milliseconds", KINDS, PLAIN, measured=True),
        key="kv-cache-time",
        name="Measured time per token",
    )


def timing_data(timings: Timings, now: int) -> pd.DataFrame:
    both = np.array([[each.with_cache, each.without] for each in timings])  # (T, 2, 3)
    lines = [(kind, both[:, place, 1]) for place, kind in enumerate(KINDS)]
    spread = [(both[:, place, 0], both[:, place, 2]) for place in range(2)]
    return kv_lines_data([each.length for each in timings], lines, now, spread)


def timing_table(timings: Timings) -> Table:
    names = [f"{how}, {kind}" for kind in KINDS for how in ("lower quartile", "median", "upper quartile")]
    numbers = np.array([[*each.with_cache, *each.without, each.runs] for each in timings])
    return Table("milliseconds", numbers, [str(each.length) for each in timings], [*names, "runs"], corner="tokens")
