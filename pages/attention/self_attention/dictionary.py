"""The view of attention as a soft dictionary: one query against all keys, with an adjustable temperature."""

from collections.abc import Iterator

from core.readings.heads import read_look, read_row
from core.readings.patterns import write_look_up
from core.readings.words import capital, small
from core.topics.shared.places import require_no_sink
from core.tracing.run import Run
from pages.attention.self_attention.settings import ROW, TEMPERATURE
from pages.canvas import SoftDictionary
from pages.compute import one_head as queries
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control, place_controls, place_of


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    record = queries.head(run, place_of(run, values))
    telling_row = str(record.telling[0])
    yield control(ROW, label="Query (row)", width=160, high=len(record.queries) - 1, placeholder=telling_row)
    yield control(TEMPERATURE, width=160, format="%.4g")


def _show(run: Run, values: Values) -> Shown:
    """Show the soft look-up of one query."""
    require_no_sink(run)
    record, temperature = queries.head(run, place_of(run, values)), values[TEMPERATURE]
    row = record.telling[0] if values[ROW] is None else values[ROW]
    look_up = record.look_up(row)
    labels = record.queries.labels
    weights = record.pattern[row] if temperature == 1 else look_up.weights(temperature)
    picture = SoftDictionary(
        *look_up, key="dictionary", name="soft dictionary", temperature=temperature, sets=_set_temperature
    )
    return Shown(
        lead="An ordinary dictionary finds one key and returns its value. Attention finds *every* key a little, and "
        "returns the average of their values. Turn the temperature: near 0 it is an exact look-up, far above 1 it "
        "is the plain average; at 1 it is what this head computed.",
        pictures=[picture],
        takeaway=[
            f"At temperature {temperature:.4g}, {small(read_look(weights, labels, row, look_up.keys))}",
            capital(read_row(weights, labels, row, look_up.keys)),
        ],
        formula=write_look_up(*look_up.values.shape),
        about="While you turn T, your browser computes the softmax of S / T and the mix from this head's scores and "
        "values; at T = 1 they are the weights and the output that the code below computed.",
        table=Table(f"query {row}", *record.row_table(row), corner="key"),
        source=("core.model.attention.attention", "core.model.attention.masked_softmax"),
    )


def _set_temperature(temperature: float) -> dict[str, float]:
    return {TEMPERATURE.key: temperature}


VIEW = View("soft dictionary", _show, _controls)
