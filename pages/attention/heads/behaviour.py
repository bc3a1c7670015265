"""What heads do, as numbers computed from their patterns, and which heads do the same."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.charts.head_scores import head_scores_data, head_scores_spec
from core.charts.head_similarity import similarity_data, similarity_spec
from core.explorer.heads.all_heads import compared_layer
from core.explorer.heads.records import Behaviours
from core.explorer.shared.places import Place
from core.readings.descriptors import DESCRIPTORS
from core.readings.heads import read_alike, read_descriptor, why_missing
from core.readings.patterns import read_heads
from core.readings.words import head_label
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import SCORE, TASK
from pages.shell import Shown
from pages.widgets import Chart, Control, Table, Values, control, place_controls, place_of, spec

# What is averaged over the rows i of A; t holds the ids of the tokens.
FORMULAS = {
    "entropy": r"\operatorname*{mean}_{i}\;-\sum_{j} A_{ij} \log_2 A_{ij}",
    "effective_keys": r"\operatorname*{mean}_{i}\;2^{-\sum_{j} A_{ij} \log_2 A_{ij}}",
    "distance": r"\operatorname*{mean}_{i}\;\sum_{j} A_{ij}\,|i - j|",
    "first_token": r"\operatorname*{mean}_{i}\;A_{i0}",
    "previous_token": r"\operatorname*{mean}_{i \ge 1}\;A_{i,\,i-1}",
    "duplicate_token": r"\operatorname*{mean}_{i}\;\sum_{j < i,\; t_j = t_i} A_{ij}",
    "induction": r"\operatorname*{mean}_{i}\;\sum_{j < i,\; t_{j-1} = t_i} A_{ij}",
}


def behaviour_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(TASK)
    if values[TASK] == "one score":
        yield control(SCORE, width=280)


def show_behaviour(run: Run, values: Values) -> Shown:
    """One score of every head, all scores as a table, or how alike heads are."""
    place = place_of(run, values)
    record = queries.behaviours(run, replace(place, layer=compared_layer(run, place), head=0))
    if values[TASK] == "one score":
        return _one_score(record, place, values[SCORE])
    return _all_scores(record, place) if values[TASK] == "all scores" else _alike(run, record, place)


def _one_score(record: Behaviours, place: Place, name: str) -> Shown:
    known = next(each for each in DESCRIPTORS if each.name == name)
    table, values = record.table, record.table.column(known.field)
    layers, heads = values.shape
    rows, columns = [f"layer {n + 1}" for n in range(layers)], [f"head {n + 1}" for n in range(heads)]
    shape = rf"A \in [0, 1]^{{{table.queries} \times {table.keys}}}"
    data = head_scores_data(values, table.limits(known.field))
    return Shown(
        lead=f"{known.meaning} In {known.unit if known.unit != 'share' else 'shares from 0 to 1'}.",
        pictures=[Chart(data, spec(head_scores_spec), key="heads-scores", name=name)],
        takeaway=read_descriptor(known, values, (place.layer, place.head), place.cross),
        formula=rf"{FORMULAS[known.field]} \qquad {shape}",
        about="The mean is over the rows that have such a weight to give: padding and queries that may attend to "
        "nothing are left out.",
        table=Table(known.field, values.filled(np.nan), rows, columns, corner="layer"),
        source=("core.analysis.heads.head_table",),
    )


def _all_scores(record: Behaviours, place: Place) -> Shown:
    scores = [record.table.column(each.field) for each in DESCRIPTORS]
    layers, heads = scores[0].shape
    return Shown(
        takeaway=read_heads(record.table),
        notes=[
            why_missing(known, place.cross)
            for known, values in zip(DESCRIPTORS, scores, strict=True)
            if values.count() == 0
        ],
        table=Table(
            "heads",
            np.stack([values.filled(np.nan).ravel() for values in scores], axis=1),
            [head_label(layer, head) for layer in range(layers) for head in range(heads)],
            [f"{known.name} ({known.unit})" for known in DESCRIPTORS],
            corner="head",
            unfolded=True,
        ),
        source=("core.analysis.heads.head_table",),
    )


def _alike(run: Run, record: Behaviours, place: Place) -> Shown:
    names = [f"{layer + 1}·{head + 1}" for layer, head in record.compared]
    count, layer = run.config.layers * run.config.heads, record.compared[0][0] + 1
    too_many = f"{count} heads are too many to compare: these are layer {layer}'s."
    rows = f"{record.rows} evenly spaced rows" if record.sampled else "rows"
    data = similarity_data(record.alike, names)
    return Shown(
        pictures=[Chart(data, spec(similarity_spec), key="heads-alike", name="which heads are alike")],
        takeaway=read_alike(record.alike, record.compared, (place.layer, place.head)),
        notes=[too_many if len(names) < count else None],
        about=f"1 minus the mean Jensen-Shannon divergence, in bits, of the two heads' {rows}. Names are layer·head.",
        table=Table("similarity", record.alike, names, names, corner="head"),
        source=("core.analysis.heads.similarity",),
    )
