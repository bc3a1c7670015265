"""The view of the shift by k: whether there is one matrix M(k) for every position.

Rotary and ALiBi act on scores, so for these the scores are tested.
"""

from collections.abc import Iterator

import numpy as np

from core.charts.positions_lines import lines_along, shift_lines
from core.topics.positions.encodings import NO_CROSS, Encoding, moved_penalties
from core.topics.positions.readings.encodings import read_encoding, write_moved, write_shift, write_turned
from core.topics.positions.readings.measures import (
    EXACT_ERROR,
    name_shift,
    read_moved,
    read_shift,
    read_turned,
    read_unseen,
)
from core.topics.shared.labels import with_labels
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import encoding_controls, encoding_of, line_chart, token_controls
from pages.attention.positions.settings import KEY, KIND, LENGTH, QUERY, SHIFT
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View, model_words
from pages.widgets import (
    Caption,
    Columns,
    Control,
    Markdown,
    Message,
    Table,
    Values,
    control,
    place_controls,
    place_of,
    plain,
)

SHOWN_SIDE = 64
SHOWN_ROWS = 12  # positions
REASONS = {
    "rotary": "Rotary has no vectors to shift, so the test is made on a real query and key of your text: their score "
    "should depend on how far apart they stand, not on where.",
    "alibi": "ALiBi has no vectors to shift. Its penalty should depend on how far apart two words stand, not on where.",
}
QUESTION = (
    "Is there one **matrix** M(k), a table of weights, that turns the vector of any position into the one k further "
    "on? Then a head can learn to look k words back once for the whole text."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from encoding_controls(run, values, on_scores=True)
    yield control(SHIFT, width=130, high=min(SHIFT.high, values[LENGTH] - 1))
    if values[KIND] == "rotary":
        yield from place_controls(run)
        yield from token_controls(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show the test that suits the encoding."""
    encoding, k = encoding_of(run, values, on_scores=True), values[SHIFT]
    kind = encoding.kind
    about = Markdown("\n\n".join(filter(None, [read_encoding(kind, as_table=False), REASONS.get(kind)])))
    if kind == "rotary":
        return _rotary(run, values, encoding, k, about)
    return _alibi(encoding, k, about) if kind == "alibi" else _matrix(encoding, k, about)


def _matrix(encoding: Encoding, k: int, about: Markdown) -> Shown:
    shift, width = queries.shifted(encoding, k), encoding.width
    lines = shift_lines(shift.errors_fitted, shift.errors_unseen, shift.errors_constructed)
    words = ("How far is M(k) · PE(p) from PE(p + k)?", "position p", "largest error")
    most = max(1.0, *(float(line.y.max()) for line in lines))  # an encoding's numbers go up to 1
    chart = line_chart("positions-shift-errors", "Errors of the shift", lines, words, most=most)
    exact = all(float(line.y.max()) < EXACT_ERROR for line in lines)  # the chart would be one level line at 0
    corner = with_labels(shift.matrix[:SHOWN_SIDE, :SHOWN_SIDE])
    panel = Panel("matrix", name_shift(shift, k, SHOWN_SIDE), *corner, "new dimension", "old dimension", unit="entry")
    matrix = Matrices([panel], key="positions-matrix", name=f"M({k})", height=300)
    return Shown(
        lead=QUESTION,
        pictures=[_rows(encoding, k), about, matrix if exact else Columns([[chart], [matrix]], widths=(3, 2))],
        takeaway=read_shift(encoding.kind, shift, k, width),
        formula=write_shift(k, width, shift.constructed is None),
        about=read_unseen(encoding.kind, shift),
        table=Table(f"M-{k}", *with_labels(shift.fitted), corner="dimension"),
        source=("core.topics.positions.analysis.encodings.shift", "core.topics.positions.analysis.encodings.turning"),
    )


def _rows(encoding: Encoding, k: int) -> Matrices:
    """Show the first positions as M(k) turns them, beside the positions k further on."""
    turned, there = queries.shifted_rows(encoding, k, SHOWN_ROWS)
    limit = max(1.0, *(float(np.abs(rows.values).max()) for rows in (turned, there)))
    panels = [
        Panel(key, name, *rows, "positions", "dimensions", limit=limit, unit="number")
        for key, name, rows in (
            ("turned", f"M({k}) · PE(p): positions turned by the matrix", turned),
            ("there", f"PE(p + {k}): the positions {k} further on", there),
        )
    ]
    return Matrices(panels, key="positions-shifted", name=f"positions turned by M({k}), and those {k} on", height=260)


def _rotary(run: Run, values: Values, encoding: Encoding, k: int, about: Markdown) -> Shown:
    place, base = place_of(run, values), encoding.base
    if place.cross:
        return Shown(pictures=[about, Message(plain(NO_CROSS))])
    rotated = queries.turned(run, place, (values[QUERY], values[KEY]), k, encoding.length, base)
    lines = lines_along({"turned": rotated.scores, "not turned": rotated.unturned}, rotated.theory)
    words = ("Does the place change the score?", "position p of the key", "q · k")
    chart = line_chart("positions-turned", "A turned pair at every position", lines, words)
    return Shown(
        pictures=[about, Caption(model_words(run)), chart],
        takeaway=read_turned(rotated.query, rotated.key, rotated.scores, k, rotated.theory, rotated.unturned),
        formula=write_turned(run.config.key_width, base),
        table=Table("turned", *with_labels(rotated.scores, "q · k"), corner="position p"),
        source=("core.topics.positions.far.turned",),
    )


def _alibi(encoding: Encoding, k: int, about: Markdown) -> Shown:
    changes = moved_penalties(encoding, k)
    words = ("Does the place change the penalty?", "position p of the key", "change")
    chart = line_chart("positions-moved", "ALiBi's penalty at every position", lines_along({"change": changes}), words)
    return Shown(
        pictures=[about, chart],
        takeaway=read_moved(changes, encoding.slope, k),
        formula=write_moved(encoding.slope, k),
        table=Table("moved", *with_labels(changes, "change"), corner="position p"),
        source=("core.topics.positions.encodings.moved_penalties",),
    )


VIEW = View("shift", _show, _controls, reads_text=(KIND, "rotary"), reads_mask=False)
