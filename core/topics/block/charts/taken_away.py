"""Variants of a model in rows: how far a vector moves, the model's answer, and its loss."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import IS_WIDE, chart, clickable_rows, framed, headings, quiet_rows, row_data, tips
from core.charts.style import CHANCE, INK, SIZE, printed, share_label, short_number

CHANGE_COLUMN, ANSWER_COLUMN, LOSS_COLUMN = 0.0, 0.35, 0.7  # shares of the width at which the columns begin
BAR = 0.23  # share of the width that the longest bar takes
MOST_MOVED, MOST_LOSS = 2.0, 20.0  # longer bars are cut


def taken_away_spec(answers: bool, losses: bool) -> dict[str, Any]:
    """Return rows for the columns of `taken_away_data`; a click on one selects it (`picked`, field "place").

    answers, losses: whether the model has answers, and losses, to show in a column.
    """
    tooltip = tips(("variant:N", "the model"), ("moved_text:N", "change ÷ length"))
    tooltip += tips(("told:N", "its answer")) * answers + tips(("loss_text:N", "loss")) * losses
    rows = chart(y=quiet_rows("variant:N", 130), tooltip=tooltip)
    layers = [clickable_rows(rows), *_bars(rows, "moved", SIZE)]
    if answers:
        shown = f"datum.piece + ({IS_WIDE} ? '  ' + datum.chance : '')"
        pieces = rows.transform_calculate(shown=shown).mark_text(
            align="left", dx=4, color=INK, fontSize=12, limit=alt.expr(f"width * {LOSS_COLUMN - ANSWER_COLUMN - 0.02}")
        )
        share = rows.mark_bar(height={"band": 0.8}, cornerRadiusEnd=2, color=CHANCE, opacity=0.3)
        layers.append(share.encode(x="chance_from:Q", x2="chance_to:Q"))
        layers.append(pieces.encode(x=alt.datum(ANSWER_COLUMN), text="shown:N"))
    if losses:
        tick = rows.mark_tick(color=INK, thickness=2, height={"band": 0.9}).encode(x="whole:Q")
        layers += [*_bars(rows, "loss", CHANCE), tick]
    titles = [(CHANGE_COLUMN, f"{IS_WIDE} ? 'this token’s vector moves by' : 'moves by'")]
    titles += [(ANSWER_COLUMN, f"{IS_WIDE} ? 'likeliest answer' : 'answer'")] * answers
    titles += [(LOSS_COLUMN, f"{IS_WIDE} ? 'loss on our own text, longer is worse' : 'loss'")] * losses
    title = alt.Title("What breaks when a part is removed?", offset=22)
    return framed(title, *layers, *headings(titles), height=alt.Step(25))


def _bars(rows: alt.Chart, name: str, hue: str) -> list[alt.Chart]:
    """Return bars from column `name`_from to column `name`_to, and their numbers from column `name`_text."""
    bars = rows.mark_bar(height={"band": 0.62}, cornerRadiusEnd=2, color=hue)
    texts = rows.mark_text(align="left", dx=4, color=INK, fontSize=12)
    return [bars.encode(x=f"{name}_from:Q", x2=f"{name}_to:Q"), texts.encode(x=f"{name}_to:Q", text=f"{name}_text:N")]


def taken_away_data(
    variants: Sequence[str],
    moved: Sequence[float],
    answers: Sequence[tuple[str, float]],
    losses: Sequence[float],
    selected: int,
    pending: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the data for `taken_away_spec`: one row per variant (n,); the first variant is the model as it is.

    moved: how far the token's last vector moves, as a multiple of its length; NaN for a variant whose numbers overflow.
    answers: the likeliest answer of each variant and its probability; empty if the model gives no answers.
    losses: the loss of each variant; NaN if its numbers overflow; empty if the model has no loss.
    selected: the number of the selected row.
    pending: the variants that are not computed yet.
    """
    likeliest = [*answers] or [("", 0.0)] * len(variants)
    frame = row_data(
        "variant",
        variants,
        piece=[piece for piece, _ in likeliest],
        chance=[share_label(probability) if piece else "" for piece, probability in likeliest],
        chance_from=np.float32(ANSWER_COLUMN),
        chance_to=np.array(
            [ANSWER_COLUMN + (LOSS_COLUMN - ANSWER_COLUMN - 0.03) * probability for _, probability in likeliest],
            np.float32,
        ),
        told=[f"{piece} ({share_label(probability, 1)})" if piece else "–" for piece, probability in likeliest],
        here=np.arange(len(variants)) == selected,
        zero=np.float32(0),
        one=np.float32(1),
    )
    for name, values, start, most in (
        ("moved", moved, CHANGE_COLUMN, MOST_MOVED),
        ("loss", losses, LOSS_COLUMN, MOST_LOSS),
    ):
        numbers = np.asarray(values if len(values) else [np.nan] * len(variants), np.float64)
        known = numbers[np.isfinite(numbers)]
        longest = min(float(known.max(initial=0.0)), most) or 1.0
        frame[f"{name}_from"] = np.full(len(variants), start, np.float32)
        ends = start + BAR * np.clip(np.nan_to_num(numbers), 0, longest) / longest
        frame[f"{name}_to"] = ends.astype(np.float32)
        frame[f"{name}_text"] = [
            "…" if variant in pending else "overflow" if text == "–" else text
            for variant, text in zip(variants, _short(numbers), strict=True)
        ]
    return frame.assign(whole=frame["loss_to"][0])


def _short(numbers: np.ndarray) -> list[str]:
    """Format numbers with two decimals, from 100 on as integers, and from a million on in scientific notation."""
    return [
        printed(np.array([x]), 2)[0] if not abs(x) >= 100 else f"{x:,.0f}" if abs(x) < 1e6 else short_number(x, 1)
        for x in numbers
    ]
