"""The same tokens after each stage of a choice: a column of bars for each stage, a row for each token."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, named, quiet_rows, tips, width_share
from core.charts.style import CHANCE, INK, printed, share_label

LOGIT = "#8a94a6"
LONGEST_BAR_SHARE = 0.6  # share of a column that the longest bar takes; its number is written behind it
HAS_ROOM = "width * datum.span > 88"
OTHERS = "all others"


def stage_bars_spec() -> dict[str, Any]:
    """Return columns of bars under headings of three lines, for the columns of `stage_bars_data`."""
    rows = chart().transform_filter("datum.kind == 'row'")
    rows = rows.encode(
        y=quiet_rows("token:N", 96, labelOverlap=False),
        tooltip=tips(("token:N", "token"), ("stage:N", "after"), ("said:N", "value")),
    )
    across = width_share("left:Q")
    bars = rows.mark_bar(height={"band": 0.72}, cornerRadiusEnd=2).encode(
        x=across,
        x2="right:Q",
        color=named("tone:N", {"logit": LOGIT, "chance": CHANCE}, orient=None),
        opacity=alt.Opacity("strength:Q", scale=None),
    )
    values = rows.mark_text(
        align="left", dx=4, fontSize=11.5, color=INK, opacity=alt.expr(f"{HAS_ROOM} || datum.always ? 0.9 : 0")
    ).encode(x=alt.X("right:Q", axis=None), text="text:N")
    crosses = rows.transform_filter("datum.gone").mark_text(text="×", align="left", dx=1, color=INK, opacity=0.55)
    heads = [_heading(line) for line in range(3)]
    title = alt.Title("From scores to chances, step by step", offset=12)
    return framed(title, bars, values, crosses.encode(x=across), *heads, height=alt.Step(20))


def _heading(line: int) -> alt.Chart:
    """Return one line of the headings above the columns, in its short form if the chart is narrow.

    The lines are the stage, its setting, and the number of tokens left.
    """
    style: dict[str, Any] = {"fontWeight": "bold"} if line == 0 else {"opacity": 0.75}
    arrow = "(datum.left > 0 ? '→ ' : '') + " if line == 0 else ""
    return (
        chart()
        .transform_filter("datum.kind == 'head'")
        .transform_filter(f"datum.line == {line}")
        .transform_calculate(shown=f"{arrow}({HAS_ROOM} ? datum.text : datum.said)")
        .mark_text(align="left", dx=1, color=INK, fontSize=alt.expr(f"{HAS_ROOM} ? 12 : 9.5"), **style)
        .encode(x=alt.X("left:Q", axis=None), y=alt.value(-48 + 17 * line), text="shown:N")
    )


def stage_bars_data(
    headings: Sequence[tuple[tuple[str, str], tuple[str, str], tuple[str, str]]],
    labels: Sequence[str],
    logits: np.ndarray,
    probabilities: np.ndarray,
    kept: np.ndarray,
    others: np.ndarray,
    chosen: int,
) -> pd.DataFrame:
    """Return the data for `stage_bars_spec`: one row per token and column of bars, and three for each column's heading.

    headings (S + 1,): three lines for the logits and then for each stage, each line in full and short.
    labels (C,): the tokens, all different.
    logits (C,): their logits.
    probabilities, kept (S, C): their probabilities after each stage, and whether they are still there.
    others (S,): the total probability of all other tokens, a number without a bar.
    chosen: the place of the chosen token.

    All bars begin at 0, those of negative logits to its left; probabilities share one scale. The column `place` is the
    row's place from the top.
    """
    columns, count = len(headings), len(labels)
    span, most = 1 / columns, float(probabilities.max()) or 1.0
    low, high = min(0.0, float(logits.min())), max(0.0, float(logits.max()))
    zeros = np.zeros((columns, count + 1))
    zeros[0] = -low / ((high - low) or 1.0)
    ends = zeros.copy()
    ends[0, :count] += logits / ((high - low) or 1.0)
    ends[1:, :count] = probabilities / most
    gone = np.zeros(ends.shape, bool)
    gone[1:, :count], gone[1:, count] = ~kept, others == 0
    shares = np.c_[probabilities, others].ravel()
    texts = [*printed(logits, 1), "–", *(share_label(share, 1) for share in shares)]
    edges = np.repeat(np.arange(columns) * span, count + 1)
    sides = [
        edges + LONGEST_BAR_SHARE * span * side.ravel() for side in (np.minimum(zeros, ends), np.maximum(zeros, ends))
    ]
    frame = {
        "kind": ["row"] * edges.size,
        "token": [*labels, OTHERS] * columns,
        "place": [*range(count + 1)] * columns,
        "stage": [heading[0][0] for heading in headings for _ in range(count + 1)],
        "left": sides[0],
        "right": sides[1],
        "tone": ["logit" if n <= count else "chance" for n in range(edges.size)],
        "strength": np.tile([1.0 if n == chosen else 0.5 for n in range(count + 1)], columns),
        "gone": gone.ravel(),
        "text": ["" if cut else text for cut, text in zip(gone.ravel(), texts, strict=True)],
        "said": ["removed" if cut else text for cut, text in zip(gone.ravel(), texts, strict=True)],
        "always": [n % (count + 1) == count for n in range(edges.size)],
        "line": [-1] * edges.size,
    }
    heads = [
        {"kind": "head", "left": column * span, "text": full, "said": short, "line": line}
        for column, heading in enumerate(headings)
        for line, (full, short) in enumerate(heading)
    ]
    return pd.concat([pd.DataFrame(frame), pd.DataFrame(heads)], ignore_index=True).assign(span=span)
