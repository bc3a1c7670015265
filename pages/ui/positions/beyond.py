"""What scores and attention look like beyond the length that a model was made for."""

import numpy as np
import streamlit as st

from core.charts.positions_lines import Line, lines_data
from core.explorer.positions.encodings import ADDED
from core.explorer.positions.far import long_text, pair
from core.explorer.shared.places import Place
from core.readings.positions import read_long, read_pair
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.frame import model_note
from pages.ui.numbers import numbers
from pages.ui.place import choose_place
from pages.ui.positions import cache, specs
from pages.ui.positions.choices import FAR, KIND
from pages.ui.positions.tokens import choose_head, choose_tokens
from pages.ui.say import code, formula, notes, plain, reading
from pages.ui.settings import ask

MOST = 1024
FORMULAS = {
    "rotary": r"s(d) = (R_d\, q) \cdot k / \sqrt{d_k}",
    "alibi": r"s(d) = q \cdot k / \sqrt{d_k} - m\, d",
    "none": r"s(d) = q \cdot k / \sqrt{d_k}",
}


def show_beyond(run: Run) -> None:
    """One pair at growing distances, or the whole text repeated."""
    st.markdown(
        "In training a model meets texts up to some length. At a greater **distance** between a query and a key, its "
        "scores are numbers that training never saw."
    )
    model_note()
    measure = ask(FAR)
    added = measure == "one pair" and run.config.positions in ADDED
    place = choose_head(run) if added else choose_place(run)
    if measure == "one pair":
        _one_pair(run, place)
    elif not run.checkpoint:
        st.info(
            f"Fresh weights were trained at no length, so there is nothing beyond. Choose a trained model: {_offer()}.",
            icon=":material/school:",
        )
    else:
        _whole_text(run, place, measure == "surprise")


def _offer() -> str:
    """The trained models by the kind of their positions, for markdown."""
    kinds = {kind: cache.trained_with(kind) for kind in KIND.options}
    return "; ".join(f"{kind}: {plain(', '.join(names))}" for kind, names in kinds.items() if names)


def _one_pair(run: Run, place: Place) -> None:
    query, key = choose_tokens(run, place)
    found = cache.pair(run, place, query, key, min(MOST, 2 * run.config.max_length))
    distances = np.arange(len(found.scores))
    limit = found.limit if len(found.scores) > found.limit else found.limit - 1
    with st.container(key="positions-pair"):
        lines = [Line(f"query {found.query}, key {found.key}", distances, found.scores)]
        if found.theory is not None:
            lines.append(Line("theory", distances, found.theory, theory=True))
        st.vega_lite_chart(lines_data(lines, limit=limit), specs.pair(), width="stretch")
    chart_save("positions-pair", name="A score at growing distance")
    reading(f"Query {found.query}, key {found.key}. {read_pair(found.scores, found.limit, found.theory)}")
    kind = run.config.positions
    plain_dot = run.config.score == "scaled_dot" and kind in FORMULAS
    formula(
        (FORMULAS[kind] if plain_dot else r"s(d) = \operatorname{score}(q_d, k_0)")
        + rf"\qquad d = 0, \dots, {len(found.scores) - 1} \qquad d_k = {run.config.key_width}"
    )
    st.caption(_how_measured(run, found.layer))
    rows = [found.scores] if found.theory is None else [found.scores, found.theory]
    names = ["score", "theory"][: len(rows)]
    numbers("beyond", np.stack(rows), names, list(map(str, distances)), "positions-pair-numbers", "distance")
    code(pair, key="positions-code-pair")


def _how_measured(run: Run, layer: int) -> str:
    kind, limit = run.config.positions, run.config.max_length
    if kind in ADDED:
        end = (
            f" Learned positions end at {limit}: the model has no vector for the next one." if kind == "learned" else ""
        )
        return (
            "Measured in layer 1: there a query and a key follow from their token and position alone, so they are "
            "computed anew for each distance, with the key at position 0. The model is "
            f"made for texts of up to {limit} tokens.{end}"
        )
    return (
        f"The query and the key are the ones that layer {layer + 1} computed from your text; only their distance is "
        f"changed. The model is made for texts of up to {limit} tokens."
    )


def _whole_text(run: Run, place: Place, surprise: bool) -> None:
    if surprise and place.stack == "encoder":
        st.info("An encoder predicts no next token. Choose a decoder.", icon=":material/info:")
        return
    found = cache.long_text(run, place)
    values = found.surprisal if surprise and found.surprisal is not None else found.keys
    at = np.arange(len(values))
    name = "surprise" if surprise else f"layer {place.layer + 1}, head {place.head + 1}"
    kept = at[np.isfinite(values)]
    with st.container(key="positions-long"):
        data = lines_data([Line(name, kept, values[kept])], limit=found.limit)
        st.vega_lite_chart(data, specs.long_text(surprise), width="stretch")
    chart_save("positions-long", name="The repeated text")
    what = "Surprise in bits" if surprise else "Keys that the head spreads over"
    reading(read_long(what, values, found.limit))
    formula(
        r"-\log_2 p(\text{next token})" if surprise else r"2^{-\sum_j A_{ij} \log_2 A_{ij}}",
    )
    notes(
        [
            f"Your text of {found.period} tokens, repeated to {2 * found.limit} in one forward pass, twice the model's "
            "length. A repeated text is easy to go on with: compare before and after the line, not with other texts."
        ]
    )
    numbers("long-text", values[None], [name], list(map(str, at)), "positions-long-numbers", "position")
    code(long_text, key="positions-code-long")
