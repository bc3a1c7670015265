"""The time of each model against the length, measured here and now, only when the visitor asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.explorer.sequence_to_sequence.records import TITLES
from core.explorer.sequence_to_sequence.timing import LENGTHS, PassTime
from core.readings.sequence_to_sequence import read_times
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import AT_REST
from pages.shell import Shown
from pages.widgets import Caption, Chart, Columns, Listing, Values, data_table, spec, takeaway

SECONDS = 5.0
KEPT = "sequence-to-sequence-timings"  # in the session


def show_timing(text: str, values: Values) -> Shown:
    """The steps that wait for one another, counted, and the button that measures."""
    return Shown(
        lead="A GRU cannot begin with a word before it has read the one before: the longer the text, the more steps "
        "wait. The **transformer** takes all tokens of a given text at once, **layer** by layer. Measure it: about "
        f"{SECONDS:g} seconds, on this server; leaving the page ends it.",
        pictures=[AT_REST, Race()],
        about="Each pass reads so many tokens and as many given tokens of a translation, as in training. When it "
        "writes by itself, every model waits for its own last token.",
        source=(
            "core.explorer.sequence_to_sequence.timing.measure_passes",
            "core.explorer.sequence_to_sequence.timing.steps_that_wait",
        ),
    )


@dataclass(frozen=True)
class Race:
    """The button, the counted steps, and what was measured last."""

    def draw(self) -> None:
        if st.button("Measure", icon=":material/timer:", type="primary", key="sequence-to-sequence-measure"):
            self._measure()
        times: tuple[PassTime, ...] = st.session_state.get(KEPT, ())
        counted = _chart("Steps that wait for the one before", "steps", _counted())
        if not times:
            Columns([[counted], [Caption("Nothing has been measured yet.")]]).draw()
            return
        measured = _chart("Milliseconds of one pass, measured", "milliseconds", _lines(times))
        Columns([[counted], [measured]]).draw()
        ends = [[time for time in times if time.title == title] for title in TITLES.values()]
        takeaway(read_times([(row[0].title, row[0].median, row[-1].median) for row in ends], _length(ends)))
        data_table(_table(times), "sequence-to-sequence-measured")

    def _measure(self) -> None:
        bar = st.progress(0.0, "Measuring…")
        done: list[PassTime] = []

        def report(time: PassTime) -> None:
            done.append(time)
            share = len(done) / (len(LENGTHS) * len(TITLES))
            bar.progress(share, f"{time.title} at {time.length} tokens, {time.runs} times")

        try:
            st.session_state[KEPT] = queries.measured_passes(SECONDS, report)
        finally:
            bar.empty()


def _length(rows: Sequence[Sequence[PassTime]]) -> tuple[int, int]:
    return rows[0][0].length, rows[0][-1].length


def _counted() -> list[Line]:
    waits = queries.waiting()
    return [Line(title, np.array(LENGTHS), np.array(counts, np.float64)) for title, counts in waits.items()]


def _lines(times: Sequence[PassTime]) -> list[Line]:
    """Medians, with half of what lies between the quartiles to either side."""
    lines = []
    for title in TITLES.values():
        mine = [time for time in times if time.title == title]
        lengths, medians = np.array([time.length for time in mine]), np.array([time.median for time in mine])
        lines.append(Line(title, lengths, medians, np.array([(time.high - time.low) / 2 for time in mine])))
    return lines


def _chart(title: str, up: str, lines: Sequence[Line]) -> Chart:
    key = f"{AT_REST.name}-{up}"
    return Chart(lines_data(lines), spec(lines_spec, title, "tokens of each text", up), key, title)


def _table(times: Sequence[PassTime]) -> Listing:
    return Listing(
        "milliseconds",
        {
            "model": [time.title for time in times],
            "tokens": [time.length for time in times],
            "steps that wait": [time.waiting for time in times],
            "lower quartile": [time.low for time in times],
            "median": [time.median for time in times],
            "upper quartile": [time.high for time in times],
            "runs": [time.runs for time in times],
        },
    )
