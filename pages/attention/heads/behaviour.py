"""The view of the heads' behaviour: scores computed from their patterns, and which heads are alike."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.readings.descriptors import descriptor_named
from core.readings.heads import read_alike, read_compared, read_descriptor, why_all_missing
from core.readings.patterns import read_heads
from core.readings.words import SHARE_TOLERANCE
from core.text.labels import head_label
from core.topics.heads.all_heads import compared_layer
from core.topics.heads.charts.scores import head_scores_data, head_scores_spec
from core.topics.heads.charts.similarity import similarity_data, similarity_spec
from core.topics.heads.readings.formulas import write_score
from core.topics.heads.records import Behaviours
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import SCORE, TASK
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Part, Table, Values, control, place_controls, place_of, spec


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(TASK)
    if values[TASK] == "one score":
        yield control(SCORE, width=280)


def _show(run: Run, values: Values) -> Shown:
    """Show one score of every head, all scores as a table, or how alike heads are."""
    place, task = place_of(run, values), values[TASK]
    record = queries.behaviours(run, replace(place, layer=compared_layer(run, place), head=0))
    if task == "one score":
        return _one_score(run, record, place, values[SCORE])
    return _all_scores(record, place) if task == "all scores" else _alike(record, place)


def _one_score(run: Run, record: Behaviours, place: HeadAddress, name: str) -> Shown:
    known, table = descriptor_named(name), record.table
    values = table.column(known.field)
    data = head_scores_data(values, table.limits(known.field))
    return Shown(
        lead=f"{known.meaning} In {known.measure}.",
        pictures=[*_extremes(run, place, values), Chart(data, spec(head_scores_spec), key="heads-scores", name=name)],
        takeaway=read_descriptor(known, values, (place.layer, place.head), place.cross),
        formula=write_score(known.formula, table.queries, table.keys, run.config.sink_logits and known.divides_rows),
        about="The mean is over the rows that have such a weight to give: padding and queries that may attend to "
        "nothing are left out.",
        table=Table(known.field, *record.scores(known.field), corner="layer"),
        source=("core.analysis.heads.head_table",),
    )


def _extremes(run: Run, place: HeadAddress, values: np.ma.MaskedArray) -> list[Part]:
    """Return the patterns of the heads with the highest and the lowest number (N, H); nothing if there are not two."""
    if values.count() < 2 or not np.ptp(values.compressed()) > SHARE_TOLERANCE:
        return []
    panels = []
    for name, index in (("highest", values.argmax()), ("lowest", values.argmin())):
        layer, head = (int(number) for number in np.unravel_index(int(index), values.shape))
        patterns = queries.patterns(run, replace(place, layer=layer).of_layer)
        title = f"{name.capitalize()}: {head_label(layer, head)}"
        weights, labels = patterns.drawn(head), (patterns.rows, patterns.keys.labels)
        panels.append(Panel(name, title, weights, *labels, "queries", "keys", scale="weight"))
    return [Matrices(panels, key="heads-extremes", name="the heads with the highest and the lowest number", height=240)]


def _all_scores(record: Behaviours, place: HeadAddress) -> Shown:
    return Shown(
        takeaway=read_heads(record.table),
        notes=why_all_missing(record.table, place.cross),
        table=Table("heads", *record.every_score, corner="head", unfolded=True),
        source=("core.analysis.heads.head_table",),
    )


def _alike(record: Behaviours, place: HeadAddress) -> Shown:
    data = similarity_data(record.alike, record.names)
    rows = f"{record.rows} evenly spaced rows" if record.sampled else "rows"
    return Shown(
        pictures=[Chart(data, spec(similarity_spec), key="heads-alike", name="which heads are alike")],
        takeaway=read_alike(record.alike, record.compared, (place.layer, place.head)),
        notes=[read_compared(record.table.entropy.size, record.compared)],
        about=f"1 minus the mean Jensen-Shannon divergence, in bits, of the two heads' {rows}. Names are layer·head.",
        table=Table("similarity", record.alike, record.names, record.names, corner="head"),
        source=("core.analysis.heads.similarity",),
    )


VIEW = View("what heads do", _show, _controls)
