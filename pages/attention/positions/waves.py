"""A few dimensions of an encoding along the positions."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.positions_lines import Line
from core.explorer.positions.encodings import Encoding, wavelengths
from core.readings.positions import read_penalty, read_waves
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.encoding import (
    SOURCES,
    WAVES,
    encoding_controls,
    encoding_of,
    numbered,
    table_words,
)
from pages.attention.positions.lines import line_chart
from pages.attention.positions.settings import DIMENSIONS, KIND, LENGTH, WIDTH
from pages.shell import Shown
from pages.widgets import Control, Message, Table, Values, control

MOST_DIMENSIONS = 8


def waves_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from encoding_controls(run, values)
    penalty = values[KIND] == "alibi"
    names = numbered(values[LENGTH if penalty else WIDTH])
    yield control(
        DIMENSIONS,
        options=names,
        default=[name for name in DIMENSIONS.default if name in names],
        label="Keys" if penalty else DIMENSIONS.label,
        max_selections=MOST_DIMENSIONS,
        width=480,
    )


def show_waves(run: Run, values: Values) -> Shown:
    """The chosen columns of the table, as lines."""
    encoding = encoding_of(run, values)
    dimensions = sorted(map(int, values[DIMENSIONS]))[:MOST_DIMENSIONS]
    if not dimensions:
        empty = Message("Choose a dimension to see it.", icon=":material/show_chart:")
        return Shown(pictures=[table_words(encoding.kind), empty])
    table, penalty = queries.encode(encoding), encoding.kind == "alibi"
    word, at = "key" if penalty else "dimension", np.arange(len(table))
    names = [f"{word} {dimension}" for dimension in dimensions]
    columns = table[:, dimensions].T
    lines = [Line(name, at, column) for name, column in zip(names, columns, strict=True)]
    about_penalty = ("What does a key lose with distance?", "position of the query", "penalty")
    words = about_penalty if penalty else ("How does one number change?", "position", "value")
    return Shown(
        pictures=[
            table_words(encoding.kind),
            line_chart("positions-waves", f"{encoding.kind} positions along the text", lines, words),
        ],
        takeaway=read_penalty(table, encoding.slope) if penalty else _read(encoding, dimensions),
        formula=_formula(encoding),
        table=Table("waves", columns, names, numbered(len(table)), corner=word),
        source=(SOURCES[encoding.kind], "core.analysis.positions.wavelength"),
    )


def _read(encoding: Encoding, dimensions: Sequence[int]) -> str:
    measured, expected = wavelengths(encoding, dimensions)
    return read_waves(measured, expected, dimensions)


def _formula(encoding: Encoding) -> str:
    if encoding.kind in WAVES:
        return (
            rf"\lambda_i = 2\pi\,\alpha^{{2i/D}} \qquad \alpha = {encoding.base:g} \qquad D = {encoding.width} "
            r"\qquad i = \lfloor \text{dimension} / 2 \rfloor"
        )
    return r"\lambda_i = 2^{i+1}" if encoding.kind == "binary" else ""
