"""The view of each model's time against the length, measured here and now, only when the visitor asks for it."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from core.charts.bars import bars_data, bars_spec
from core.charts.positions_lines import Line, lines_data, lines_spec
from core.charts.style import SIZE
from core.limits import MEASURE_SECONDS
from core.topics.sequence_to_sequence.readings import read_times, read_waits
from core.topics.sequence_to_sequence.records import ADDITIVE, TITLES, TRANSFORMER
from core.topics.sequence_to_sequence.timing import LENGTHS, PassTime
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import BENCH, PLAYER
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Columns, JobButton, Listing, Numbers, Part, Table, Takeaway, Values, spec


def _show(text: str, values: Values) -> Shown:
    """Show the number of steps that have to wait for one another, and the button that measures times."""
    waits = queries.waiting()
    return Shown(
        lead="A GRU cannot begin with a word before it has read the one before: the longer the text, the more steps "
        "wait. The **transformer** takes all tokens of a given text at once, **layer** by layer. Measure it: "
        f"{MEASURE_SECONDS:g} seconds at most, in short turns between which other visitors' work goes on.",
        pictures=[_waiting_bars(waits), JobButton(BENCH, "passes", _job, _tell, found=partial(_race, _counted()))],
        takeaway=read_waits(waits[TITLES[ADDITIVE]][-1], waits[TITLES[TRANSFORMER]][-1]),
        table=Table(
            "steps that wait", np.array(list(waits.values()), float), list(waits), list(map(str, LENGTHS)), "model"
        ),
        about="Each pass reads so many tokens and as many given tokens of a translation, as in training. When it "
        "writes by itself, every model waits for its own last token.",
        source=(
            "core.topics.sequence_to_sequence.timing.measure_pass",
            "core.topics.sequence_to_sequence.timing.steps_that_wait",
        ),
    )


def _race(counted: Sequence[Line], times: tuple[PassTime, ...] | None) -> list[Part]:
    """Return the counted steps and the measurement so far, whose curves grow while it runs."""
    steps = _chart("Steps that wait for the one before", "steps", counted)
    ends = [[time for time in times or () if time.title == title] for title in TITLES.values()]
    shared = min(map(len, ends)) - 1
    if times is None or shared < 1:
        return [Columns([[steps], [Caption("Not measured yet. “Measure” draws the milliseconds here.")]])]
    measured = _chart("Milliseconds of one pass, measured", "milliseconds", _lines(times))
    medians = [(row[0].title, row[0].median, row[shared].median) for row in ends]
    return [
        Columns([[steps], [measured]]),
        Takeaway(read_times(medians, (ends[0][0].length, ends[0][shared].length))),
        Numbers(_table(times), "sequence-to-sequence-measured"),
    ]


def _waiting_bars(waits: Mapping[str, Sequence[int]]) -> Chart:
    """Return the steps of each model for the longest text as bars."""
    title = f"Steps for {LENGTHS[-1]} tokens, read and written"
    data = bars_data(np.array([counts[-1] for counts in waits.values()]), list(waits), 0)
    return Chart(data, spec(bars_spec, "model", title, "steps", False, SIZE), f"{PLAYER}-longest", title)


def _job() -> Job[tuple[PassTime, ...]]:
    return Job(partial(queries.measured_passes, MEASURE_SECONDS), alone=True)


def _tell(done: tuple[PassTime, ...]) -> tuple[float, str]:
    latest = done[-1]
    return len(done) / (len(LENGTHS) * len(TITLES)), f"{latest.title} at {latest.length} tokens, {latest.runs} times"


def _counted() -> list[Line]:
    waits = queries.waiting()
    return [Line(title, np.array(LENGTHS), np.array(counts, np.float64)) for title, counts in waits.items()]


def _lines(times: Sequence[PassTime]) -> list[Line]:
    """Return the medians as lines, with half the distance between the quartiles to either side."""
    lines = []
    for title in TITLES.values():
        model_times = [time for time in times if time.title == title]
        lengths = np.array([time.length for time in model_times])
        medians = np.array([time.median for time in model_times])
        spread = np.array([(time.high - time.low) / 2 for time in model_times])
        lines.append(Line(title, lengths, medians, np.minimum(spread, medians)))  # no pass takes less than no time
    return lines


def _chart(title: str, up: str, lines: Sequence[Line]) -> Chart:
    key = f"{PLAYER}-{up}"
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


VIEW = View("time", _show, player=BENCH, reads_text=False)
