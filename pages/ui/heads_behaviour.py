"""What heads do, as numbers computed from their patterns, and which heads do the same."""

from functools import cache as once
from typing import Any

import numpy as np
import streamlit as st

from core.readings.descriptors import DESCRIPTORS, Descriptor
from core.analysis.heads import HEADS_COMPARED, ROWS_COMPARED, head_table, similarity
from core.charts.head_scores import head_scores_data, head_scores_spec
from core.charts.head_similarity import similarity_data, similarity_spec
from core.explorer.heads.records import Behaviours
from core.explorer.shared.places import Place
from core.readings.heads import read_alike, read_descriptor, why_missing
from core.readings.words import head_label
from core.readings.patterns import read_heads
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui import cache
from pages.ui.choices import SCORE_OF, TASK
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import ask

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


def show_behaviour(run: Run, place: Place) -> None:
    """One score of every head, all scores as a table, or how alike heads are."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        task = ask(TASK)
        chosen = ask(SCORE_OF, width=280) if task == "one score" else None
    record = cache.behaviours(run, Place(place.stack, _needed_layer(run, place), cross=place.cross))
    if task == "one score":
        _one_score(record, place, next(each for each in DESCRIPTORS if each.name == chosen))
    elif task == "all scores":
        _all_scores(record, place)
    else:
        _alike(record, run, place)


def _one_score(record: Behaviours, place: Place, descriptor: Descriptor) -> None:
    values = record.table.column(descriptor.field)
    st.markdown(f"{descriptor.meaning} In {descriptor.unit if descriptor.unit != 'share' else 'shares from 0 to 1'}.")
    limits = record.table.limits(descriptor.field)
    with st.container(key="heads-scores"):
        st.vega_lite_chart(head_scores_data(values, limits), _scores_spec(), width="stretch")
    chart_save("heads-scores", name=descriptor.name)
    reading(read_descriptor(descriptor, values, (place.layer, place.head), place.cross))
    queries, keys = record.table.queries, record.table.keys
    formula(rf"{FORMULAS[descriptor.field]} \qquad A \in [0, 1]^{{{queries} \times {keys}}}")
    st.caption(
        "The mean is over the rows that have such a weight to give: padding and queries that may attend to nothing "
        "are left out."
    )
    layers, heads = values.shape
    rows, columns = [f"layer {n + 1}" for n in range(layers)], [f"head {n + 1}" for n in range(heads)]
    numbers(descriptor.field, values.filled(np.nan), rows, columns, "heads-score-numbers", "layer")
    code(head_table, key="heads-code-describe")


def _all_scores(record: Behaviours, place: Place) -> None:
    table = record.table
    reading(read_heads(table))
    values = np.stack([table.column(each.field).filled(np.nan).ravel() for each in DESCRIPTORS], axis=1)
    layers, heads = table.entropy.shape
    rows = [head_label(layer, head) for layer in range(layers) for head in range(heads)]
    columns = [f"{each.name} ({each.unit})" for each in DESCRIPTORS]
    numbers("heads", values, rows, columns, "heads-table", "head", unfolded=True)
    missing = [each for each in DESCRIPTORS if table.column(each.field).count() == 0]
    notes([why_missing(each, place.cross) for each in missing])
    code(head_table, key="heads-code-table")


def _alike(record: Behaviours, run: Run, place: Place) -> None:
    names = [f"{layer + 1}·{head + 1}" for layer, head in record.compared]
    if len(record.compared) < run.config.layers * run.config.heads:
        layer = record.compared[0][0] + 1
        notes([f"{run.config.layers * run.config.heads} heads are too many to compare: these are layer {layer}'s."])
    with st.container(key="heads-alike"):
        st.vega_lite_chart(similarity_data(record.alike, names), _alike_spec(), width="stretch")
    chart_save("heads-alike", name="which heads are alike")
    reading(read_alike(record.alike, record.compared, (place.layer, place.head)))
    length = len(record.queries)
    rows = f"{ROWS_COMPARED} evenly spaced rows" if length > ROWS_COMPARED else "rows"
    st.caption(f"1 minus the mean Jensen-Shannon divergence, in bits, of the two heads' {rows}. Names are layer·head.")
    numbers("similarity", record.alike, names, names, "heads-alike-numbers", "head")
    code(similarity, key="heads-code-alike")


def _needed_layer(run: Run, place: Place) -> int:
    """The record is the same for every layer unless only the layer's own heads are compared."""
    return place.layer if run.config.layers * run.config.heads > HEADS_COMPARED else 0


@once
def _scores_spec() -> dict[str, Any]:
    return head_scores_spec()


@once
def _alike_spec() -> dict[str, Any]:
    return similarity_spec()
