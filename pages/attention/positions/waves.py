"""The view of a few dimensions of an encoding along the positions."""

from collections.abc import Iterator, Sequence

from core.charts.positions_lines import lines_along
from core.export.encodings import columns_script
from core.export.script_parts import ScriptParts
from core.topics.positions.readings.encodings import read_encoding, read_penalty, write_wave_lengths
from core.topics.positions.readings.measures import read_waves
from core.topics.shared.labels import numbered
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import encoding_controls, encoding_of, line_chart
from pages.attention.positions.settings import DIMENSIONS, KIND, LENGTH, WIDTH
from pages.shell import Shown, View
from pages.widgets import Control, Markdown, Message, Table, Values, control

MOST_DIMENSIONS = 8


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from encoding_controls(run, values)
    penalty = values[KIND] == "alibi"
    names = numbered(values[LENGTH if penalty else WIDTH])
    chosen = [name for name in DIMENSIONS.default if name in names]
    label = "Keys" if penalty else DIMENSIONS.label
    yield control(DIMENSIONS, options=names, default=chosen, label=label, max_selections=MOST_DIMENSIONS, width=480)


def _show(run: Run, values: Values) -> Shown:
    """Show the chosen columns of the table as lines."""
    encoding = encoding_of(run, values)
    kind, about = encoding.kind, Markdown(read_encoding(encoding.kind))
    dimensions = _chosen(values)
    if not dimensions:
        return Shown(pictures=[about, Message("Choose a dimension to see it.", icon=":material/show_chart:")])
    waves = queries.waves(encoding, tuple(dimensions))
    columns, names, _ = waves.table
    lengths = waves.length_table
    words = ("How does one number change?", "position", "value")
    sentences: Sequence[str] = read_waves(waves.measured, waves.expected, dimensions)
    if kind == "alibi":
        words = ("What does a key lose with distance?", "position of the query", "penalty")
        sentences = read_penalty(queries.encode(encoding), encoding.slope)
    lines = lines_along(dict(zip(names, columns, strict=True)))
    return Shown(
        pictures=[about, line_chart("positions-waves", f"{kind} positions along the text", lines, words)],
        takeaway=sentences,
        formula=write_wave_lengths(encoding),
        table=[
            Table("waves", *waves.table, corner=waves.word),
            *([Table("wavelengths", *lengths, corner="wavelength")] if len(lengths[0]) else []),
        ],
        source=(encoding.source, "core.topics.positions.analysis.encodings.wavelength"),
    )


def _chosen(values: Values) -> list[int]:
    """Return the columns that are looked at, by their numbers."""
    return sorted(map(int, values[DIMENSIONS]))[:MOST_DIMENSIONS]


def _script(run: Run, values: Values) -> ScriptParts:
    if not (chosen := _chosen(values)):
        raise ValueError("There is no script yet: choose a dimension first.")
    return columns_script(encoding_of(run, values), chosen)


VIEW = View("waves", _show, _controls, reads_text=False, reads_mask=False, script=_script)
