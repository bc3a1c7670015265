"""The view of scores and attention beyond the length that a model was made for."""

from collections.abc import Iterator

import numpy as np

from core.charts.positions_lines import Line, lines_along
from core.limits import FAR_POSITIONS
from core.topics.positions.encodings import ADDED
from core.topics.positions.far import in_first_layer, why_no_measure
from core.topics.positions.readings.encodings import write_score_at
from core.topics.positions.readings.measures import read_long, read_measured, read_pair, read_repeated
from core.topics.shared.labels import with_labels
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import first_layer, line_chart, token_controls
from pages.attention.positions.settings import DISTANCE_MEASURE, KEY, QUERY
from pages.shell import Shown, View, model_words
from pages.widgets import ATTENTION, Caption, Control, Message, Table, Values, control, place_controls, place_of, plain

LEAD = (
    "In training a model meets texts up to some length. At a greater *distance* between a query and a key, its "
    "scores are numbers that training never saw."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(DISTANCE_MEASURE)
    yield from place_controls(run, layer=not in_first_layer(run, values[DISTANCE_MEASURE]))
    if values[DISTANCE_MEASURE] == "one pair":
        yield from token_controls(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show one pair at growing distances, or the whole text repeated."""
    measure = values[DISTANCE_MEASURE]
    place = first_layer(run, values) if in_first_layer(run, measure) else place_of(run, values)
    if reason := why_no_measure(run, place, measure, queries.trained_kinds()):
        return Shown(lead=LEAD, pictures=[Message(plain(reason))])
    return _one_pair(run, values, place) if measure == "one pair" else _whole_text(run, place, measure)


def _one_pair(run: Run, values: Values, place: HeadAddress) -> Shown:
    config = run.config
    pair = queries.pair(run, place, values[QUERY], values[KEY], min(FAR_POSITIONS, 2 * config.max_length))
    scores, kind, limit = pair.scores, config.positions, config.max_length
    ends = _range_before(scores, limit)
    lines = lines_along({f"query {pair.query}, key {pair.key}": scores}, pair.theory) + ends
    words = ("What becomes of a score far away?", "distance from query to key", "score")
    chart = line_chart("positions-pair", "A score at growing distance", lines, words, limit=pair.end)
    return Shown(
        lead=LEAD,
        pictures=[chart, Caption(model_words(run))],
        takeaway=read_pair(pair.query, pair.key, scores, pair.limit, pair.theory),
        formula=write_score_at(kind, config.score, len(scores), config.key_width),
        about=read_measured(kind, kind in ADDED, limit, pair.layer),
        table=Table("beyond", *pair.table, corner="distance"),
        source=("core.topics.positions.far.pair",),
    )


def _range_before(scores: np.ndarray, limit: int) -> list[Line]:
    """Return level lines at the highest and the lowest score up to the model's length, if any distance is beyond it."""
    if len(scores) <= limit:
        return []
    across, inside = np.array([0, len(scores) - 1]), scores[:limit]
    ends = {"highest score before": inside.max(), "lowest score before": inside.min()}
    return [Line(name, across, np.full(2, end), theory=True) for name, end in ends.items()]


def _whole_text(run: Run, place: HeadAddress, measure: str) -> Shown:
    long_text = queries.long_text(run, place)
    line, series, surprise = f"layer {place.layer + 1}, head {place.head + 1}", long_text.keys, measure == "surprise"
    latex = r"2^{-\sum_j A_{ij} \log_2 A_{ij}}"
    words = ("How many keys does the head look at?", "position in the repeated text", "keys, 2 to the entropy")
    if surprise and long_text.surprisal is not None:
        line, series = "surprise", long_text.surprisal
        latex = r"-\log_2 p(\text{next token})"
        words = ("How surprised is the model?", "position in the repeated text", "surprise, bits")
    lines = lines_along({line: series})
    chart = line_chart("positions-long", "The repeated text", lines, words, limit=long_text.limit)
    return Shown(
        lead=LEAD,
        pictures=[chart, Caption(model_words(run))],
        takeaway=read_long(surprise, series, long_text.limit),
        notes=[read_repeated(long_text.period, long_text.limit)],
        formula=latex,
        table=Table("long-text", *with_labels(series, line), corner="position"),
        source=("core.topics.positions.far.long_text",),
    )


VIEW = View("longer texts", _show, _controls, reads_target=ATTENTION, reads_mask=False)
