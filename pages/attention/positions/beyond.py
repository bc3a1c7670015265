"""What scores and attention look like beyond the length that a model was made for."""

from collections.abc import Iterator

import numpy as np

from core.charts.positions_lines import Line
from core.explorer.positions.encodings import ADDED, KINDS, NO_CROSS
from core.explorer.positions.far import why_no_long_text
from core.explorer.shared.places import Place
from core.readings.positions import read_long, read_pair
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.encoding import numbered
from pages.attention.positions.lines import line_chart
from pages.attention.positions.settings import FAR, KEY, QUERY
from pages.attention.positions.tokens import first_layer, first_layer_controls, token_controls
from pages.shell import Shown, model_words
from pages.widgets import Caption, Control, Message, Table, Values, control, place_controls, place_of, plain

MOST = 1024
LEAD = (
    "In training a model meets texts up to some length. At a greater **distance** between a query and a key, its "
    "scores are numbers that training never saw."
)
FORMULAS = {
    "rotary": r"s(d) = (R_d\, q) \cdot k / \sqrt{d_k}",
    "alibi": r"s(d) = q \cdot k / \sqrt{d_k} - m\, d",
    "none": r"s(d) = q \cdot k / \sqrt{d_k}",
}


def beyond_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(FAR)
    yield from first_layer_controls(run) if _in_first_layer(run, values) else place_controls(run)
    if values[FAR] == "one pair":
        yield from token_controls(run, values)


def show_beyond(run: Run, values: Values) -> Shown:
    """One pair at growing distances, or the whole text repeated."""
    place = first_layer(run, values) if _in_first_layer(run, values) else place_of(run, values)
    if reason := _why_not(run, values, place):
        return Shown(lead=LEAD, pictures=[Message(reason)])
    return _one_pair(run, values, place) if values[FAR] == "one pair" else _whole_text(run, values, place)


def _in_first_layer(run: Run, values: Values) -> bool:
    """Whether the pair is measured in the first layer, where a query follows from its token and position alone."""
    return values[FAR] == "one pair" and run.config.positions in ADDED


def _why_not(run: Run, values: Values, place: Place) -> str:
    """Why this cannot be measured here, as markdown; "" where it can."""
    if values[FAR] == "one pair":
        return plain(NO_CROSS) if place.cross else ""
    if not run.checkpoint:
        by_kind = {kind: queries.trained_with(kind) for kind in KINDS}
        offer = "; ".join(f"{kind}: {plain(', '.join(names))}" for kind, names in by_kind.items() if names)
        return f"Fresh weights were trained at no length, so there is nothing beyond. Choose a trained model: {offer}."
    if values[FAR] == "surprise" and place.stack == "encoder":
        return "An encoder predicts no next token. Choose a decoder."
    return plain(why_no_long_text(run, place))


def _one_pair(run: Run, values: Values, place: Place) -> Shown:
    found = queries.pair(run, place, values[QUERY], values[KEY], min(MOST, 2 * run.config.max_length))
    scores, distances = found.scores, np.arange(len(found.scores))
    lines, rows = [Line(f"query {found.query}, key {found.key}", distances, scores)], {"score": scores}
    if found.theory is not None:
        lines.append(Line("theory", distances, found.theory, theory=True))
        rows["theory"] = found.theory
    kind, limit = run.config.positions, found.limit - (len(scores) <= found.limit)
    plain_dot = run.config.score == "scaled_dot" and kind in FORMULAS
    words = ("What becomes of a score far away?", "distance from query to key", "score")
    chart = line_chart("positions-pair", "A score at growing distance", lines, words, limit=limit)
    return Shown(
        lead=LEAD,
        pictures=[Caption(model_words(run)), chart],
        takeaway=f"Query {found.query}, key {found.key}. {read_pair(scores, found.limit, found.theory)}",
        formula=(FORMULAS[kind] if plain_dot else r"s(d) = \operatorname{score}(q_d, k_0)")
        + rf"\qquad d = 0, \dots, {len(scores) - 1} \qquad d_k = {run.config.key_width}",
        about=_how_measured(run, found.layer),
        table=Table("beyond", np.stack(list(rows.values())), list(rows), numbered(len(scores)), corner="distance"),
        source=("core.explorer.positions.far.pair",),
    )


def _how_measured(run: Run, layer: int) -> str:
    kind, limit = run.config.positions, run.config.max_length
    if kind in ADDED:
        ends = f" Learned positions end at {limit}: the model has no vector for the next one."
        return (
            "Measured in layer 1: there a query and a key follow from their token and position alone, so they are "
            "computed anew for each distance, with the key at position 0. The model is "
            f"made for texts of up to {limit} tokens.{ends if kind == 'learned' else ''}"
        )
    return (
        f"The query and the key are the ones that layer {layer + 1} computed from your text; only their distance is "
        f"changed. The model is made for texts of up to {limit} tokens."
    )


def _whole_text(run: Run, values: Values, place: Place) -> Shown:
    found = queries.long_text(run, place)
    line, series = f"layer {place.layer + 1}, head {place.head + 1}", found.keys
    what, latex = "Keys that the head spreads over", r"2^{-\sum_j A_{ij} \log_2 A_{ij}}"
    words = ("How many keys does the head look at?", "position in the repeated text", "keys, 2 to the entropy")
    if values[FAR] == "surprise" and found.surprisal is not None:
        line, series = "surprise", found.surprisal
        what, latex = "Surprise in bits", r"-\log_2 p(\text{next token})"
        words = ("How surprised is the model?", "position in the repeated text", "surprise, bits")
    at = np.flatnonzero(np.isfinite(series))
    lines = [Line(line, at, series[at])]
    repeated = (
        f"Your text of {found.period} tokens, repeated to {2 * found.limit} in one forward pass, twice the model's "
        "length. A repeated text is easy to go on with: compare before and after the line, not with other texts."
    )
    return Shown(
        lead=LEAD,
        pictures=[
            Caption(model_words(run)),
            line_chart("positions-long", "The repeated text", lines, words, limit=found.limit),
        ],
        takeaway=read_long(what, series, found.limit),
        notes=[repeated],
        formula=latex,
        table=Table("long-text", series[None], [line], numbered(len(series)), corner="position"),
        source=("core.explorer.positions.far.long_text",),
    )
