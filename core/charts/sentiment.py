"""Charts about a classifier of sentiment.

They show its verdict word by word, the importance of each word by each method, permuted weights, sentences of our own,
and accuracy against the number of labels.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, FITTED, INK, NEGATIVE, POSITIVE, SIZE, WEIGHT, bare_spec

BAND = 0.36  # half the height of a method's row, whose middle lies at a whole number
HALF = alt.datum(0.5)
ROW = 112  # pixels
WORDS = alt.Axis(labelAngle=-50, labelLimit=110, labelFlush=False, grid=False)
AROUND_HALF = alt.Scale(domain=[0, 1], nice=False)


def growing_spec(positive: str) -> dict[str, Any]:
    """Return a bar from one half to the probability after each word, for the columns of `growing_data`."""
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X("word:N", sort=BY_PLACE, title="having read as far as", axis=WORDS),
        tooltip=[alt.Tooltip("word:N", title="up to"), alt.Tooltip("chance:Q", title=positive, format=".4f")],
    )
    up = alt.Y(
        "chance:Q", title=f"chance of “{positive}”", scale=AROUND_HALF, axis=alt.Axis(format="%", values=[0, 0.5, 1])
    )
    hue = alt.expr(f"datum.chance < 0.5 ? '{NEGATIVE}' : '{POSITIVE}'")
    bars = base.mark_bar(color=hue, opacity=0.75).encode(y=up, y2=HALF)
    line = base.mark_line(color=INK, strokeWidth=1.5, point=alt.OverlayMarkDef(color=INK, size=28)).encode(y=up)
    return bare_spec(
        alt.layer(bars, line).properties(title="How sure is it after each word?", width="container", height=400)
    )


def growing_data(words: Sequence[str], chances: np.ndarray) -> pd.DataFrame:
    """Return one row per word.

    words: labels, all different.
    chances (W,): the probability of the second class after each word.
    """
    return pd.DataFrame(
        {
            "place": np.arange(len(words), dtype=np.int16),
            "word": pd.Series(list(words), dtype="str"),
            "chance": chances.astype(np.float32),
        }
    )


def reasons_spec(negative: str, positive: str, methods: int) -> dict[str, Any]:
    """Return a row of bars over the words for each method, for the columns of `reasons_data`.

    A click anywhere in the column of a word selects it (`picked`, field "place").
    """
    picked = alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False)
    across = alt.X("word:N", sort=BY_PLACE, title=None, axis=WORDS)
    base = alt.Chart(alt.NamedData("data"))
    rows = alt.Scale(domain=[-0.5, methods - 0.3], nice=False)
    kinds = ["attention", f"for “{positive}”", f"for “{negative}”"]
    hue = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=[WEIGHT, POSITIVE, NEGATIVE]),
        legend=alt.Legend(title=None, orient="top", columns=3),
    )
    tip = [alt.Tooltip("word:N"), alt.Tooltip("method:N"), alt.Tooltip("value:Q", format=".4f")]
    bars = base.mark_bar().encode(x=across, y=alt.Y("low:Q", scale=rows, axis=None), y2="high:Q", color=hue)
    zero = base.mark_rule(color=SIZE, opacity=0.5, tooltip=None).encode(y=alt.Y("zero:Q", scale=rows, axis=None))
    names = base.transform_filter("datum.place == 0").mark_text(
        color=INK, align="left", baseline="top", dx=4, dy=2, fontWeight="bold", tooltip=None
    )
    names = names.encode(x=alt.value(0), y=alt.Y("top:Q", scale=rows, axis=None), text="name:N")
    columns = base.mark_bar(
        width=alt.RelativeBandSize(1), color=INK, cursor="pointer", opacity=alt.expr("datum.here ? 0.1 : 0.001")
    )
    columns = columns.encode(x=across, y=alt.Y("bottom:Q", scale=rows, axis=None), y2="top:Q", tooltip=tip)
    return bare_spec(
        alt.layer(zero, bars, names, columns.add_params(picked)).properties(
            title="Which words decide? Four answers", width="container", height=ROW * methods
        )
    )


def reasons_data(
    words: Sequence[str], methods: Mapping[str, str], scores: np.ndarray, labels: tuple[str, ...], here: int | None
) -> pd.DataFrame:
    """Return one row for each word and method.

    words: labels, all different.
    methods: the text above each row, by the method's name.
    scores (M, W): the first row is shares, the others are signed; each is drawn up to its own largest size.
    labels: the two classes.
    here: the place of the changed word.
    """
    frames = []
    for row, ((method, name), values) in enumerate(zip(methods.items(), scores, strict=True)):
        middle = len(methods) - 1.0 - row
        zero = middle - BAND if row == 0 else middle
        most = float(np.abs(values).max()) or 1.0
        high = zero + (2 if row == 0 else 1) * BAND * values / most
        kinds = ["attention" if row == 0 else f"for “{labels[int(value >= 0)]}”" for value in values]
        frames.append(
            pd.DataFrame(
                {
                    "place": np.arange(len(words), dtype=np.int16),
                    "word": pd.Series(list(words), dtype="str"),
                    "method": method,
                    "name": name,
                    "kind": kinds,
                    "value": values,
                    "zero": zero,
                    "low": zero,
                    "high": high,
                    "bottom": middle - 0.5,
                    "top": middle + 0.5,
                    "here": [place == here for place in range(len(words))],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def permuted_spec(positive: str) -> dict[str, Any]:
    """Return a dot for the verdict of each permutation, for the columns of `permuted_data`.

    Rules mark the verdicts with the original weights and with equal ones.
    """
    base = alt.Chart(alt.NamedData("data"))
    across = alt.X(
        "chance:Q",
        title=f"chance of “{positive}”",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(format="%", tickCount=5),
    )
    kinds = ["as they are", "permuted", "all equal"]
    hue = alt.Color(
        "weights:N",
        scale=alt.Scale(domain=kinds, range=[POSITIVE, WEIGHT, SIZE]),
        legend=alt.Legend(title="attention weights", orient="top", columns=3),
    )
    tip = [alt.Tooltip("weights:N"), alt.Tooltip("chance:Q", format=".4f")]
    dots = base.transform_filter("datum.weights == 'permuted'").mark_circle(size=90, opacity=0.6)
    rules = base.transform_filter("datum.weights != 'permuted'").mark_rule(strokeWidth=4)
    half = base.mark_rule(color=INK, strokeDash=[3, 3], tooltip=None).encode(x=HALF)
    up = alt.Y("up:Q", axis=None, scale=alt.Scale(domain=[-1, 1]))
    return bare_spec(
        alt.layer(
            half,
            rules.encode(x=across, color=hue, tooltip=tip),
            dots.encode(x=across, y=up, color=hue, tooltip=tip),
        ).properties(title="Where does the verdict go?", width="container", height=320)
    )


def permuted_data(chance: float, permuted: np.ndarray, uniform: float) -> pd.DataFrame:
    """Return one row per dot or rule; dots have heights that keep near ones apart."""
    count = len(permuted)
    return pd.DataFrame(
        {
            "weights": ["as they are", "all equal", *["permuted"] * count],
            "chance": np.array([chance, uniform, *permuted], np.float32),
            "up": np.array([0, 0, *_apart(count)], np.float32),
        }
    )


def negations_spec(negative: str, positive: str) -> dict[str, Any]:
    """Return a dot for each sentence in the row of its true class, for the columns of `negations_data`.

    A click on a dot selects its sentence (`picked`, field "place").
    """
    picked = alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False)
    base = alt.Chart(alt.NamedData("data"))
    hue = alt.Color(
        "judged:N",
        scale=alt.Scale(domain=["right", "wrong"], range=[SIZE, WEIGHT]),
        legend=alt.Legend(title="judged", orient="top"),
    )
    across = alt.X(
        "chance:Q",
        title=f"it says “{positive}” with this chance",
        scale=alt.Scale(domain=[0, 1], nice=False, padding=8),
        axis=alt.Axis(format="%", tickCount=5),
    )
    rows = [f"“{negative}”", f"“{positive}”"]
    up = alt.Y("meant:N", sort=rows[::-1], title="meant", scale=alt.Scale(domain=rows[::-1]))
    tip = [alt.Tooltip("sentence:N"), alt.Tooltip("meant:N"), alt.Tooltip("chance:Q", format=".3f")]
    dots = base.mark_circle(size=110, opacity=0.75, cursor="pointer").encode(
        x=across, y=up, yOffset=alt.YOffset("up:Q", scale=alt.Scale(domain=[-1.4, 1.4])), color=hue, tooltip=tip
    )
    half = base.mark_rule(color=INK, strokeDash=[3, 3], tooltip=None).encode(x=HALF)
    return bare_spec(
        alt.layer(half, dots.add_params(picked)).properties(
            title="Each dot is a sentence", width="container", height=380
        )
    )


def negations_data(
    sentences: Sequence[str], meant: np.ndarray, chances: np.ndarray, right: np.ndarray, labels: tuple[str, ...]
) -> pd.DataFrame:
    """Return one row per sentence; all arrays are (N,)."""
    return pd.DataFrame(
        {
            "place": np.arange(len(sentences), dtype=np.int16),
            "sentence": pd.Series(list(sentences), dtype="str"),
            "meant": [f"“{labels[each]}”" for each in meant],
            "chance": chances.astype(np.float32),
            "judged": np.where(right, "right", "wrong"),
            "up": np.array(_apart(len(sentences)), np.float32),
        }
    )


def labels_spec() -> dict[str, Any]:
    """Return lines of means and a dot for each seed over a logarithmic axis, for the columns of `labels_data`."""
    base = alt.Chart(alt.NamedData("data"))
    across = alt.X("size:Q", title="labelled sentences", scale=alt.Scale(type="log"), axis=alt.Axis(grid=False))
    up = alt.Scale(zero=False)
    hue = alt.Color(
        "arm:N",
        sort=None,
        scale=alt.Scale(range=[POSITIVE, NEGATIVE]),
        legend=alt.Legend(title=None, orient="top"),
    )
    title = "right on dev, percent"
    lines = base.mark_line(strokeWidth=2.5).encode(
        x=across, y=alt.Y("mean(accuracy):Q", title=title, scale=up), color=hue
    )
    tip = ["arm:N", alt.Tooltip("size:Q", format=","), alt.Tooltip("accuracy:Q", format=".2f")]
    dots = base.mark_circle(size=60).encode(
        x=across, y=alt.Y("accuracy:Q", title=title, scale=up), color=hue, tooltip=tip
    )
    return bare_spec(
        alt.layer(lines, dots).properties(
            title="What does pre-training buy?", width="container", height=380, autosize=FITTED
        )
    )


def labels_data(sizes: Sequence[int], accuracy: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return one row per training run.

    accuracy: for each arm, (S, R) numbers for each size and seed.
    """
    rows = [
        (arm, size, float(each))
        for arm, table in accuracy.items()
        for size, row in zip(sizes, table, strict=True)
        for each in row
    ]
    return pd.DataFrame(rows, columns=["arm", "size", "accuracy"])


def _apart(count: int) -> list[float]:
    """Return heights from −0.75 to 0.75 in an order that keeps neighbours apart."""
    return [1.5 * ((place * 0.618034) % 1 - 0.5) for place in range(count)]
